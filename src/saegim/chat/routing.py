"""Which way a message goes: chat, a named document, one spoken of before, or a search; and the
hints that its words give a search."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from saegim.chat import understanding
from saegim.chat.types import FALLBACK_ROUTE, AssistantConfig
from saegim.chat.understanding import (
    MOST_LOOKUPS,
    UNDERSTAND,
    UnderstandingInput,
    document_ids,
    is_greeting,
)
from saegim.conversations.types import Exchange
from saegim.library.rows import Vocabulary
from saegim.llm.steps import TurnModelBudget
from saegim.research.types import Hints
from saegim.text.analysis import fold
from saegim.tools.types import ToolRequest

CHAT, LOOKUP = "chat", "doc_lookup"
Source = Literal["query", "history", "selected"]
Reason = Literal["greeting", "document_id", "earlier_document", "chosen_documents", "router"]


@dataclass(frozen=True, slots=True)
class TurnRoute:
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


def by_rule(message: str, selected: Sequence[str], id_types: Sequence[str]) -> TurnRoute | None:
    """The ways that need no model: documents that were chosen, a greeting, a document's id."""
    if selected:
        chosen = tuple((one,) for one in selected)
        return TurnRoute(LOOKUP, "chosen_documents", chosen, "selected")
    if is_greeting(message):
        return TurnRoute(CHAT, "greeting")
    named = document_ids(message, id_types)
    if named:
        spellings = tuple((f"{kind}-{number}", number) for kind, number in named)
        return TurnRoute(LOOKUP, "document_id", spellings, "query")
    return None


async def by_reading(reading: UnderstandingInput, steps: TurnModelBudget, ask: bool) -> TurnRoute:
    """The ways that reading tells: an earlier document, or one of the assistant's routes."""
    understood = understanding.fallback(reading)
    if ask:
        understood = await steps.structured(
            UNDERSTAND, understanding.prompt(reading), lambda: understanding.fallback(reading)
        )
    understood = understanding.validated(understood, reading)
    earlier = last_documents(reading.said) if understood.refers_to_document else ()
    if earlier:
        lookup = tuple((one,) for one in earlier)
        return TurnRoute(LOOKUP, "earlier_document", lookup, "history", understood.standalone)
    route = reading.config.route(understood.route)
    return TurnRoute(
        understood.route,
        "router",
        standalone=understood.standalone,
        variants=tuple(understood.variants),
        prefers=tuple(route.prefers) if route else (),
        tools=tuple(understanding.requests(understood)),
    )


def general(route: TurnRoute, reading: UnderstandingInput) -> TurnRoute:
    """Where a search goes on when none of the documents to open is there."""
    understood = understanding.validated(understanding.fallback(reading), reading)
    return TurnRoute(
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


LONGEST_NAME_WORDS = 5
KEYS = ("equipment", "module", "doc_type")
_PARTICLE = re.compile(
    r"(?<=[a-z0-9])(?:에서|에는|으로|이랑|은|는|이|가|을|를|의|에|로|와|과|도|만|랑)$"
)
_MODULE = re.compile(r"모듈|챔버|유닛|module|chamber|unit")


def hints_in(message: str, vocabulary: Vocabulary, config: AssistantConfig) -> Hints:
    """What of the library's tags stands in a message; the longest name is the equipment."""
    words = [_PARTICLE.sub("", word) for word in re.findall(r"[\w.+-]+", fold(message))]
    found = _names(words, vocabulary.names)
    module = next((name for name in found if _is_module(name, words)), None)
    equipment = next((name for name in found if name != module), None)
    return Hints(equipment, module, _doc_type(words, fold(message), vocabulary, config))


def carry_over(found: Hints, before: Sequence[Hints]) -> Hints:
    """What a message says, else what the last message before it that said it did."""
    values: dict[str, str | None] = {key: getattr(found, key) for key in KEYS}
    for earlier in reversed(before):
        for key in KEYS:
            values[key] = values[key] or getattr(earlier, key)
    return Hints(**values)


def from_entities(entities: Mapping[str, str]) -> Hints:
    """What a client kept for us, by the same keys."""
    return Hints(**{key: entities.get(key) for key in KEYS})


def _names(words: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Names in the message, the longest first; none inside another."""
    found: list[str] = []
    taken: set[int] = set()
    for length in range(min(LONGEST_NAME_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            span = set(range(start, start + length))
            name = names.get(" ".join(words[start : start + length]))
            if name is not None and not span & taken:
                taken |= span
                found.append(name)
    return found


def _is_module(name: str, words: Sequence[str]) -> bool:
    """Whether the name is called a module, in itself or by the word beside it."""
    text, folded = " ".join(words), fold(name)
    beside = (
        rf"(?:{_MODULE.pattern})\s{re.escape(folded)}|{re.escape(folded)}\s(?:{_MODULE.pattern})"
    )
    return _MODULE.search(folded) is not None or re.search(beside, text) is not None


def _doc_type(
    words: Sequence[str], message: str, vocabulary: Vocabulary, config: AssistantConfig
) -> str | None:
    """A type that the library has, by its own name or by what people call it."""
    for kind in sorted(vocabulary.types, key=lambda kind: (-len(kind), kind)):
        if fold(kind) in words:
            return kind
        if any(fold(alias) in message for alias in config.document_types.get(kind, ())):
            return kind
    return None
