"""The meanings of a message and of its sentences."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import Embedder
from saegim.text.analysis import sentences
from saegim.text.intents import Scores, intent_model


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
