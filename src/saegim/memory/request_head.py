"""Judge whether a message plainly asks to forget something: a linear classifier.

Its inputs are the vector of a text and its n-grams, hashed. `scripts/request_weights.py` trains it
on `benchmarks/data/request_examples.jsonl`. In doubt the answer is no: the user is then asked.
"""

import asyncio
import io
import logging
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from saegim.llm.ports import Embedder
from saegim.text.analysis import sentences
from saegim.text.own_words import BREAK, own_words

WEIGHTS = "request_weights.npz"
SECONDS = 5.0
# Longer messages may be pasted texts.
_LONGEST, _MOST_SENTENCES = 400, 8
_OF_VECTOR, _OF_NGRAMS, _NGRAMS, _SIZES = 4.0, 5.0, 4096, (2, 3, 4)
# A whole message may score lower than the sentence that asks, by this much.
_MARGIN = 1.0
_WORD = re.compile(r"\w+")
_BEHIND_COLON = re.compile(r"[:：]\s.*")

_log = logging.getLogger(__name__)

Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True, eq=False)
class RequestModel:
    """Weights of the inputs, and the score from which on a message plainly asks.

    `examples` is the hash of what it was trained on.
    """

    embedder: str
    examples: str
    weights: Any
    threshold: float

    def score(self, texts: Sequence[str], vectors: Vectors) -> float:
        """Return the score of a message: of the sentence that asks most, unless the rest objects.

        `texts` are the message and its sentences.
        """
        message, *parts = (float(inputs(text, vectors[text]) @ self.weights) for text in texts)
        return min(max(parts), message + _MARGIN)


async def plainly_asks_to_forget(
    embedder: Embedder, message: str, *, seconds: float = SECONDS
) -> bool:
    """Return whether a message, in its own words, plainly asks to forget something.

    False if the embedder is not the one of the classifier, fails, or takes longer than `seconds`.
    """
    model = request_model()
    texts = judged_texts(message)
    if not texts or embedder.name != model.embedder:
        return False
    unique = list(dict.fromkeys(texts))
    try:
        async with asyncio.timeout(seconds):
            vectors = await embedder.embed(unique, "query")
    except Exception as error:  # noqa: BLE001
        _log.warning("cannot judge a request to forget: %s", type(error).__name__)
        return False
    return model.score(texts, dict(zip(unique, vectors, strict=True))) >= model.threshold


def judged_texts(message: str) -> list[str]:
    """Return the own words of a message and their sentences.

    None of own words in several lines or of a long text, and none behind a colon.
    """
    lines = [line for line in own_words(message).split("\n") if _WORD.search(line)]
    if len(lines) != 1 or len(lines[0]) > _LONGEST:
        return []
    own = _BEHIND_COLON.sub("", lines[0]).strip()
    parts = [part for part in sentences(own) if _WORD.search(part)]
    if not 0 < len(parts) <= _MOST_SENTENCES:
        return []
    return [text.replace(BREAK, "…") for text in (own, *parts)]


def inputs(text: str, vector: Sequence[float]) -> Any:
    """Return the inputs of the classifier for a text."""
    counts = np.zeros(_NGRAMS, np.float32)
    ngrams = _ngrams(text)
    for ngram in ngrams:
        counts[zlib.crc32(ngram.encode()) % _NGRAMS] += 1
    return np.concatenate(
        [
            np.ones(1, np.float32),
            _OF_VECTOR * np.asarray(vector, np.float32),
            _OF_NGRAMS / np.sqrt(len(ngrams)) * counts,
        ]
    )


def _ngrams(text: str) -> set[str]:
    """Return the n-grams of characters, the words and the pairs of words of a text."""
    folded = " ".join(text.lower().split()).strip(" .!~?")
    padded = f" {folded} "
    found = {padded[at : at + size] for size in _SIZES for at in range(len(padded) - size + 1)}
    words = _WORD.findall(folded)
    found.update(f"w{word}" for word in words)
    found.update(f"b{first} {second}" for first, second in pairwise(["^", *words, "$"]))
    return found


@cache
def request_model() -> RequestModel:
    """Load the classifier of the default embedder."""
    stored = np.load(io.BytesIO((files("saegim.memory") / WEIGHTS).read_bytes()))
    embedder, examples = map(str, stored["names"])
    weights = stored["weights"].astype(np.float32)
    return RequestModel(embedder, examples, weights, float(stored["threshold"]))
