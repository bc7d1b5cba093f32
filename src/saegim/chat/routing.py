"""Routes a message to chat, a document look-up or a search, and extracts search hints."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from saegim.chat.review import ConversationReading, SearchReview
from saegim.chat.types import FALLBACK_ROUTE, AssistantConfig, RouteConfig
from saegim.conversations.types import Exchange
from saegim.library.rows import Vocabulary
from saegim.research.loop import in_thread
from saegim.research.types import Hints
from saegim.text.analysis import fold, language

CHAT, LOOKUP = "chat", "doc_lookup"
Source = Literal["query", "history", "selected"]
Reason = Literal["intent", "document_id", "earlier_document", "chosen_documents", "router"]


MOST_LOOKUPS = 3

# A number before a counter is not a document number: "SOP 3단계" is about its third step.
_COUNTER = (
    r"(?:단계|번째|가지|개|건|차|장|쪽|페이지|명|분|초|시간|시|일|월|년|주|배|회|번\s?(?:씩|정도|더|만)|원|달러"
    r"|steps?\b|pages?\b|times?\b|items?\b|days?\b|hours?\b|minutes?\b|st\b|nd\b|rd\b|th\b|%)"
)


@dataclass(frozen=True, slots=True)
class TurnRoute:
    """The route of a message and its search queries.

    `lookup` holds, for each document to open, the spellings of its id to try.
    """

    name: str
    reason: Reason
    lookup: tuple[tuple[str, ...], ...] = ()
    source: Source | None = None
    standalone: str | None = None
    variants: tuple[str, ...] = ()
    prefers: tuple[str, ...] = ()

    @property
    def searches(self) -> bool:
        return self.name != CHAT and not self.lookup


@dataclass(frozen=True, slots=True)
class ChosenDocuments:
    """Documents chosen for a message, and those attached before it in the conversation."""

    now: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def _id_pattern(types: tuple[str, ...]) -> re.Pattern[str] | None:
    if not types:
        return None
    names = "|".join(re.escape(fold(name)) for name in sorted(types, key=len, reverse=True))
    return re.compile(
        rf"(?<![a-z0-9_-])(?P<type>{names})[\s_-]{{0,3}}(?P<number>\d{{1,12}})"
        rf"(?![\d_a-z]|[.,-]\d|\s?{_COUNTER})"
    )


def document_ids(message: str, types: Sequence[str]) -> list[tuple[str, str]]:
    """Return type and number of up to three documents that a message names, in order."""
    pattern = _id_pattern(tuple(types))
    if pattern is None:
        return []
    matches = pattern.finditer(fold(message))
    return list(dict.fromkeys((each["type"], each["number"]) for each in matches))[:MOST_LOOKUPS]


def by_rule(
    message: str, chosen: ChosenDocuments, id_types: Sequence[str], *, searches: bool = True
) -> TurnRoute | None:
    """Route by what the message names: chosen documents, a document id; else None.

    `searches`: without a model, whether this kind of message is searched for at all.
    """
    if chosen.now:
        return _look_up(*chosen.now, *chosen.before)
    identifiers = document_ids(message, id_types)
    if identifiers:
        spellings = tuple((f"{kind}-{number}", number) for kind, number in identifiers)
        return TurnRoute(LOOKUP, "document_id", spellings, "query")
    if not searches:
        return TurnRoute(CHAT, "intent")
    return _look_up(*chosen.before) if chosen.before else None


def _look_up(*documents: str) -> TurnRoute:
    lookup = tuple((document,) for document in dict.fromkeys(documents))
    return TurnRoute(LOOKUP, "chosen_documents", lookup, "selected")


# A shorter message may go on from the one before it.
FEW_WORDS = 6
MOST_VARIANTS = 2
_LONGEST_VARIANT = 1_000


def plain(reading: ConversationReading) -> TurnRoute:
    """Return a search for the message, on the route of its words, and for a short one together
    with the one before it."""
    messages = [turn.message for turn in reading.said]
    is_short = len(reading.message.split()) < FEW_WORDS
    standalone = in_thread(reading.message, messages) if is_short else None
    route = route_by_words(reading.message, reading.config)
    forms = route.query_forms if language(reading.message) == "ko" and not standalone else []
    variants = (form.replace("{message}", reading.message)[:_LONGEST_VARIANT] for form in forms)
    return TurnRoute(
        route.name,
        "router",
        standalone=standalone,
        variants=tuple(text for text in variants if text.strip())[:MOST_VARIANTS],
        prefers=_preferred(reading.config, route.name),
    )


def route_by_words(message: str, config: AssistantConfig) -> RouteConfig:
    """Return the first route with a word of the message, else the general one."""
    folded = fold(message)
    for route in config.routes:
        if any(fold(word) in folded for word in route.words):
            return route
    return config.route(FALLBACK_ROUTE) or RouteConfig(name=FALLBACK_ROUTE, about="")


def by_review(route: TurnRoute, review: SearchReview, reading: ConversationReading) -> TurnRoute:
    """Return the route as a model read the message, which it may complete."""
    standalone = review.standalone or route.standalone
    if review.refers_to_document and (earlier := to_earlier(reading, standalone)):
        return earlier
    known = reading.config.route(review.route or "")
    name = known.name if known else route.name
    return replace(
        route,
        name=name,
        standalone=standalone,
        prefers=_preferred(reading.config, name),
    )


def to_earlier(reading: ConversationReading, standalone: str | None) -> TurnRoute | None:
    """Return a look-up of the documents of the latest answer that used any."""
    earlier = last_documents(reading.said)
    if not earlier:
        return None
    lookup = tuple((document,) for document in earlier)
    return TurnRoute(LOOKUP, "earlier_document", lookup, "history", standalone)


def _preferred(config: AssistantConfig, name: str) -> tuple[str, ...]:
    route = config.route(name)
    return tuple(route.prefers) if route else ()


def general(route: TurnRoute, reading: ConversationReading) -> TurnRoute:
    """Return the search route for a look-up that found no document."""
    search = plain(reading)
    standalone = route.standalone or search.standalone
    return replace(search, reason=route.reason, source=route.source, standalone=standalone)


def last_documents(turns: Sequence[Exchange]) -> tuple[str, ...]:
    """Return up to three documents of the latest answer that used any, best first."""
    return next((turn.doc_ids[:MOST_LOOKUPS] for turn in reversed(turns) if turn.doc_ids), ())


LONGEST_NAME_WORDS = 5
KEYS = ("equipment", "module", "doc_type")
_PARTICLE = re.compile(
    r"(?<=[a-z0-9])(?:에서|에는|으로|이랑|은|는|이|가|을|를|의|에|로|와|과|도|만|랑)$"
)
_MODULE = re.compile(r"모듈|챔버|유닛|module|chamber|unit")


def hints_in(message: str, vocabulary: Vocabulary, config: AssistantConfig) -> Hints:
    """Find the library's tags in a message; the longest name is the equipment."""
    words = [_PARTICLE.sub("", word) for word in re.findall(r"[\w.+-]+", fold(message))]
    names = _names(words, vocabulary.names)
    module = next((name for name in names if _is_module(name, words)), None)
    equipment = next((name for name in names if name != module), None)
    return Hints(equipment, module, _doc_type(words, fold(message), vocabulary, config))


def carry_over(current: Hints, before: Sequence[Hints]) -> Hints:
    """Fill missing hints from the latest earlier message that has them."""
    values: dict[str, str | None] = {key: getattr(current, key) for key in KEYS}
    for earlier in reversed(before):
        for key in KEYS:
            values[key] = values[key] or getattr(earlier, key)
    return Hints(**values)


def from_entities(entities: Mapping[str, str]) -> Hints:
    """Return the hints that a client sent as entities."""
    return Hints(**{key: entities.get(key) for key in KEYS})


def _names(words: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Return the names in the message, longest first, without overlaps."""
    matches: list[str] = []
    taken: set[int] = set()
    for length in range(min(LONGEST_NAME_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            span = set(range(start, start + length))
            name = names.get(" ".join(words[start : start + length]))
            if name is not None and not span & taken:
                taken |= span
                matches.append(name)
    return matches


def _is_module(name: str, words: Sequence[str]) -> bool:
    """Return whether the name, or the word next to it, says that it is a module."""
    text, folded = " ".join(words), fold(name)
    beside = (
        rf"(?:{_MODULE.pattern})\s{re.escape(folded)}|{re.escape(folded)}\s(?:{_MODULE.pattern})"
    )
    return _MODULE.search(folded) is not None or re.search(beside, text) is not None


def _doc_type(
    words: Sequence[str], message: str, vocabulary: Vocabulary, config: AssistantConfig
) -> str | None:
    """Return the document type that the message names, by its name or an alias."""
    for kind in sorted(vocabulary.types, key=lambda kind: (-len(kind), kind)):
        if fold(kind) in words:
            return kind
        if any(fold(alias) in message for alias in config.document_types.get(kind, ())):
            return kind
    return None
