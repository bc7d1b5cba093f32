"""Summarise turns: `M_i = LLM(M_{i-1}, turns)`, within bounds; entities must be in the turns."""

import re
from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from saegim.conversations.summary import fallback
from saegim.conversations.summary.fallback import bounded
from saegim.conversations.types import (
    Bounds,
    Entity,
    Exchange,
    Memory,
    SummaryRule,
    push_entity,
    render_entities,
    same_key,
    tidy_entity,
    tokens_of,
)
from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.text import analysis
from saegim.text.tokens import count, cut, cut_end, delimited

# The middle of longer texts is cut.
TEXT_TOKENS = 2_000
ELLIPSIS = "\n[…]\n"
# Spaces, and commas that group digits.
_SEPARATOR = re.compile(r"\s+|(?<=\d),(?=\d{3})")


class SummaryEntity(BaseModel):
    key: str
    value: str


class SummaryForm(BaseModel):
    summary: str
    entities: list[SummaryEntity] = []


SUMMARISE = StructuredStep(
    "summarise", ModelRole.SUMMARIZER, StepPath.BACKGROUND, SummaryForm, max_output_tokens=4_000
)


def next_batch(turns: Sequence[Exchange], rule: SummaryRule) -> tuple[Exchange, ...]:
    """Return the oldest turns to summarise in one call; none if no summary is due.

    Depends on the turns alone, so a late or interrupted job makes the same calls.
    """
    sizes = [tokens_of(turn) for turn in turns]
    for arrived in range(1, len(turns) + 1):
        if not rule.due(arrived, sum(sizes[:arrived])):
            continue
        if arrived >= rule.turns:
            return tuple(turns[: rule.batch])
        enough = 1
        while enough < arrived and sum(sizes[enough:arrived]) > rule.tokens:
            enough += 1
        return tuple(turns[: min(enough, rule.batch)])
    return ()


async def summarise(
    steps: Steps,
    memory: Memory,
    batch: Sequence[Exchange],
    bounds: Bounds = Bounds(),  # noqa: B008 - frozen
) -> tuple[Memory, ModelCall]:
    """Add the batch to the memory. Raises ModelUnavailable if a configured model fails."""
    most = (bounds.sentences, bounds.tokens)

    def by_rule() -> SummaryForm:
        return SummaryForm(summary=fallback.summarise(memory.summary, batch, *most))

    prompt = summary_prompt(memory, batch, bounds)
    result = await steps.structured(SUMMARISE, prompt, by_rule, None)
    if result.call.source is CallSource.MODEL and not result.value.summary.strip():
        raise ModelUnavailable("the summary is empty")
    entities = kept_entities(memory.entities, result.value.entities, batch, bounds.entities)
    return Memory(bounded(result.value.summary, *most), entities), result.call


def kept_entities(
    before: Sequence[Entity],
    proposed: Iterable[SummaryEntity],
    batch: Sequence[Exchange],
    most: int,
) -> tuple[Entity, ...]:
    """Return the entities after a summary: those of the model that a turn says, and the earlier
    ones that it neither changed nor dropped."""
    new: list[Entity] = []
    dropped: set[str] = set()
    for each in proposed:
        if not each.value.strip():
            dropped.add(same_key(each.key))
        numbers = [
            turn.number for turn in batch if says(f"{turn.message}\n{turn.reply}", each.value)
        ]
        entity = tidy_entity(each.key, each.value, max(numbers)) if numbers else None
        new += [entity] if entity is not None else []
    kept = [entity for entity in before if same_key(entity.key) not in dropped]
    return push_entity(kept, new, most)


def says(text: str, value: str) -> bool:
    """Return whether a text contains a value: whole, ignoring case and separators, or all its
    words if it has no digit."""
    wanted, within = _squeezed(value), _squeezed(text)
    start = within.find(wanted) if wanted else -1
    while start >= 0:
        if _is_whole(within, start, start + len(wanted)):
            return True
        start = within.find(wanted, start + 1)
    terms = set(analysis.terms(value))
    has_digit = any(map(str.isdigit, value))
    return bool(terms) and not has_digit and terms <= set(analysis.terms(text))


def _squeezed(text: str) -> str:
    return _SEPARATOR.sub("", analysis.fold(text))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether the span is not part of a longer number."""
    if text[start].isdigit() and re.search(r"\d[.,]?$", text[:start]):
        return False
    return not (text[end - 1].isdigit() and re.match(r"[.,]?\d", text[end:]))


def summary_prompt(
    memory: Memory,
    batch: Sequence[Exchange],
    bounds: Bounds = Bounds(),  # noqa: B008 - frozen
) -> StepPrompt:
    turns = "\n\n".join(_rendered(turn) for turn in batch)
    data = "\n\n".join(
        [
            delimited("summary", memory.summary),
            delimited("entities", render_entities(memory.entities)),
            delimited("turns", turns),
        ]
    )
    return load("saegim.conversations.summary", "summarise").step(
        (Message("user", data),), sentences=str(bounds.sentences), tokens=str(bounds.tokens)
    )


def _rendered(turn: Exchange) -> str:
    reply = "" if turn.by_rule else _without_middle(turn.reply)
    return f"[{turn.number}] user: {_without_middle(turn.message)}\nassistant: {reply}".rstrip()


def _without_middle(text: str) -> str:
    if count(text) <= TEXT_TOKENS:
        return text
    half = TEXT_TOKENS // 2
    return cut(text, half).rstrip() + ELLIPSIS + cut_end(text, half).lstrip()
