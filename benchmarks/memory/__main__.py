"""`python -m benchmarks.memory [--few N] [--only locomo|copilot|korean|speed] [--shipped]`: writes
memory.json, with --few only if --keep is given.

Figures that `--only` or `--shipped` leaves out keep their values and commit. `--shipped` measures
LoCoMo with the shipped weights alone: no fits, no single signals, no budgets of tokens.
"""

import argparse
import asyncio
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime

from benchmarks import results
from benchmarks.evaluation.memory import Bench
from benchmarks.memory import assistants, locomo, speed
from benchmarks.memory.bench_stack import bench_stack
from benchmarks.page import everything, publish
from saegim.evaluation.play import StageClock

ASSISTANTS = {"copilot": assistants.measure_copilot, "korean": assistants.measure_korean}
SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000}


async def main(
    few: int | None, only: str | None, *, keep: bool = False, shipped: bool = False
) -> None:
    clock = locomo.Hands()
    figures: dict[str, float] = {}
    configuration: dict[str, object] = {}
    if only in (None, "locomo") and shipped:
        async with bench_stack(clock) as home:
            figures |= await locomo.measure_shipped(home.services, clock, home.key, few)
        configuration["embedder"] = home.services.llm.embedder.name
    elif only in (None, "locomo"):
        async with bench_stack(clock) as home:
            found, weights = await locomo.measure(home.services, clock, home.key, few)
        figures |= found
        configuration["embedder"] = home.services.llm.embedder.name
        rounded = {name: round(value, 3) for name, value in asdict(weights).items()}
        configuration["weights_of_dev_conversations"] = rounded
    for name, measure in ASSISTANTS.items():
        if only not in (None, name):
            continue
        stage = StageClock(datetime(2024, 1, 1, tzinfo=UTC))
        async with bench_stack(stage) as home:
            figures |= await measure(Bench(home.services, stage, home.key), few)
        configuration["embedder"] = home.services.llm.embedder.name
    if only in (None, "speed"):
        async with bench_stack(clock) as home:
            figures |= await speed.measure(home, SIZES if few is None else {"1k": 1_000})
        configuration["embedder"] = home.services.llm.embedder.name
        configuration["memory"] = "half records, half episodes, of one person"
    if few is None or keep:
        results.merge("memory", figures, {"measured": only or "all", **configuration})
        publish("memory", everything(results.known("memory")))
    sys.stdout.write(json.dumps({"figures": figures, **configuration}, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, help="number of conversations; writes nothing")
    parser.add_argument("--only", choices=["locomo", *ASSISTANTS, "speed"], help="only this part")
    parser.add_argument("--keep", action="store_true", help="with --few: write the figures")
    parser.add_argument("--shipped", action="store_true", help="LoCoMo: shipped weights alone")
    given = parser.parse_args()
    asyncio.run(main(given.few, given.only, keep=given.keep, shipped=given.shipped))
