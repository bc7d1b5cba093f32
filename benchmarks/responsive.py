"""Measure `/health/live` while chats stream and documents are imported.

A real API and real workers with default settings, over HTTP. Clients ask and read their answers
word by word while another client sends documents, until all are sent. A separate process polls
`/health/live`, which shows when the API's event loop is blocked. `make verify-responsive` runs it
at full size; a test runs a small one.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks import clients, results
from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from benchmarks.page import everything, publish
from benchmarks.readers import UNDER_WAY, Run
from benchmarks.stack import LiveStack, usual

CEILING_MS = 200.0
WORD_SECONDS = 0.05
ANSWER = "예약 인스턴스를 쓰면 비용이 줄어듭니다. " * 40
PROBE_SECONDS = 5.0
PASSAGES = b"select count(*) from saegim.passage"


async def measure(run: Run, stack: LiveStack, key: str) -> dict[str, float]:
    """Probes from the time when all clients are active until the documents are sent."""
    options = (f"--{name}={value}" for name, value in vars(run).items())
    load = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.readers", stack.url, key, *options,
        cwd=results.ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert load.stdout is not None, "it is a pipe"
    if await load.stdout.readline() != UNDER_WAY:
        raise RuntimeError("the clients did not start in time")
    took: list[float] = []
    ended = asyncio.create_task(load.communicate())
    while not ended.done():
        probe = await clients.start(
            "health", stack.url, "", seconds=min(PROBE_SECONDS, run.seconds)
        )
        took += (await clients.told(probe))["took_ms"]
    passages = await asyncio.to_thread(stack.count, PASSAGES)
    return {
        "health_live.p50_ms": _at(took, 50),
        "health_live.p99_ms": _at(took, 99),
        "health_live.max_ms": max(took),
        "health_live.probes": float(len(took)),
        **json.loads((await ended)[0]),
        "ingest.passages": float(passages),
    }


def _at(values: Sequence[float], percent: int) -> float:
    return quantiles(sorted(values), n=100, method="inclusive")[percent - 1]


async def verify(
    run: Run, workers: int = 2, settings: Mapping[str, str] | None = None
) -> dict[str, float]:
    """Runs once in its own folder, with additional settings, and returns the figures."""
    with TemporaryDirectory(prefix="saegim-responsive-") as folder:
        async with (
            BrokenProvider(ProviderMode.SLOW, ANSWER, word_seconds=WORD_SECONDS) as model,
            LiveStack.start(
                Path(folder), model.base_url, workers, {**usual(), **(settings or {})}
            ) as stack,
        ):
            return await measure(run, stack, await stack.new_tenant("tenant"))


def beyond(figures: Mapping[str, float], run: Run) -> list[str]:
    """Returns the figures that exceed their bound."""
    wrong = {
        "health_live.p99_ms": figures["health_live.p99_ms"] >= CEILING_MS,
        "streams": figures["streams"] < run.streams,
        "stream.failures": figures["stream.failures"] > 0,
        "ingest.megabytes": figures["ingest.megabytes"] < run.megabytes,
    }
    return [name for name, holds in wrong.items() if holds]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in vars(Run()).items():
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    run = Run(given.streams, given.megabytes, given.seconds, given.patience)
    figures = asyncio.run(verify(run))
    for name, value in figures.items():
        print(f"{name:22} {value:g}")
    print(results.write("responsive", figures, vars(run)))
    publish("responsive", everything(figures))
    for name in (failed := beyond(figures, run)):
        print(f"exceeds its bound: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
