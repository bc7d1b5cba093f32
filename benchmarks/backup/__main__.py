"""Run backup, standby and point-in-time recovery at full size, and write the figures."""

import argparse
import asyncio
import sys

from benchmarks import results
from benchmarks.backup import restoring, standby
from benchmarks.page import everything, publish


async def measure(questions: int) -> dict[str, float]:
    figures = await restoring.verify(restoring.Run(questions=questions))
    return {**figures, **await standby.fail_over(standby.Run()), **await standby.point_in_time()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=restoring.Run().questions)
    asked = parser.parse_args()
    figures = asyncio.run(measure(asked.questions))
    for name, value in figures.items():
        print(f"{name:32} {value:g}")
    print(results.write("backup", figures, vars(asked)))
    publish("backup", everything(figures), results.ROOT / "docs/how-to/operations.md")
    return 0 if restoring.clean(figures) and standby.clean(figures) else 1


if __name__ == "__main__":
    sys.exit(main())
