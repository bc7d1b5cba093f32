"""Which way a message goes (TN1): chat, a named document, one spoken of before, or a search."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from saegim.chat import understanding
from saegim.chat.config import FALLBACK_ROUTE
from saegim.chat.message_patterns import MOST_LOOKUPS, document_ids, is_greeting
from saegim.chat.understanding import UNDERSTAND, Reading
from saegim.conversations.types import Exchange
from saegim.llm.turn_budget import Allowance
from saegim.tools.types import ToolRequest

CHAT, LOOKUP = "chat", "doc_lookup"
Source = Literal["query", "history", "selected"]
Reason = Literal["greeting", "document_id", "earlier_document", "chosen_documents", "router"]


@dataclass(frozen=True, slots=True)
class Route:
    """Where a message goes and why, with all that the way there needs.

    `lookup` holds, for each document to open, the spellings of its id to try.
    """

    name: str
    reason: Reason
    lookup: tuple[tuple[str, ...], ...] = ()
    source: Source | None = None
    standalone: str | None = None
    variants: tuple[str, ...] = ()
    prefers: tuple[str, ...] = ()
    tools: tuple[ToolRequest, ...] = field(default=())

    @property
    def searches(self) -> bool:
        return self.name != CHAT and not self.lookup


def by_rule(message: str, selected: Sequence[str], id_types: Sequence[str]) -> Route | None:
    """The ways that need no model: documents that were chosen, a greeting, a document's id."""
    if selected:
        chosen = tuple((one,) for one in selected)
        return Route(LOOKUP, "chosen_documents", chosen, "selected")
    if is_greeting(message):
        return Route(CHAT, "greeting")
    named = document_ids(message, id_types)
    if named:
        spellings = tuple((f"{kind}-{number}", number) for kind, number in named)
        return Route(LOOKUP, "document_id", spellings, "query")
    return None


async def by_reading(reading: Reading, steps: Allowance, ask: bool) -> Route:
    """The ways that reading tells: an earlier document, or one of the assistant's routes."""
    understood = understanding.twin(reading)
    if ask:
        understood = await steps.structured(
            UNDERSTAND, understanding.prompt(reading), lambda: understanding.twin(reading)
        )
    understood = understanding.sound(understood, reading)
    earlier = last_documents(reading.said) if understood.refers_to_document else ()
    if earlier:
        lookup = tuple((one,) for one in earlier)
        return Route(LOOKUP, "earlier_document", lookup, "history", understood.standalone)
    route = reading.config.route(understood.route)
    return Route(
        understood.route,
        "router",
        standalone=understood.standalone,
        variants=tuple(understood.variants),
        prefers=tuple(route.prefers) if route else (),
        tools=tuple(understanding.requests(understood)),
    )


def general(route: Route, reading: Reading) -> Route:
    """Where a search goes on when none of the documents to open is there."""
    understood = understanding.sound(understanding.twin(reading), reading)
    return Route(
        understood.route or FALLBACK_ROUTE,
        route.reason,
        source=route.source,
        standalone=route.standalone or understood.standalone,
        variants=tuple(understood.variants),
    )


def last_documents(said: Sequence[Exchange]) -> tuple[str, ...]:
    """The documents of the most recent answer that used any, best first, at most three (TN2)."""
    for turn in reversed(said):
        if turn.doc_ids:
            return turn.doc_ids[:MOST_LOOKUPS]
    return ()
