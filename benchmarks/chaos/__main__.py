"""Run the chaos test at full size, and write the figures of `docs/reference/chaos.md`."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from statistics import median

from benchmarks import results
from benchmarks.chaos.faults import Pace
from benchmarks.chaos.run import Outcome, Run, verify
from benchmarks.page import everything, publish, table

PAGE = results.ROOT / "docs" / "reference" / "chaos.md"


def rows(outcome: Outcome) -> list[tuple[str, ...]]:
    """Returns one row per kind of fault: count, and times until served and caught up."""
    return [
        (
            f"`{kind}`",
            str(len(each.serves) + each.never),
            f"{median(each.serves):.1f}",
            f"{max(each.serves):.1f}",
            f"{max(each.caught_up):.1f}",
        )
        for kind, each in sorted(outcome.recoveries.items())
        if each.serves
    ]


async def _stoppable(run: Run, keep_logs: Path | None) -> Outcome:
    """Cleans up mounts, networks and processes on SIGTERM."""
    task = asyncio.create_task(verify(run, keep_logs))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def main() -> int:
    usual = Run()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=usual.seconds)
    parser.add_argument("--people", type=int, default=usual.people)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--keep-logs", type=Path, default=None)
    asked = parser.parse_args()
    run = Run(asked.seconds, asked.people, asked.seed, pace=Pace())
    outcome = asyncio.run(_stoppable(run, asked.keep_logs))
    for name, value in outcome.figures.items():
        print(f"{name:40} {value:g}")
    configuration = {
        "seconds": run.seconds,
        "people": run.people,
        "seed": run.seed,
        "left_out": outcome.left_out,
    }
    print(results.write("chaos", outcome.figures, configuration))
    head = ("fault", "times", "median s", "longest s", "caught up, longest s")
    counts = {name: value for name, value in outcome.figures.items() if "serves_after" not in name}
    publish("chaos-counts", everything(counts), PAGE)
    publish("chaos", table(head, rows(outcome), "<>>>>"), PAGE)
    return 0 if outcome.clean else 1


if __name__ == "__main__":
    sys.exit(main())
