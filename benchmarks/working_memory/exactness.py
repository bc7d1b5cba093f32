"""Count the planted values that remain after many summaries, with any summarizer."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.doubles.models import RecordedRequest, ScriptedModels
from benchmarks.planted_conversations import planted
from saegim.conversations.summary.exactness import says
from saegim.conversations.summary.summariser import SummaryForm, summarise
from saegim.conversations.types import MOST_ENTITIES, Exchange, Memory, render_entities, same_key
from saegim.domain.scope import Locale
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps

NOW = datetime(2026, 11, 15, tzinfo=UTC)
FOLDS = 40
BATCH = 5
SEEDS = 5
# Natural sentences with one value each; `set` 2 was written and measured
# after the rules were developed with `set` 1.
NATURAL = Path(__file__).parent / "natural.jsonl"
AT_ONCE = 20
TALK_BETWEEN = 100


def forgetful(_: RecordedRequest) -> SummaryForm:
    """A summarizer that keeps no number and no name."""
    return SummaryForm(summary="이런저런 이야기를 나누었다.")


async def measure(seeds: int = SEEDS) -> tuple[dict[str, float], bool]:
    figures: dict[str, float] = {}
    for locale in ("ko", "en"):
        kept = [await _latest_kept(locale, seed) for seed in range(seeds)]
        figures[f"exact.{locale}.latest_25_kept"] = round(sum(kept) / seeds, 4)
    complete = all(value == 1.0 for value in figures.values())
    for name, summarizer in {"forgetful": forgetful, "twin": None}.items():
        for number in (1, 2):
            found = await _natural_kept(number, summarizer)
            figures[f"natural_{number}.{name}.kept"] = round(found, 4)
    return figures, complete


async def _latest_kept(locale: Locale, seed: int) -> float:
    """Returns the share of the 25 latest keyed values that are exact after forty summaries."""
    talk = planted(FOLDS * BATCH, locale, seed)
    memory = await _fold(list(talk.turns), forgetful)
    kept = {same_key(entity.key): entity.value for entity in memory.entities}
    latest = talk.latest(MOST_ENTITIES)
    return sum(kept.get(same_key(key)) == value for key, value in latest.items()) / len(latest)


async def _natural_kept(
    number: int, summarizer: Callable[[RecordedRequest], SummaryForm] | None
) -> float:
    """Sends twenty such sentences at a time, then a hundred unrelated turns."""
    rows = [json.loads(line) for line in NATURAL.read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["set"] == number]
    found = 0
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        turns = [(row["said"], "네, 알겠습니다.") for row in some]
        turns += [("그렇구나, 조금 더 이야기해줘.", "네, 이어서 말씀드리겠습니다.")] * TALK_BETWEEN
        memory = await _fold(turns, summarizer)
        text = f"{memory.summary}\n{render_entities(memory.entities)}"
        found += sum(says(text, row["value"]) for row in some)
    return found / len(rows)


async def _fold(
    turns: list[tuple[str, str]], summarizer: Callable[[RecordedRequest], SummaryForm] | None
) -> Memory:
    scripts = {} if summarizer is None else {ModelRole.SUMMARIZER: summarizer}
    steps = Steps(ScriptedModels(scripts))
    said = [Exchange(number, *pair, NOW) for number, pair in enumerate(turns, 1)]
    memory = Memory()
    for start in range(0, len(said), BATCH):
        memory, _ = await summarise(steps, memory, said[start : start + BATCH])
    return memory
