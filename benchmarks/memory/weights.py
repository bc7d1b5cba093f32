"""`python -m benchmarks.memory.weights [--few N]`: fit the weights of a turn's signals to the dev
halves of LoCoMo, the copilot set and the Korean set; writes nothing.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from benchmarks.evaluation.people import Recorder
from benchmarks.memory import assistants, locomo
from benchmarks.memory.bench_stack import bench_stack
from benchmarks.memory.fitting import Lesson, fit
from saegim.evaluation.play import StageClock
from saegim.memory.recall.scoring import EpisodeWeights


async def of_locomo(few: int | None) -> list[Lesson]:
    """Returns the questions of the dev conversations of LoCoMo."""
    clock, kept = locomo.Hands(), locomo.held_out()
    told = [each for each in locomo.conversations() if each.name not in kept][:few]
    found: list[Lesson] = []
    async with bench_stack(clock) as home:
        for conversation in told:
            recorded = await locomo.record(home.services, clock, home.key, conversation)
            found += await locomo.lessons(home.services, recorded)
    return found


async def of_assistants(name: assistants.SetName, few: int | None) -> list[Lesson]:
    """Returns the questions with an answer of the dev half of a set."""
    stage = StageClock(datetime(2024, 1, 1, tzinfo=UTC))
    found: list[Lesson] = []
    async with bench_stack(stage) as home:
        recorder = Recorder(home.services, stage, home.key)
        told = [
            each for each in assistants.conversations(name) if each.get("split", "dev") == "dev"
        ]
        for conversation in told[:few]:
            person = (await recorder.record(conversation, conversation["person"]["id"])).person
            asked = [
                _asked(each)
                for each in conversation["questions"]
                if assistants.split_of(conversation, each) == "dev"
                and each["evidence"]
                and each["class"] != "deletion"
            ]
            recorded = locomo.Recorded(person.caller, dict(person.names), person.now, asked)
            lessons = await locomo.lessons(home.services, recorded)
            found += [replace(each, source=name) for each in lessons]
    return found


def _asked(asked: Mapping[str, Any]) -> locomo.Asked:
    evidence = frozenset(asked["evidence"])
    return locomo.Asked(asked["id"], asked["question"], asked["class"], evidence)


async def main(few: int | None) -> None:
    lessons = [
        *await of_locomo(few),
        *await of_assistants("copilot", few),
        *await of_assistants("korean", few),
    ]
    weights = fit(lessons, near=EpisodeWeights())
    print(json.dumps({name: round(value, 2) for name, value in asdict(weights).items()}, indent=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, help="number of conversations of each set")
    asyncio.run(main(parser.parse_args().few))
