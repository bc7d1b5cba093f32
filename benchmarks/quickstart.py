"""Follow the README's quick start literally: from the wheel, in a bare environment.

Builds the wheel and installs it with pip into a new virtual environment. Then runs the commands of
the README with nothing but HOME and PATH set, and measures the seconds from the end of pip to the
answer, which has to name the price. `make verify-quickstart` writes the figures.
"""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import results
from benchmarks.install import MOST_MB
from saegim.localservers.valkey import find_free_port

MOST_SECONDS = 90.0
MOST_COMMANDS = 4
PRICE = "290,000원"
# The last thing that `saegim dev --demo` prints: questions to try.
IMPORTED = "saegim chat"
START_SECONDS = 300.0
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
MARKER = re.compile(r"\[\d+\]")


def commands() -> list[str]:
    """Returns the commands of the README up to the first question."""
    quick_start = (results.ROOT / "README.md").read_text("utf-8").partition("## Quick start")[2]
    lines = [line for block in BLOCK.findall(quick_start) for line in block.splitlines()]
    first_question = next(n for n, line in enumerate(lines) if line.startswith("saegim chat"))
    return lines[: first_question + 1]


def install(folder: Path) -> float:
    """Installs the wheel with the extra of the README; returns the seconds of pip."""
    wheels = folder / "wheels"
    uv = results.ROOT / "scripts/uv"
    subprocess.run([uv, "build", "--wheel", "-q", "-o", wheels], check=True, cwd=results.ROOT)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    [wheel] = wheels.glob("*.whl")
    began = time.monotonic()
    pip = [folder / "venv/bin/pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{wheel}[local]"], check=True)
    return time.monotonic() - began


@contextmanager
def running(command: str, folder: Path, environment: dict[str, str]) -> Iterator[Path]:
    """Runs a command within a context; yields the file with its output."""
    output = folder / "dev.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(
            shlex.split(command), stdout=file, stderr=file, cwd=folder, env=environment,
            process_group=0,
        )  # fmt: skip
        try:
            yield output
        finally:
            process.terminate()
            process.wait(60)


def wait_for(text: str, output: Path) -> None:
    began = time.monotonic()
    while text not in output.read_text("utf-8", "replace"):
        if time.monotonic() - began > START_SECONDS:
            raise TimeoutError(output.read_text("utf-8", "replace"))
        time.sleep(0.1)


def measure(folder: Path) -> dict[str, float]:
    """Runs everything in one folder."""
    pip_seconds = install(folder)
    home = folder / "home"
    home.mkdir()
    environment = {
        "HOME": str(home),
        "PATH": f"{folder / 'venv/bin'}:/usr/bin:/bin",
        # The README's port may be taken here.
        "SAEGIM_PORT": str(find_free_port()),
    }
    _install, start, ask = commands()
    began = time.monotonic()
    with running(start, home, environment) as output:
        wait_for("/sign-in/once?token=", output)
        ready = time.monotonic() - began
        wait_for(IMPORTED, output)
        asked = time.monotonic() - began
        answer = subprocess.run(
            shlex.split(ask), check=True, capture_output=True, text=True, cwd=home, env=environment
        )
        answered = time.monotonic() - began
    print(output.read_text("utf-8", "replace"), answer.stdout, answer.stderr, sep="\n")
    return {
        "quickstart_pip_seconds": pip_seconds,
        "quickstart_ready_seconds": ready,
        "quickstart_imported_seconds": asked,
        "quickstart_seconds": answered,
        "quickstart_commands": float(len(commands())),
        "quickstart_cited": float(all(map(MARKER.search, (answer.stdout, answer.stderr)))),
        "quickstart_price_named": float(PRICE in answer.stdout),
        # The language of the terminal decides nothing: the bare environment has none.
        "quickstart_degraded": float("unavailable" in answer.stderr),
    }


def main() -> int:
    # Not the default: as root, PostgreSQL's own user has to pass the folders above.
    with TemporaryDirectory(prefix="saegim-quickstart-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        figures = measure(folder)
    for name, value in figures.items():
        print(f"{name:28} {value:g}")
    results.merge("install", figures, {"extras": "otel", "most_mb": MOST_MB})
    fast = figures["quickstart_seconds"] < MOST_SECONDS
    short = figures["quickstart_commands"] <= MOST_COMMANDS
    return 0 if fast and short and figures["quickstart_price_named"] else 1


if __name__ == "__main__":
    sys.exit(main())
