"""A message as a question to memory: what to look for, and what kind of answer it asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from saegim.memory.dates import bounds, find_dates
from saegim.memory.turn_features import SPEAKER
from saegim.memory.types import RecallRequest
from saegim.text import analysis, stemming

_ASKS_WHEN = re.compile(
    r"^\W*(?:when|since when|how long|(?:in |on )?(?:what|which) (?:date|day|month|year))\b"
    r"|언제|며칠|몇\s?(?:년|월|일|시|주|달)",
    re.IGNORECASE,
)
_ASKS_HOW_MANY = re.compile(
    r"\bhow (?:many|much|often|old)\b|몇\s?(?:개|명|마리|번|살|대|권|잔|곳|가지)|얼마",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time from `first` to before `past`."""

    first: datetime
    past: datetime


def spans_of(question: str, now: datetime, time_zone: str) -> tuple[TimeSpan, ...]:
    """The times that a question names, as meant by someone who asks it now."""
    named = find_dates(question, now, time_zone)
    return tuple(TimeSpan(*bounds(mention, time_zone)) for mention in named)


def asks_when(question: str) -> bool:
    return _ASKS_WHEN.search(question) is not None


def asks_how_many(question: str) -> bool:
    return _ASKS_HOW_MANY.search(question) is not None


_WORD = re.compile(r"[^\W_]+")
# What a conversation is about tells less than what is asked, and must not crowd it out.
_CONTEXT_TERMS = 24
_ENTITIES = 5


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """What is looked for.

    `text` is what is compared by meaning. `terms` are of the message, `context` of the
    conversation. `names` are the words that may name a speaker, each with the terms it makes: who
    speaks is not what is spoken of.
    """

    text: str
    terms: tuple[str, ...]
    context: tuple[str, ...]
    names: Mapping[str, frozenset[str]]
    spans: tuple[TimeSpan, ...]
    asks_when: bool
    asks_how_many: bool


def question_of(request: RecallRequest) -> RecallQuestion:
    """The question in a message, from the message, the entities and the summary (LM3)."""
    message = request.message
    recent = request.entities[-_ENTITIES:]
    terms = analysis.query_terms(message)
    said = dict.fromkeys(analysis.query_terms("\n".join([*recent, request.summary])))
    context = [term for term in said if term not in set(terms)]
    return RecallQuestion(
        text="\n".join([message, *recent]),
        terms=tuple(terms),
        context=tuple(context[:_CONTEXT_TERMS]),
        names={SPEAKER + word: frozenset(analysis.query_terms(word)) for word in _words(message)},
        spans=spans_of(message, request.now, request.time_zone),
        asks_when=asks_when(message),
        asks_how_many=asks_how_many(message),
    )


def _words(message: str) -> list[str]:
    """The words of a message as names are folded; Korean ones without their particles too."""
    found: list[str] = []
    for word in _WORD.findall(analysis.fold(message)):
        found.append(word)
        if "가" <= word[0] <= "힣":
            found.append(stemming.korean(word).written)
    return list(dict.fromkeys(found))
