"""Flood the API as one member, and measure the effect on another tenant.

A real API and worker with default settings, and the model of `benchmarks.load`. One member sends
bursts of parallel requests, each once, while users of another tenant chat and `/health/live` is
polled. Flood, chats and probes are separate processes. `make verify-overload` runs it at full size;
a test runs a small one.
"""

import argparse
import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from benchmarks import clients, results
from benchmarks.load import model
from benchmarks.page import everything, publish
from benchmarks.stack import LiveStack, usual

HEALTH_MS = 200.0
TURN_RATIO = 2.0
RECOVERY_SECONDS = 10.0
EXPECTED = (200, 429, 503)
LOOK_SECONDS = 0.05
API_CONNECTIONS = b"""
select count(*) from pg_stat_activity where usename = 'saegim_app' and application_name = 'api'
"""


@dataclass(frozen=True)
class Run:
    """Size and duration of the bursts, and the other load."""

    parallel: tuple[int, ...] = (200, 1_000)
    seconds: float = 30.0
    pause: float = 10.0
    turns_per_s: float = 1.0
    model_seconds: float = 0.4


@dataclass
class Seen:
    """Responses of the bursts, and times of the other tenant."""

    statuses: Counter[int] = field(default_factory=Counter[int])
    bursts: int = 0
    without_retry_after: int = 0
    longest_ms: float = 0.0
    health_ms: list[float] = field(default_factory=list[float])
    turn_ms: list[float] = field(default_factory=list[float])
    turns_refused: int = 0
    connections: int = 0


class Overload:
    """Observes an API at a URL. `connections` counts its connections to Postgres, in a thread."""

    def __init__(self, url: str, keys: Sequence[str], connections: Callable[[], int]) -> None:
        self._url = url
        self._flooding, self._quiet = keys
        self._connections = connections

    async def observe(self, run: Run, parallel: int) -> Seen:
        """Measures for the time of the run, with bursts of so many requests; 0 sends none."""
        seen, stop = Seen(), asyncio.Event()
        looking = asyncio.create_task(asyncio.to_thread(self._count, seen, stop))
        try:
            turns = await clients.start(
                "turns", self._url, self._quiet, seconds=run.seconds, rate=run.turns_per_s
            )
            probe = await clients.start("health", self._url, "", seconds=run.seconds)
            if parallel:
                sent = await self._flood(run, parallel)
                seen.statuses.update({int(code): n for code, n in sent["statuses"].items()})
                seen.bursts, seen.longest_ms = sent["bursts"], sent["longest_ms"]
                seen.without_retry_after = sent["without_retry_after"]
            seen.health_ms = (await clients.told(probe))["took_ms"]
            chatted = await clients.told(turns)
        finally:
            stop.set()
            await looking
        seen.turn_ms = chatted["took_ms"]
        seen.turns_refused = len(seen.turn_ms) - chatted["statuses"].get("200", 0)
        return seen

    async def recovery(self, most_ms: float) -> float:
        """Returns the seconds until a turn of the other tenant is as fast as that again."""
        began = time.monotonic()
        while time.monotonic() < began + 60:
            one = await clients.start("turns", self._url, self._quiet, seconds=1, rate=1)
            if max((await clients.told(one))["took_ms"]) <= most_ms:
                break
        return time.monotonic() - began

    async def _flood(self, run: Run, parallel: int) -> dict[str, Any]:
        options = {"seconds": run.seconds, "parallel": parallel, "pause": run.pause}
        return await clients.told(
            await clients.start("flood", self._url, self._flooding, **options)
        )

    def _count(self, seen: Seen, stop: asyncio.Event) -> None:
        while not stop.is_set():
            seen.connections = max(seen.connections, self._connections())
            time.sleep(LOOK_SECONDS)


async def verify(run: Run) -> dict[str, float]:
    """Runs once in its own folder and returns the figures."""
    with (
        TemporaryDirectory(prefix="saegim-overload-") as folder,
        model.running(run.model_seconds) as url,
    ):
        async with LiveStack.start(Path(folder), url, workers=1, settings=usual()) as stack:
            keys = [await stack.new_tenant(name) for name in ("flooding", "quiet")]
            with psycopg.connect(stack.postgres.url("saegim"), autocommit=True) as looking:
                overload = Overload(stack.url, keys, lambda: _count(looking))
                limit = stack.settings().postgres_connections
                return await measure(overload, run, limit)


def _count(connection: psycopg.Connection) -> int:
    row = connection.execute(API_CONNECTIONS).fetchone()
    return row[0] if row else 0


async def measure(overload: Overload, run: Run, pool: int) -> dict[str, float]:
    """Returns the figures of an API with a pool of so many connections."""
    # Warms up the caches.
    await overload.observe(replace(run, seconds=min(5.0, run.seconds)), 0)
    quiet = await overload.observe(run, 0)
    seen, recovery = dict[int, Seen](), 0.0
    most = _p99(quiet.turn_ms)
    for size in run.parallel:
        seen[size] = await overload.observe(run, size)
        recovery = max(recovery, await overload.recovery(most))
    # The pool, and one probe of a silent server.
    figures = _figures(quiet, seen) | {"connections.limit": float(pool + 1)}
    return figures | {"recovery_seconds": round(recovery, 1)}


def _figures(quiet: Seen, seen: dict[int, Seen]) -> dict[str, float]:
    figures: dict[str, float] = {
        "quiet.health_live.p99_ms": _p99(quiet.health_ms),
        "quiet.turn.p99_ms": _p99(quiet.turn_ms),
    }
    for size, each in seen.items():
        figures |= {
            f"health_live.p99_ms.{size}": _p99(each.health_ms),
            f"turn.p99_ms.{size}": _p99(each.turn_ms),
            f"turn.p99_ratio.{size}": _p99(each.turn_ms) / _p99(quiet.turn_ms),
            f"bursts.{size}": each.bursts,
            f"served.{size}": each.statuses[200],
            f"refused.{size}": each.statuses[429] + each.statuses[503],
            f"longest_ms.{size}": each.longest_ms,
        }
    every = list(seen.values())
    sent = sum(sum(each.statuses.values()) for each in every)
    known = sum(each.statuses[status] for each in every for status in EXPECTED)
    return figures | {
        "connections.peak": max(each.connections for each in every),
        "refused_without_retry_after": sum(each.without_retry_after for each in every),
        "other_statuses": sent - known,
        "turns_of_others_refused": sum(each.turns_refused for each in every),
    }


def _p99(values: Sequence[float]) -> float:
    return quantiles([*values, *values], n=100, method="inclusive")[98]


def broken(figures: dict[str, float]) -> list[str]:
    """Returns the figures that exceed their bound."""
    bounds = {
        "health_live.p99_ms": HEALTH_MS,
        "turn.p99_ratio": TURN_RATIO,
        "recovery_seconds": RECOVERY_SECONDS,
        "connections.peak": figures["connections.limit"] + 1,
        "refused_without_retry_after": 1,
        "other_statuses": 1,
        "turns_of_others_refused": 1,
    }
    return [
        name
        for name, value in figures.items()
        if any(name.startswith(start) and value >= bound for start, bound in bounds.items())
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parallel", type=int, nargs="+", default=Run.parallel)
    parser.add_argument("--seconds", type=float, default=Run.seconds)
    parser.add_argument("--dry", action="store_true", help="write no result file")
    given = parser.parse_args()
    run = Run(parallel=tuple(given.parallel), seconds=given.seconds)
    figures = asyncio.run(verify(run))
    for name, value in figures.items():
        print(f"{name:30} {value:g}")
    if not given.dry:
        load = round(os.getloadavg()[2], 1)
        print(results.write("overload", figures, {**vars(run), "load_average": load}))
        publish("overload", everything(figures))
    for name in (beyond := broken(figures)):
        print(f"exceeds its bound: {name}", file=sys.stderr)
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
