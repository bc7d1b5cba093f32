"""Find what tells a lasting fact about the user by its meaning: a linear classifier of vectors.

It adds to what rules recognise and takes nothing away. `scripts/fact_weights.py` trains it on
`benchmarks/data/fact_examples.jsonl`, with messages of many people and their facts.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

import numpy as np

from saegim.llm.ports import Embedder
from saegim.memory.rules.clauses import clauses
from saegim.text.questions import is_question
from saegim.text.quotations import own_prose

WEIGHTS = "fact_weights.npz"
# Scores are logarithms of odds. Chosen on messages that it was not trained on.
_LEAST = -0.1
# Longer messages are pasted texts.
_LONGEST, _MOST_UNITS = 2_000, 24
_OF_UNIT, _OF_MESSAGE = 2.5, 2.0

Vectors = Mapping[str, Sequence[float]]
"""Vectors of a message and its units, by text."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, or a clause of one that has several; `last` ends its sentence."""

    text: str
    sentence: str
    last: bool = True

    @property
    def is_sentence(self) -> bool:
        return self.text == self.sentence


def units(message: str) -> list[Unit]:
    """Return the sentences of a message, and their clauses; none of a long message."""
    if len(message) > _LONGEST:
        return []
    found: list[Unit] = []
    for sentence, parts in groupby(clauses(own_prose(message)), lambda clause: clause.sentence):
        found.append(Unit(sentence, sentence))
        several = list(parts)
        if len(several) > 1:
            found += [Unit(each.text, sentence, each.last) for each in several]
    return found[:_MOST_UNITS]


@dataclass(frozen=True, slots=True, eq=False)
class FactModel:
    """Weights of the inputs of a unit. `examples` is the hash of what it was trained on."""

    embedder: str
    examples: str
    weights: Any

    def score(self, unit: Unit, message: str, vectors: Vectors) -> float:
        """Return the logarithm of the odds that a unit tells a fact."""
        return float(inputs(unit, message, vectors) @ self.weights)

    def facts(self, read: Sequence[Unit], message: str, vectors: Vectors) -> frozenset[str]:
        """Return the sentences and clauses of a message that tell a fact."""
        return frozenset(
            unit.text
            for unit in read
            if self.score(unit, message, vectors) >= _LEAST
            and not (unit.is_sentence and is_question(unit.text))
        )


def inputs(unit: Unit, message: str, vectors: Vectors) -> Any:
    form = (
        1.0,
        float(unit.is_sentence),
        float(unit.last),
        float(is_question(unit.text)),
        float(is_question(unit.sentence)),
        float("?" in message),
        min(len(unit.text), 80) / 40,
        float("\n" in message),
        min(len(message), 400) / 200,
        float(unit.text == message),
    )
    return np.concatenate(
        [
            _OF_UNIT * np.asarray(vectors[unit.text], np.float32),
            _OF_MESSAGE * np.asarray(vectors[message], np.float32),
            np.asarray(form, np.float32),
        ]
    )


async def facts_in(embedder: Embedder, message: str) -> frozenset[str] | None:
    """Return what tells a fact; None if the embedder is not the one of the classifier.

    Raises ModelUnavailable.
    """
    model = fact_model()
    if embedder.name != model.embedder:
        return None
    read = units(message)
    if not read:
        return frozenset()
    texts = list(dict.fromkeys([message, *(unit.text for unit in read)]))
    vectors = await embedder.embed(texts, "query")
    return model.facts(read, message, dict(zip(texts, vectors, strict=True)))


@cache
def fact_model() -> FactModel:
    """Load the classifier of the default embedder."""
    stored = np.load(io.BytesIO((files("saegim.memory.rules") / WEIGHTS).read_bytes()))
    embedder, examples = map(str, stored["names"])
    return FactModel(embedder, examples, stored["weights"].astype(np.float32))
