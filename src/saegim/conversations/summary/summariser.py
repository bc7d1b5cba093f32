"""Summarise turns: `M_i = LLM(M_{i-1}, turns)`, then bounds and exact values by rule."""

from collections.abc import Sequence

from pydantic import BaseModel

from saegim.conversations.summary import fallback
from saegim.conversations.summary.exactness import kept_entities, without_outdated
from saegim.conversations.summary.fallback import bounded
from saegim.conversations.types import (
    Bounds,
    Exchange,
    Memory,
    SummaryRule,
    render_entities,
    tokens_of,
)
from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.text.tokens import count, cut, cut_end, delimited

# The middle of longer texts is cut for the model; rules read all of it.
TEXT_TOKENS = 2_000
ELLIPSIS = "\n[…]\n"


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
    proposed = [(entity.key, entity.value) for entity in result.value.entities]
    entities = kept_entities(memory.entities, proposed, batch, bounds.entities)
    summary = bounded(without_outdated(result.value.summary, entities), *most)
    return Memory(summary, entities), result.call


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
