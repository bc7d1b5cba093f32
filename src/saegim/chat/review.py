"""The review of a search that rules are unsure of: one model call reads the message in its
conversation, judges what was found and says what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from saegim.chat.types import AssistantConfig, RouteConfig, summarise
from saegim.conversations.types import Entity, Exchange, render_entities
from saegim.library.types import FoundPassage
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.research.loop import Assessment, passage_blocks
from saegim.research.types import Findings
from saegim.text.analysis import fold
from saegim.text.tokens import delimited

Doubt = Literal["unsure", "risky"]
MOST_STANDALONE = 4_000


@dataclass(frozen=True, slots=True)
class ConversationReading:
    """A message with what a search or a review reads of its conversation."""

    message: str
    said: tuple[Exchange, ...]
    config: AssistantConfig
    summary: str = ""
    entities: tuple[Entity, ...] = ()


class SearchReview(Assessment):
    """How a model reads a message, and what it thinks of the passages found for it."""

    standalone: str | None = Field(default=None, max_length=MOST_STANDALONE)
    refers_to_document: bool = False
    route: str | None = Field(default=None, max_length=100)


REVIEW = StructuredStep("review", ModelRole.ASSESSOR, StepPath.REPLY, SearchReview, 600)


@dataclass(frozen=True, slots=True)
class SearchSignals:
    """What tells by rule whether an answer can start at once."""

    findings: Findings
    has_tools: bool
    is_known: bool
    """Whether memory or the conversation answers the message."""


def doubts(message: str, found: SearchSignals, config: AssistantConfig) -> tuple[Doubt, ...]:
    """Return why the answer should not start before a review; empty if it should.

    The threshold is calibrated (docs/concepts/turn.md). Messages that depend on the conversation
    have no other: they are searched with the message before, and their confidence tells as much.
    """
    findings = found.findings
    if not (findings.consulted or found.has_tools):
        return ()
    reasons: list[Doubt] = []
    if findings.confidence < config.thresholds.review and not found.is_known:
        reasons.append("unsure")
    if is_high_risk(message, config):
        reasons.append("risky")
    return tuple(reasons)


def is_high_risk(message: str, config: AssistantConfig) -> bool:
    """Return whether the message is about a subject on which a wrong answer does harm."""
    folded = fold(message)
    return any(fold(word) in folded for word in config.high_risk)


def prompt(reading: ConversationReading, pool: Sequence[FoundPassage]) -> StepPrompt:
    """Return the prompt: the state of the conversation, with shortened answers, the message, and
    the first passages."""
    state = {
        "summary": reading.summary,
        "entities": render_entities(reading.entities),
        "conversation": "\n".join(map(_exchange, reading.said)),
    }
    blocks = [delimited(name, text) for name, text in state.items() if text]
    blocks += [delimited("message", reading.message), *passage_blocks(pool)]
    return load("saegim.chat", "review").step(
        (Message("user", "\n\n".join(blocks)),),
        routes="\n".join(map(_route, reading.config.routes)),
    )


def by_rule(found: Findings) -> SearchReview:
    """Return the review that keeps the findings as they are."""
    numbers = {each.passage.id: number for number, each in enumerate(found.considered)}
    return SearchReview(
        ranked_indices=[numbers[each.passage.id] for each in found.ranked],
        is_sufficient=found.is_sufficient,
        missing=list(found.missing),
        confidence=found.confidence,
    )


def _exchange(turn: Exchange) -> str:
    used = f"\nreferences: {', '.join(turn.refs)}" if turn.refs else ""
    return f"user: {turn.message}\nassistant: {summarise(turn.reply)}{used}"


def _route(route: RouteConfig) -> str:
    hint = f" Queries: {route.query_prompt}" if route.query_prompt else ""
    return f"  - {route.name}: {route.about}{hint}"
