"""Recognise the intent of a message by meaning, where no pattern does."""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from saegim.chat.rules.intents import Intent, Interpretation
from saegim.chat.understanding import depends_on_thread
from saegim.memory.rules.extractor import extract_statements

_FOLDER = files("saegim.chat.rules")
WEIGHTS = "intent_weights.npz"

# Scores from which on meaning decides; what is forgotten by mistake is worse than small talk.
_LIKELY, _SURE = 0.25, 0.4
_TALK = (
    Intent.GREETING,
    Intent.THANKS,
    Intent.FAREWELL,
    Intent.IDENTITY,
    Intent.REMARK,
    Intent.COMPLAINT,
    Intent.HISTORY,
    Intent.PROFILE,
)
UNDECIDED = (Intent.QUESTION, Intent.ABOUT_SELF, Intent.STATEMENT)


def by_meaning(
    message: str, reading: Interpretation, scores: Mapping[Intent, float]
) -> Interpretation:
    """Return what a message means by its scores, if patterns found nothing but a question."""
    best = max(scores, key=lambda each: scores[each])
    score = scores[best]
    if reading.intent not in UNDECIDED or score < _LIKELY:
        return reading
    if best is Intent.FORGET and score >= _SURE and not reading.question:
        return Interpretation(best)
    if best is Intent.STATEMENT and reading.intent is Intent.QUESTION and not reading.question:
        found = tuple(each.content for each in extract_statements(message))
        return Interpretation(best, found) if found else reading
    if reading.statements:
        return reading
    least = _SURE if depends_on_thread(message) else _LIKELY
    if best in _TALK and score >= least:
        return Interpretation(best)
    if best is Intent.ABOUT_SELF:
        return replace(
            reading,
            intent=best,
            question=reading.question or message,
            asks_memory=reading.asks_memory or score >= _SURE,
        )
    return reading


@dataclass(frozen=True, slots=True, eq=False)
class IntentModel:
    """A linear classifier of message vectors, trained on `examples.toml`.

    `embedder` names the embedder whose vectors it reads, `examples` the text it was trained on.
    """

    embedder: str
    examples: str
    intents: tuple[Intent, ...]
    centre: Any
    weights: Any

    def scores(self, vector: Sequence[float]) -> Mapping[Intent, float]:
        """Return how likely each intent is: about 1 if it is sure, 0 if it is not meant."""
        found = _unit(np.asarray(vector, np.float32) - self.centre) @ self.weights
        return dict(zip(self.intents, map(float, found), strict=True))


def train(embedder: str, examples: Sequence[tuple[Intent, Sequence[float]]]) -> IntentModel:
    """Fit the classifier by ridge regression."""
    intents = tuple(dict.fromkeys(intent for intent, _ in examples))
    vectors = np.asarray([vector for _, vector in examples], np.float32)
    centre = vectors.mean(axis=0)
    inputs = _unit(vectors - centre)
    wanted = np.array([[each is intent for intent in intents] for each, _ in examples], np.float32)
    ridge = inputs.T @ inputs + _RIDGE * np.eye(inputs.shape[1], dtype=np.float32)
    weights = np.linalg.solve(ridge, inputs.T @ wanted)
    return IntentModel(embedder, digest(), intents, centre, weights)


_RIDGE = 3.0


def _unit(vectors: Any) -> Any:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-9)


def digest() -> str:
    """Return the hash of the examples, by which a stale classifier is recognised."""
    return hashlib.sha256((_FOLDER / "examples.toml").read_bytes()).hexdigest()


def dump(model: IntentModel) -> bytes:
    out = io.BytesIO()
    np.savez(
        out,
        names=np.array([model.embedder, model.examples, *model.intents]),
        centre=model.centre.astype(np.float16),
        weights=model.weights.astype(np.float16),
    )
    return out.getvalue()


@cache
def intent_model() -> IntentModel:
    """Load the classifier of the default embedder."""
    stored = np.load(io.BytesIO((_FOLDER / WEIGHTS).read_bytes()))
    embedder, examples, *intents = map(str, stored["names"])
    centre, weights = stored["centre"].astype(np.float32), stored["weights"].astype(np.float32)
    return IntentModel(embedder, examples, tuple(map(Intent, intents)), centre, weights)
