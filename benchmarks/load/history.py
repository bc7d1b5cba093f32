"""Measure a turn by the length of the user's history: 10 to 10,000 turns."""

import random
from collections.abc import Callable
from functools import partial
from statistics import median

from benchmarks.load.driving import Driver
from benchmarks.memory.speed import TEMPLATES, Past, live_through, vocabulary
from saegim.app.container import Services
from saegim.auth.types import ActAs

TURNS = (10, 100, 1_000, 10_000)
# About three of ten turns leave a record.
RECORDS_PER_TURN = 0.3
BEFORE, ASKED = 6, 10


def said(word: Callable[[int, int], str], number: int) -> str:
    """Returns a unique message of typical length, so that none is a near-duplicate of another."""
    words = word(number % TEMPLATES, number).split()
    return f"{' '.join(words[:12])}에 대해 {words[-1]}번째로 정한 것: {' '.join(words[12:20])}."


async def measure(services: Services, admin_url: str, driver: Driver, key: str) -> dict[str, float]:
    """Returns prompt tokens, recall time and turn time by the length of the history."""
    figures: dict[str, float] = {}
    word = vocabulary()
    for turns in TURNS:
        name = f"history-{turns}"
        caller = await services.auth.authentication.authenticate(key, ActAs(name))
        past = Past(round(turns * RECORDS_PER_TURN), turns, partial(said, word))
        await live_through(services, admin_url, caller, past)
        chance = random.Random(turns)
        tokens, recall, own = list[int](), list[float](), list[float]()
        found = list[int]()
        for number in range(BEFORE + ASKED):
            words = word(chance.randrange(TEMPLATES), number).split()
            question = " ".join([*chance.sample(words, 5), "비용은 어떻게 정했지?"])
            answered = await driver.say(name, question)
            trace = await driver.trace(name, answered.turn)
            if number < BEFORE:
                continue
            tokens.append(trace["context"]["tokens"])
            found.append(
                sum(
                    item["kind"] in ("memory", "turn") and item["fate"] == "injected"
                    for item in trace["items"]
                )
            )
            spans = {span["name"]: span["took_ms"] for span in trace["spans"]}
            recall.append(spans["recall"])
            thinking = sum(call["seconds"] for call in trace["calls"])
            own.append(answered.seconds * 1000 - thinking * 1000)
        figures |= {
            f"history.prompt_tokens.{turns}": float(median(tokens)),
            f"history.recall_ms.{turns}": round(median(recall), 1),
            f"history.own_ms.{turns}": round(median(own), 1),
            f"history.recalled.{turns}": float(median(found)),
        }
        print({name: value for name, value in figures.items() if name.endswith(f".{turns}")})
    return figures
