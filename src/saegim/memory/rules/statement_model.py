"""Whether a clause tells something to remember: a linear classifier of its words, form and meaning.

The rules match what they know; the classifier weighs what they found with the words, the ending and
the vectors of the sentence and the message, so that hearsay, suppositions and requests in words
that no rule names are left out, and statements that no rule matches are kept. It is trained by
`scripts/statement_weights.py`.
"""

import io
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

import numpy as np

from saegim.domain.scope import Locale
from saegim.memory.rules import english_speech
from saegim.memory.rules.attributes import Claim
from saegim.memory.rules.clauses import Clause
from saegim.memory.rules.loader import StatementPatterns, load
from saegim.memory.rules.meanings import Meanings, TextMeaning
from saegim.text.questions import is_question

WEIGHTS = "statement_weights.npz"
FOLDER = files("saegim.memory.rules")
# Scores from which on a clause is kept, and is surely a statement.
KEPT, SURE = 0.0, 0.7
_BUCKETS = 4096
_RIDGE, _STEPS, _CLOSE = 3.0, 12, 1e-3
_OF_SENTENCE, _OF_MESSAGE = 2.0, 3.0
_LONGEST_END = 5
_TAIL = re.compile(r"[\s.!~ㅋㅎㅠㅜ^;,…ㄷ]+$")
_DIGITS = re.compile(r"\d+")
_SIGNS = tuple(StatementPatterns.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """A clause and what the rules claim of it."""

    clause: Clause
    locale: Locale
    claim: Claim | None


@dataclass(frozen=True, slots=True, eq=False)
class StatementModel:
    """Weights of the inputs of a clause. `data` is the hash of what it was trained on."""

    embedder: str
    data: str
    weights: Any
    bias: float

    def score(self, inputs: Any) -> float:
        """Return the logarithm of the odds that a clause is to be remembered."""
        return float(inputs @ self.weights) + self.bias


def clause_inputs(
    message: str, readings: Sequence[ClauseReading], at: int, meanings: Meanings
) -> Any | None:
    """Return the inputs of one clause of a message; None if its meaning is unknown."""
    whole, sentence = meanings.get(message), meanings.get(readings[at].clause.sentence)
    if whole is None or sentence is None or not whole.vector or not sentence.vector:
        return None
    words = np.zeros(_BUCKETS, np.float32)
    for name, value in _words(message, readings[at]):
        words[zlib.crc32(f"{readings[at].locale}{name}".encode()) % _BUCKETS] += value
    form = [*_form(message, readings, at), *_signs(readings[at]), *_intents(sentence)]
    return np.concatenate(
        [
            words,
            np.asarray(form, np.float32),
            _OF_SENTENCE * np.asarray(sentence.vector, np.float32),
            _OF_MESSAGE * np.asarray(whole.vector, np.float32),
        ]
    )


def _words(message: str, reading: ClauseReading) -> Iterator[tuple[str, float]]:
    clause = reading.clause
    text = _folded(clause.text)
    end = _TAIL.sub("", text)
    for length in range(1, min(_LONGEST_END, len(end)) + 1):
        yield f"end {end[-length:]} {clause.last}", 0.7
    for place, whole, weight in (("sentence", clause.sentence, 0.4), ("message", message, 0.3)):
        close = _TAIL.sub("", _folded(whole))
        for length in (1, 2, 3):
            yield f"{place} {close[-length:]}", weight
    padded = f" {text} "
    parts = {padded[at : at + n] for n in (2, 3) for at in range(len(padded) - n + 1)}
    for part in sorted(parts):
        yield f"part {part}", 1.5 / max(4.0, len(parts) ** 0.5)
    words = text.split()
    for word in sorted(set(words)):
        yield f"word {word}", 0.5
    yield f"first {words[0] if words else ''}", 0.5


def _folded(text: str) -> str:
    return _DIGITS.sub("0", text.casefold())


def _form(message: str, readings: Sequence[ClauseReading], at: int) -> Iterator[float]:
    clause, claim = readings[at].clause, readings[at].claim
    yield float(clause.last)
    yield float(is_question(clause.text))
    yield float(is_question(clause.sentence))
    yield float(at > 0)
    yield float(len(readings) > 1)
    yield min(len(clause.text), 80) / 40
    yield float("ㅋㅋ" in message)
    yield float("?" in clause.sentence)
    yield float('"' in message or "'" in message)
    yield float(claim is not None)
    yield float(claim is not None and not claim.general)
    others = (each.claim for number, each in enumerate(readings) if number != at)
    yield float(any(other is not None for other in others))


def _signs(reading: ClauseReading) -> Iterator[float]:
    rules, text = load(reading.locale), reading.clause.text
    for pattern in (rules.question, *rules.not_said):
        yield float(pattern.search(text) is not None)
    for name in _SIGNS:
        yield float(getattr(rules.stated, name).search(text) is not None)
    for sign in (english_speech.is_reported, english_speech.is_supposed, english_speech.is_passing):
        yield float(reading.locale == "en" and sign(text))


def _intents(meaning: TextMeaning) -> Iterator[float]:
    return (2 * score for score in meaning.scores.values())


def train(embedder: str, data: str, examples: Sequence[tuple[Any, bool, float]]) -> StatementModel:
    """Fit by logistic regression with a ridge; each example has inputs, answer and weight."""
    rows = np.stack([row for row, _, _ in examples]).astype(np.float64)
    answers = np.array([answer for _, answer, _ in examples], np.float64)
    weight = np.array([weight for _, _, weight in examples], np.float64)
    centre = rows.mean(axis=0)
    rows -= centre
    likeness = rows @ rows.T / _RIDGE
    duals, bias = np.zeros(len(answers)), 0.0
    # Newton's method in the space of the examples, which are fewer than the inputs.
    for _ in range(_STEPS):
        score = likeness @ duals + bias
        chance = 1 / (1 + np.exp(-score))
        slope = np.maximum(weight * chance * (1 - chance), 1e-5)
        wanted = score + weight * (answers - chance) / slope
        system, sides = likeness + np.diag(1 / slope), np.stack([wanted, np.ones(len(answers))], 1)
        solved: Any = cast("Any", np.linalg).solve(system, sides)
        bias = solved[:, 0].sum() / solved[:, 1].sum()
        moved = solved[:, 0] - bias * solved[:, 1]
        done = np.abs(moved - duals).max() < _CLOSE
        duals = moved
        if done:
            break
    weights = rows.T @ duals / _RIDGE
    return StatementModel(embedder, data, weights, float(bias - centre @ weights))


def dump(model: StatementModel) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(
        out,
        names=np.array([model.embedder, model.data]),
        weights=model.weights.astype(np.float16),
        bias=np.array([model.bias]),
    )
    return out.getvalue()


@cache
def statement_model() -> StatementModel:
    """Load the classifier of the default embedder."""
    stored = np.load(io.BytesIO((FOLDER / WEIGHTS).read_bytes()))
    embedder, data = map(str, stored["names"])
    weights = stored["weights"].astype(np.float32)
    return StatementModel(embedder, data, weights, float(stored["bias"][0]))
