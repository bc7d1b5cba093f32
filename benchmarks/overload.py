"""One member floods the API; another tenant must hardly notice.

A real API and a real worker. Bursts of parallel requests of one member, each sent once, while a
member of another tenant takes turns and `/health/live` is asked over and over.
`make verify-overload` runs it at full size.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

import httpx2

from benchmarks import results
from benchmarks.stack import LiveStack
from saegim.adapters.postgres.worker import QUEUE_CONNECTIONS
from saegim.settings import Settings
from saegim.testing.providers import BrokenProvider, ProviderMode

HEALTH_MS = 200.0
TURN_RATIO = 2.0
RECOVERY_SECONDS = 10.0
EXPECTED = (200, 429, 503)
PAUSE_SECONDS = 0.02
SESSIONS = b"select count(*) from pg_stat_activity where usename = 'saegim_app'"


@dataclass
class Seen:
    """What came back of a burst, and what the other tenant felt of it."""

    statuses: Counter[int] = field(default_factory=Counter[int])
    without_retry_after: int = 0
    health_ms: list[float] = field(default_factory=list[float])
    turn_ms: list[float] = field(default_factory=list[float])
    connections: int = 0


class Overload:
    def __init__(self, stack: LiveStack, keys: Sequence[str], seconds: float) -> None:
        self._stack = stack
        self._flooding, self._quiet = (
            {"Authorization": f"Bearer {key}", "Saegim-User": "alice"} for key in keys
        )
        self._seconds = seconds

    async def observe(self, parallel: int) -> Seen:
        """Bursts of so many requests, one after the other until the time is up; 0 sends none."""
        seen, stop = Seen(), asyncio.Event()
        limits = httpx2.Limits(max_connections=None)
        async with (
            httpx2.AsyncClient(base_url=self._stack.url, timeout=60, limits=limits) as flood,
            httpx2.AsyncClient(base_url=self._stack.url, timeout=60) as quiet,
        ):
            probes = [
                asyncio.create_task(_repeat(stop, self._timed(seen.health_ms, self._live, quiet))),
                asyncio.create_task(_repeat(stop, self._timed(seen.turn_ms, self._turn, quiet))),
                asyncio.create_task(_repeat(stop, lambda: self._count(seen))),
            ]
            end = time.monotonic() + self._seconds
            while time.monotonic() < end:
                if parallel:
                    sent = (self._send(flood, number, seen) for number in range(parallel))
                    await asyncio.gather(*sent)
                else:
                    await asyncio.sleep(0.1)
            stop.set()
            await asyncio.gather(*probes)
        return seen

    async def recovery(self) -> float:
        """Seconds until the member who flooded is served again."""
        began = time.monotonic()
        async with httpx2.AsyncClient(base_url=self._stack.url, timeout=60) as http:
            while time.monotonic() < began + 60:
                if (await http.get("/v1/sessions", headers=self._flooding)).status_code == 200:
                    break
                await asyncio.sleep(0.1)
        return time.monotonic() - began

    async def _send(self, http: httpx2.AsyncClient, number: int, seen: Seen) -> None:
        """One request, without retry; a connection that breaks counts as status 0."""
        status, headers = 0, httpx2.Headers()
        with suppress(httpx2.TransportError):
            if number % 2:
                body = {"message": "비용 알림은 어떻게 켜나요?"}
                response = await http.post("/v1/chat", json=body, headers=self._flooding)
            else:
                response = await http.get("/v1/sessions", headers=self._flooding)
            status, headers = response.status_code, response.headers
        seen.statuses[status] += 1
        if status in (429, 503) and "retry-after" not in headers:
            seen.without_retry_after += 1

    def _timed(
        self,
        took: list[float],
        ask: Callable[[httpx2.AsyncClient], Awaitable[httpx2.Response]],
        http: httpx2.AsyncClient,
    ) -> Callable[[], Awaitable[None]]:
        async def timed() -> None:
            began = time.perf_counter()
            (await ask(http)).raise_for_status()
            took.append((time.perf_counter() - began) * 1000)

        return timed

    async def _live(self, http: httpx2.AsyncClient) -> httpx2.Response:
        return await http.get("/health/live")

    async def _turn(self, http: httpx2.AsyncClient) -> httpx2.Response:
        body = {"message": "예산 정책을 바꾸는 방법은?"}
        return await http.post("/v1/chat", json=body, headers=self._quiet)

    async def _count(self, seen: Seen) -> None:
        seen.connections = max(
            seen.connections, await asyncio.to_thread(self._stack.count, SESSIONS)
        )


async def _repeat(stop: asyncio.Event, work: Callable[[], Awaitable[None]]) -> None:
    while not stop.is_set():
        await work()
        await asyncio.sleep(PAUSE_SECONDS)


async def verify(sizes: Sequence[int], seconds: float) -> dict[str, float]:
    """One run in a folder of its own; the figures."""
    usual = {
        f"SAEGIM_{name.upper()}": str(Settings.model_fields[name].default)
        for name in ("requests_at_once_per_user",)
    }
    with TemporaryDirectory(prefix="saegim-overload-") as folder:
        async with (
            BrokenProvider(ProviderMode.OK, "예약 인스턴스를 쓰세요.") as model,
            LiveStack.start(Path(folder), model.base_url, workers=1, settings=usual) as stack,
        ):
            keys = [await stack.new_tenant(name) for name in ("flooding", "quiet")]
            overload = Overload(stack, keys, seconds)
            quiet = await overload.observe(0)
            seen = {size: await overload.observe(size) for size in sizes}
            return _figures(quiet, seen, _limit(stack.settings())) | {
                "recovery_seconds": await overload.recovery()
            }


def _limit(settings: Settings) -> int:
    """Connections that the API and the worker may open: each has a probe beside its pool, and the
    worker a pool for its queue."""
    each = settings.postgres_connections + 1
    return 2 * each + settings.worker_concurrency + QUEUE_CONNECTIONS


def _figures(quiet: Seen, seen: dict[int, Seen], limit: int) -> dict[str, float]:
    figures: dict[str, float] = {"turn.quiet_p99_ms": _p99(quiet.turn_ms)}
    for size, each in seen.items():
        figures[f"health_live.p99_ms.{size}"] = _p99(each.health_ms)
        figures[f"turn.p99_ratio.{size}"] = _p99(each.turn_ms) / _p99(quiet.turn_ms)
        figures[f"served.{size}"] = each.statuses[200]
        figures[f"refused.{size}"] = each.statuses[429] + each.statuses[503]
    others = (sum(each.statuses.values()) for each in seen.values())
    known = (sum(each.statuses[status] for status in EXPECTED) for each in seen.values())
    return figures | {
        "connections.peak": max(each.connections for each in seen.values()),
        "connections.limit": limit,
        "refused_without_retry_after": sum(each.without_retry_after for each in seen.values()),
        "other_statuses": sum(others) - sum(known),
    }


def _p99(values: Sequence[float]) -> float:
    return quantiles([*values, *values], n=100, method="inclusive")[98]


def broken(figures: dict[str, float]) -> list[str]:
    """The figures that are beyond their bound."""
    bounds = {
        "health_live.p99_ms": HEALTH_MS,
        "turn.p99_ratio": TURN_RATIO,
        "recovery_seconds": RECOVERY_SECONDS,
        "connections.peak": figures["connections.limit"] + 1,
        "refused_without_retry_after": 1,
        "other_statuses": 1,
    }
    return [
        name
        for name, value in figures.items()
        if any(name.startswith(start) and value >= bound for start, bound in bounds.items())
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parallel", type=int, nargs="+", default=[200, 1_000])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--dry", action="store_true", help="write no result file")
    given = parser.parse_args()
    figures = asyncio.run(verify(given.parallel, given.seconds))
    for name, value in figures.items():
        print(f"{name:30} {value:g}")
    if not given.dry:
        print(results.write("overload", figures, {"seconds": given.seconds}))
    for name in (beyond := broken(figures)):
        print(f"beyond its bound: {name}", file=sys.stderr)
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
