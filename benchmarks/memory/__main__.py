"""`python -m benchmarks.memory [--few N] [--only locomo|speed]`: writes memory.json, except with
--few.

Figures that `--only` leaves out keep their values and commit.
"""

import argparse
import asyncio
import json
import sys
from dataclasses import asdict

from benchmarks import results
from benchmarks.memory import locomo, speed
from benchmarks.memory.bench_stack import bench_stack
from benchmarks.page import everything, publish

SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000}


async def main(few: int | None, only: str | None) -> None:
    clock = locomo.Hands()
    figures: dict[str, float] = {}
    configuration: dict[str, object] = {}
    if only != "speed":
        async with bench_stack(clock) as home:
            found, weights = await locomo.measure(home.services, clock, home.key, few)
        figures |= found
        configuration["embedder"] = home.services.llm.embedder.name
        rounded = {name: round(value, 3) for name, value in asdict(weights).items()}
        configuration["weights_of_dev_conversations"] = rounded
    if only != "locomo":
        async with bench_stack(clock) as home:
            figures |= await speed.measure(home, SIZES if few is None else {"1k": 1_000})
        configuration["embedder"] = home.services.llm.embedder.name
        configuration["memory"] = "half records, half episodes, of one person"
    if few is None:
        results.merge("memory", figures, {"measured": only or "all", **configuration})
        publish("memory", everything(results.known("memory")))
    sys.stdout.write(json.dumps({"figures": figures, **configuration}, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, help="number of conversations; writes nothing")
    parser.add_argument("--only", choices=["locomo", "speed"], help="only this part")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.few, arguments.only))
