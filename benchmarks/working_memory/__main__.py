"""Verify working memory, and write the figures and the chart of the documentation.

`make verify-working-memory` runs all of it; exit code 1 if a check fails.
"""

import argparse
import asyncio
import sys

from benchmarks import results
from benchmarks.working_memory import chart, exactness, kills, reply_time, thousand
from benchmarks.working_memory.bench_stack import stores

CHART = results.ROOT / "docs" / "images" / "working-memory.svg"
# Maximum ratio of reply times with slow and fast summaries.
MOST_SLOWER = 1.3


async def show(turns: int, number_of_kills: int) -> tuple[dict[str, float], list[str]]:
    """Returns the figures, and the failed checks."""
    broken: list[str] = []
    figures, complete = await exactness.measure()
    if not complete:
        broken.append("a keyed value was lost or invented")
    async with stores() as at:
        long = await thousand.measure(at, turns)
        figures |= long.figures
        if not long.within:
            broken.append("a budget was exceeded")
        if not long.cheap:
            broken.append("an old session is dear to open")
    async with stores() as at:
        figures |= await reply_time.measure(at)
        if figures["reply.ratio"] > MOST_SLOWER:
            broken.append("a slow summarizer changes reply time")
    async with stores() as at:
        killed = await kills.verify(at, number_of_kills)
    figures |= {
        "killed.kills": float(killed.kills),
        "killed.folds": float(killed.folds),
        "killed.equal_state": float(killed.equal),
    }
    if not killed.equal:
        broken.append("a killed worker left another state")
    if turns == thousand.MARKS[-1]:
        CHART.write_text(chart.draw(long.sizes), "utf-8")
    return figures, broken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=thousand.MARKS[-1])
    parser.add_argument("--kills", type=int, default=30)
    options = parser.parse_args()
    figures, broken = asyncio.run(show(options.turns, options.kills))
    for name, value in figures.items():
        print(f"{name:38} {value:g}")
    print(results.write("working_memory", figures, vars(options)))
    for promise in broken:
        print(f"failed: {promise}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
