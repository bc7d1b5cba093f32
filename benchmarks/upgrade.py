"""Migrate the schema under the previous release, then run both releases side by side.

The last tagged release runs an API and a worker on its own schema, and clients chat. The current
migrations run meanwhile; then a worker and an API of the current code join, with clients of their
own. At the end everything acknowledged must exist once, seen through both releases, and no request
may have failed. Run it with `make verify-upgrade`.
"""

import argparse
import asyncio
import io
import json
import os
import subprocess
import sys
import tarfile
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import results
from benchmarks.backup.restoring import rested
from benchmarks.chaos.load import Library, Load, Person, count_notes
from benchmarks.durable import Verdict, judge
from benchmarks.page import everything, publish
from benchmarks.stack import LiveStack, Places
from saegim.db.migrate import migrate
from saegim.db.revision import newest_revision, stored_revision
from saegim.localservers.valkey import find_free_port

# The last release before migrations were squashed into one initial schema.
LAST_SQUASHED = (0, 7, 0)


def newest_release() -> str:
    """Returns the last tag."""
    return _git("describe", "--tags", "--abbrev=0").decode().strip()


def unpack(tag: str, folder: Path) -> Path:
    """Unpacks a release; returns the folder of its packages."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", tag, "src"))) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def _git(*arguments: str) -> bytes:
    command = ["git", "-C", str(results.ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def failures(log: Path) -> int:
    """Returns the number of requests that a process failed to handle."""
    return sum(" 500 " in line for line in log.read_text().splitlines())


async def verify(tag: str, seconds: float, seed: int) -> dict[str, float]:
    with TemporaryDirectory(prefix="saegim-upgrade-") as name:
        folder = Path(name)
        source = unpack(tag, folder / "release")
        async with LiveStack.start(folder, workers=1, places=Places(source=source)) as stack:
            return await _verify(stack, seconds, seed)


async def _verify(stack: LiveStack, seconds: float, seed: int) -> dict[str, float]:
    admin, app = stack.postgres.url("saegim"), stack.environment["SAEGIM_POSTGRES_URL"]
    before = stored_revision(admin)
    key = await _tenant(stack)
    old_people = [Person(f"old-{n}", key, mark=f"옛표지{n}끝") for n in range(3)]
    load = Load(stack, old_people, Library(key))
    loading = asyncio.create_task(load.run(seed))
    await asyncio.sleep(seconds)
    began = time.monotonic()
    await asyncio.to_thread(migrate, admin, app)
    migrated = time.monotonic() - began
    # The same stores, with the current code.
    new = replace(stack, places=Places(), port=find_free_port(), processes={})
    try:
        for part in ("api", "worker-new"):
            new.spawn(part)
        await new.ready(120)
        new_people = [Person(f"new-{n}", key, mark=f"새표지{n}끝") for n in range(3)]
        further = Load(new, new_people, Library(key))
        talking = asyncio.create_task(further.run(seed + 1))
        await asyncio.sleep(seconds)
        for each in (load, further):
            each.end()
        await asyncio.gather(loading, talking)
        await rested(new)
        people = [*old_people, *new_people]
        verdicts = [await judge(each, people) for each in (stack, new)]
        notes = [await count_notes(new, person) for person in people]
    finally:
        for process in new.processes.values():
            process.kill()
            process.wait()
    return {
        "from_revision": float(before or 0),
        "to_revision": float(newest_revision()),
        "migration_seconds": round(migrated, 2),
        "acknowledged": float(sum(len(person.turns) for person in people)),
        **{name: _summed(verdicts, name) for name in ("lost", "doubled", "changed", "unsettled")},
        "notes_missing": float(sum(missing for missing, _ in notes)),
        "failed_requests": float(failures(stack.folder / "api.log")),
    }


async def _tenant(stack: LiveStack) -> str:
    """Creates a tenant with the old release; returns its key."""
    command = ("-m", "saegim.cli.main", "tenant", "create", "talking", "--json")
    made = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, *command],
        env=os.environ | stack.environment | stack.places.code(),
        check=True,
        capture_output=True,
    )
    return str(json.loads(made.stdout)["key"])


def _summed(verdicts: list[Verdict], name: str) -> float:
    return float(sum(getattr(each, name) for each in verdicts))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tag", default=newest_release())
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=20_261_115)
    asked = vars(parser.parse_args())
    if tuple(map(int, asked["tag"].removeprefix("v").split("."))) <= LAST_SQUASHED:
        sys.exit(f"{asked['tag']} cannot be upgraded: its migrations were squashed")
    figures = asyncio.run(verify(**asked))
    for name, value in figures.items():
        print(f"{name:24} {value:g}")
    print(results.write("upgrade", figures, asked))
    publish("upgrade", everything(figures), results.ROOT / "docs/how-to/operations.md")
    nothing = "lost doubled changed unsettled notes_missing failed_requests"
    return int(any(figures[name] for name in nothing.split()))


if __name__ == "__main__":
    sys.exit(main())
