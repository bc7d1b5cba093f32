"""Run mixed load for half an hour and check that resources do not grow.

Clients chat, add notes, recall and search, and a library adds a document every few seconds and
deletes an old one, so that its size is constant. Memory, open files and connections of API and
workers, sizes of tables and index, and the queue lag are sampled every few seconds. Growth is the
median of the last fifth over that of the fifth after the warm-up. `make verify-soak` runs it with
default settings; `--minutes` makes it longer.
"""

import argparse
import asyncio
import contextlib
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import quote

import httpx2

from benchmarks import results
from benchmarks.chaos.load import FORM, Library, Load, Person
from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from benchmarks.page import everything, publish
from benchmarks.stack import LiveStack, usual
from saegim.app.settings import Settings
from saegim.jobs.worker import QUEUE_CONNECTIONS

EVERY_SECONDS = 2.0
DOCUMENTS_KEPT = 20
BOUNDS = {
    "rss_growth": 0.05,
    "files_growth": 0.1,
    "connections_growth": 0.1,
    "index_mb_at_most": 15.0,
    "lag_seconds_at_most": 60.0,
    "database_bytes_per_turn": 40_000.0,
    "database_bytes_per_turn_growth": 0.25,
}
"""What each figure stays below; connections also stay within the pools."""
CONNECTIONS = b"""
select count(*) from pg_stat_activity where datname = 'saegim' and usename = 'saegim_app'
"""
LAG = b"""
select coalesce(max(extract(epoch from now() - at)), 0)::int from (
    select min(e.at) as at from saegim.procrastinate_jobs j
    join saegim.procrastinate_events e on e.job_id = j.id
    where j.status = 'todo' and j.scheduled_at is null and j.task_name <> 'summarise' group by j.id
) waiting
"""
SIZE = b"select pg_database_size('saegim')"


@dataclass(frozen=True, slots=True)
class Sample:
    """Values at one point in time."""

    rss: dict[str, float]
    files: int
    connections: int
    lag: int
    turns: int
    size: int
    index: int


def resident(pid: int) -> float:
    """Returns the memory of a process in megabytes; shared memory counts proportionally (PSS)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1_000
    return 0.0


def open_files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def weigh(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # removed by index maintenance in the meantime
            total += path.stat().st_size
    return total


def growth(values: Sequence[float]) -> float:
    """Compares the last fifth with the fifth after the warm-up (the first two fifths)."""
    fifth = max(1, len(values) // 5)
    first, last = median(values[2 * fifth : 3 * fifth]), median(values[-fifth:])
    return last / first - 1 if first else 0.0


class Soak:
    def __init__(self, stack: LiveStack, people: Sequence[Person]) -> None:
        self._stack = stack
        self._people = people
        self.samples: list[Sample] = []

    async def run(self, seconds: float, seed: int) -> None:
        load = Load(self._stack, self._people, Library(self._people[0].key))
        loading = asyncio.create_task(load.run(seed))
        giving_up = asyncio.create_task(self._give_up_old())
        end = time.monotonic() + seconds
        while time.monotonic() < end and not loading.done():
            self.samples.append(await asyncio.to_thread(self._look))
            await asyncio.sleep(EVERY_SECONDS)
        load.end()
        await loading
        giving_up.cancel()

    async def _give_up_old(self) -> None:
        """Deletes the oldest documents, so that the library does not grow."""
        key = self._people[0].key
        headers = {"Authorization": f"Bearer {key}", "Saegim-User": "librarian"}
        async with httpx2.AsyncClient(base_url=self._stack.url, headers=headers) as http:
            while True:
                await asyncio.sleep(3)
                with contextlib.suppress(httpx2.TransportError):
                    listed = await http.get("/v1/documents", params={"count": 200})
                    for old in listed.json()["documents"][DOCUMENTS_KEPT:]:
                        await http.delete(f"/v1/documents/{quote(old['document_id'], safe='')}")

    def _look(self) -> Sample:
        processes = self._stack.processes
        return Sample(
            rss={name: resident(process.pid) for name, process in processes.items()},
            files=sum(open_files(process.pid) for process in processes.values()),
            connections=self._stack.count(CONNECTIONS),
            lag=self._stack.count(LAG),
            turns=sum(len(person.turns) for person in self._people),
            size=self._stack.count(SIZE),
            index=weigh(self._stack.folder / "data" / "index"),
        )


def figures_of(samples: Sequence[Sample]) -> dict[str, float]:
    """Returns growth after the warm-up, and maxima."""
    totals = [sum(sample.rss.values()) for sample in samples]
    by_part = {
        f"rss_growth.{name}": round(growth([sample.rss[name] for sample in samples]), 4)
        for name in samples[0].rss
    }
    half = len(samples) // 2
    first, second = bytes_per_turn(samples[: half + 1]), bytes_per_turn(samples[half:])
    return {
        "rss_growth": round(growth(totals), 4),
        **by_part,
        "rss_mb": round(totals[-1], 1),
        "files_growth": round(growth([sample.files for sample in samples]), 4),
        "connections_at_most": float(max(sample.connections for sample in samples)),
        "connections_growth": round(growth([sample.connections for sample in samples]), 4),
        "lag_seconds_at_most": float(max(sample.lag for sample in samples)),
        "index_mb_at_most": round(max(sample.index for sample in samples) / 1e6, 1),
        "index_mb": round(samples[-1].index / 1e6, 1),
        "index_growth": round(growth([sample.index for sample in samples]), 4),
        "turns": float(samples[-1].turns),
        "database_bytes_per_turn": round(bytes_per_turn(samples), 0),
        "database_bytes_per_turn_growth": round(second / first - 1, 4) if first else 0.0,
        "samples": float(len(samples)),
    }


def bytes_per_turn(samples: Sequence[Sample]) -> float:
    """Returns the growth of the database per turn between the first and the last sample."""
    turns = samples[-1].turns - samples[0].turns
    return (samples[-1].size - samples[0].size) / max(1, turns)


def beyond(figures: Mapping[str, float]) -> list[str]:
    """Returns the figures that exceed their bounds."""
    bounds = BOUNDS | {"connections_at_most": figures["connections_limit"] + 1}
    return [name for name, bound in bounds.items() if figures[name] >= bound]


def connections_limit(settings: Settings) -> int:
    """Returns the maximum connections of API and worker: each has a probe beside its pool, and
    the worker a pool for its queue."""
    each = settings.postgres_connections + 1
    return 2 * each + settings.worker_concurrency + QUEUE_CONNECTIONS


async def verify(minutes: float, people: int, seed: int) -> dict[str, float]:
    with TemporaryDirectory(prefix="saegim-soak-") as name:
        async with (
            BrokenProvider(ProviderMode.SLOW, "짧게 답합니다.", word_seconds=0.02) as provider,
            LiveStack.start(Path(name), provider.base_url, workers=1, settings=usual()) as stack,
        ):
            provider.structured = FORM
            keys = [await stack.new_tenant(f"tenant {n}") for n in range(2)]
            talking = [
                Person(f"user-{n}", keys[n % 2], mark=f"표지{n:03d}끝") for n in range(people)
            ]
            soak = Soak(stack, talking)
            await soak.run(minutes * 60, seed)
            limit = connections_limit(stack.settings())
    return figures_of(soak.samples) | {"connections_limit": float(limit)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--seed", type=int, default=20_261_115)
    asked = vars(parser.parse_args())
    figures = asyncio.run(verify(**asked))
    for name, value in figures.items():
        print(f"{name:28} {value:g}")
    print(results.write("soak", figures, asked))
    publish("soak", everything(figures), results.ROOT / "docs/how-to/operations.md")
    for name in (failed := beyond(figures)):
        print(f"exceeds its bound: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
