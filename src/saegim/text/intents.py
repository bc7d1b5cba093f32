"""What a message wants, recognised by its meaning: a classifier of its vector."""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, cast

import numpy as np

EXAMPLES, WEIGHTS = "intent_examples.toml", "intent_weights.npz"
_FOLDER = files("saegim.text")
# Scores from which on an intent is likely, and sure.
LIKELY, SURE = 0.25, 0.4


class Intent(StrEnum):
    """What a message wants. All but QUESTION and ABOUT_SELF are answered without a search."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    IDENTITY = "identity"
    REMARK = "remark"
    COMPLAINT = "complaint"
    CALCULATION = "calculation"
    CALENDAR = "calendar"
    HISTORY = "history"
    PROFILE = "profile"
    FORGET = "forget"
    UNDO = "undo"
    LEAVE_OUT = "leave_out"
    STATEMENT = "statement"
    ABOUT_SELF = "about_self"
    QUESTION = "question"

    @property
    def searches(self) -> bool:
        return self in (Intent.QUESTION, Intent.ABOUT_SELF)


Scores = Mapping[Intent, float]
"""How likely each intent is: about 1 if it is sure, 0 if it is not meant."""


def likeliest(scores: Scores) -> tuple[Intent, float]:
    """Return the intent with the highest score, and the score."""
    best = max(scores, key=lambda each: scores[each])
    return best, scores[best]


@dataclass(frozen=True, slots=True, eq=False)
class IntentModel:
    """A linear classifier of message vectors, trained on `intent_examples.toml`.

    `embedder` names the embedder whose vectors it reads, `examples` the text it was trained on.
    """

    embedder: str
    examples: str
    intents: tuple[Intent, ...]
    centre: Any
    weights: Any

    def scores(self, vector: Sequence[float]) -> Scores:
        found = unit(np.asarray(vector, np.float32) - self.centre) @ self.weights
        return dict(zip(self.intents, map(float, found), strict=True))


def unit(vectors: Any) -> Any:
    """Return the vectors with length one."""
    lengths = cast("Any", np.linalg).norm(vectors, axis=-1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-9)


def digest() -> str:
    """Return the hash of the examples, by which a stale classifier is recognised."""
    return hashlib.sha256((_FOLDER / EXAMPLES).read_bytes()).hexdigest()


@cache
def intent_model() -> IntentModel:
    """Load the classifier of the default embedder."""
    stored = np.load(io.BytesIO((_FOLDER / WEIGHTS).read_bytes()))
    embedder, examples, *intents = map(str, stored["names"])
    centre, weights = stored["centre"].astype(np.float32), stored["weights"].astype(np.float32)
    return IntentModel(embedder, examples, tuple(map(Intent, intents)), centre, weights)
