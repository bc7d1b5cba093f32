"""The meanings of a message and of its sentences, by which statements are told from the rest."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import Embedder
from saegim.text.analysis import sentences
from saegim.text.intents import LIKELY, SURE, Intent, Scores, intent_model, likeliest


@dataclass(frozen=True, slots=True)
class TextMeaning:
    """Scores of intents of a text, and the vector that they were read from."""

    scores: Scores
    vector: Sequence[float] = ()


Meanings = Mapping[str, TextMeaning]
"""Meanings by text."""

_LONGEST = 600
_MOST_SENTENCES = 8
_SECONDS = 5.0
# What is asked of the assistant is no statement, whatever it names.
_REQUESTS = (
    Intent.FORGET,
    Intent.LEAVE_OUT,
    Intent.ABOUT_SELF,
    Intent.PROFILE,
    Intent.HISTORY,
    Intent.COMPLAINT,
)


async def meanings_of(embedder: Embedder, message: str, seconds: float = _SECONDS) -> Meanings:
    """Return the meanings of a message and its sentences; {} if the embedder has no classifier."""
    model = intent_model()
    if embedder.name != model.embedder or len(message) > _LONGEST:
        return {}
    texts = list(dict.fromkeys([message, *sentences(message)[:_MOST_SENTENCES]]))
    try:
        async with asyncio.timeout(seconds):
            vectors = await embedder.embed(texts, "query")
    except (TimeoutError, ModelUnavailable):
        return {}
    return {
        text: TextMeaning(model.scores(vector), vector)
        for text, vector in zip(texts, vectors, strict=True)
    }


def is_request(scores: Scores) -> bool:
    """Return whether a sentence surely asks something of the assistant."""
    best, score = likeliest(scores)
    return best in _REQUESTS and score >= SURE


def is_statement(scores: Scores) -> bool:
    """Return whether a sentence is likelier a statement than anything else."""
    best, score = likeliest(scores)
    return best is Intent.STATEMENT and score >= LIKELY


def is_other(scores: Scores) -> bool:
    """Return whether a sentence is surely neither a statement nor a question.

    Questions are told by their form: their meaning is that of statements on the same subject.
    """
    best, score = likeliest(scores)
    return best not in (Intent.STATEMENT, Intent.QUESTION) and score >= SURE
