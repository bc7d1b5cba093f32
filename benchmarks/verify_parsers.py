"""Parse two hundred hostile files in the sandbox; none may crash us or exceed its memory limit.

Prints the result of each family, the slowest files and the highest memory of a child process. Fails
if a file ends in anything but documents or an Unreadable. Files are written and parsed by separate
processes, so that the memory is that of the children.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.sandbox.parser import SandboxedParser

# A shorter timeout than in production, so that the run takes a minute or two.
LIMITS = ParseLimits(cpu_seconds=10, wall_seconds=30)
SHOWN = 8
LEAST = 200
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Outcome:
    family: str
    file: str
    ended: str
    seconds: float

    @property
    def is_expected(self) -> bool:
        """Whether it ended in documents or a reason."""
        return "document" in self.ended or self.ended in set(Reason)


async def read(parser: SandboxedParser, family: str, path: Path) -> Outcome:
    start = time.monotonic()
    try:
        documents = await parser.parse(path, path.name)
        ended = f"{len(documents)} documents" if len(documents) > 1 else "1 document"
    except Unreadable as refusal:
        ended = refusal.detail
    return Outcome(family, path.name, ended, round(time.monotonic() - start, 2))


async def read_all(listing: list[dict[str, str]]) -> tuple[list[Outcome], int]:
    """Parses two files at a time, so that files do not wait for each other."""
    parser = SandboxedParser(LIMITS)
    left = iter(listing)
    outcomes: list[Outcome] = []

    async def reader() -> None:
        for file in left:
            outcome = await read(parser, file["family"], Path(file["path"]))
            outcomes.append(outcome)

    await asyncio.gather(reader(), reader())
    return outcomes, parser.most_bytes


def worker(listing: Path) -> None:
    """Parses the listed files; prints the result of each and the maximum memory of a child."""
    files = [json.loads(line) for line in listing.read_text("utf-8").splitlines()]
    outcomes, peak = asyncio.run(read_all(files))
    print(json.dumps({"peak": peak, "outcomes": [asdict(outcome) for outcome in outcomes]}))


def compiled_once(folder: Path) -> dict[str, str]:
    """Returns an environment in which children reuse compiled modules, as in an installation."""
    environment = {name: value for name, value in os.environ.items() if "BYTECODE" not in name}
    return environment | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def run(folder: Path, each: int | None = None) -> tuple[int, list[Outcome]]:
    """Writes the files into the folder and parses them; returns the peak in bytes, and each
    result."""
    made = subprocess.run(
        [
            *(sys.executable, "-m", "tests.integration.library.parsing.hostile", str(folder)),
            *([str(each)] if each else []),
        ],
        check=True,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    listing = folder / "listing.jsonl"
    listing.write_bytes(made.stdout)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.verify_parsers", "--worker", str(listing)],
        check=True,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=compiled_once(folder),
    )
    told = json.loads(done.stdout)
    return told["peak"], [Outcome(**outcome) for outcome in told["outcomes"]]


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="saegim-hostile-") as folder:
        peak, outcomes = run(Path(folder))
    for family in dict.fromkeys(outcome.family for outcome in outcomes):
        ended = Counter(outcome.ended for outcome in outcomes if outcome.family == family)
        print(f"{family:14} {sum(ended.values()):4}  {dict(ended.most_common())}")
    print("slowest:")
    for outcome in sorted(outcomes, key=lambda outcome: -outcome.seconds)[:SHOWN]:
        print(f"  {outcome.seconds:6.2f} s  {outcome.file}: {outcome.ended}")
    limit = LIMITS.memory_bytes
    print(f"{len(outcomes)} files; highest memory of a child {peak >> 20} of {limit >> 20} MB")
    odd = [outcome for outcome in outcomes if not outcome.is_expected]
    return 1 if odd or peak > limit or len(outcomes) < LEAST else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(Path(sys.argv[2]))
    else:
        sys.exit(main())
