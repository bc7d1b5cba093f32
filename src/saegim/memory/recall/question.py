"""A message as a question to memory: what to look for, and what kind of answer it asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from saegim.memory.recall import time_scope
from saegim.memory.turn_features import SPEAKER
from saegim.memory.types import RecallRequest
from saegim.text import analysis, stemming

_WORD = re.compile(r"[^\W_]+")
# What a conversation is about tells less than what is asked, and must not crowd it out.
_CONTEXT_TERMS = 24
_ENTITIES = 5


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for.

    `text` is what is compared by meaning. `terms` are of the message, `context` of the
    conversation. `names` are the words that may name a speaker, each with the terms it makes: who
    speaks is not what is spoken of.
    """

    text: str
    terms: tuple[str, ...]
    context: tuple[str, ...]
    names: Mapping[str, frozenset[str]]
    spans: tuple[time_scope.Span, ...]
    asks_when: bool
    asks_how_many: bool


def question_of(request: RecallRequest) -> Question:
    """The question in a message, from the message, the entities and the summary (LM3)."""
    message = request.message
    recent = request.entities[-_ENTITIES:]
    terms = analysis.query_terms(message)
    said = dict.fromkeys(analysis.query_terms("\n".join([*recent, request.summary])))
    context = [term for term in said if term not in set(terms)]
    return Question(
        text="\n".join([message, *recent]),
        terms=tuple(terms),
        context=tuple(context[:_CONTEXT_TERMS]),
        names={SPEAKER + word: frozenset(analysis.query_terms(word)) for word in _words(message)},
        spans=time_scope.spans_of(message, request.now, request.time_zone),
        asks_when=time_scope.asks_when(message),
        asks_how_many=time_scope.asks_how_many(message),
    )


def _words(message: str) -> list[str]:
    """The words of a message as names are folded; Korean ones without their particles too."""
    found: list[str] = []
    for word in _WORD.findall(analysis.fold(message)):
        found.append(word)
        if "가" <= word[0] <= "힣":
            found.append(stemming.korean(word).written)
    return list(dict.fromkeys(found))
