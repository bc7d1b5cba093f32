"""Train the classifier of facts on `benchmarks/data/fact_examples.jsonl` with the default embedder.

`--check` fails if the examples were changed since; `--test` trains on four fifths, five times, and
prints how well the rest is told apart.
"""

import argparse
import asyncio
import hashlib
import io
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.memory.rules.facts import (
    WEIGHTS,
    FactModel,
    Unit,
    fact_model,
    inputs,
    units,
)
from saegim.memory.small_talk import is_small_talk

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "benchmarks/data/fact_examples.jsonl"
TARGET = ROOT / "src/saegim/memory/rules" / WEIGHTS
# Share of the letters of a unit that facts cover, from which on it tells one.
TELLS, TELLS_NOT = 0.6, 0.35
FOLDS = 5
RIDGE, STEPS, CLOSE = 1.0, 25, 1e-3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--test", action="store_true")
    options = parser.parse_args()
    if options.check:
        if fact_model().examples == digest():
            return 0
        print(f"{WEIGHTS} is out of date: run scripts/fact_weights.py")
        return 1
    embedder = BundledEmbedder("accurate", 2)
    rows, told, folds = asyncio.run(labelled(embedder))
    if options.test:
        scores = np.zeros(len(told))
        for fold in range(FOLDS):
            rest = folds == fold
            model = train(embedder.name, "", rows[~rest], told[~rest])
            scores[rest] = rows[rest] @ model.weights
        kept, quiet = (scores[told == 1] >= 0).mean(), (scores[told == 0] < 0).mean()
        print(f"{len(told)} units: {kept:.3f} of facts found, {quiet:.3f} of others left out")
        return 0
    model: FactModel = train(embedder.name, digest(), rows, told)
    TARGET.write_bytes(dump(model))
    return 0


def train(embedder: str, found_in: str, rows: Any, told: Any) -> FactModel:
    """Fits the classifier by logistic regression."""
    weights = np.zeros(rows.shape[1])
    ridge: Any = RIDGE * np.eye(rows.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (likely - told) + RIDGE * weights
        curve = (rows * (likely * (1 - likely))[:, None]).T @ rows + ridge
        step = cast("Any", np.linalg).solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < CLOSE:
            break
    return FactModel(embedder, found_in, weights.astype(np.float32))


def dump(model: FactModel) -> bytes:
    out = io.BytesIO()
    names = np.array([model.embedder, model.examples])
    np.savez(out, names=names, weights=model.weights.astype(np.float16))
    return out.getvalue()


def digest() -> str:
    return hashlib.sha256(EXAMPLES.read_bytes()).hexdigest()


def examples() -> Iterator[tuple[str, Sequence[str]]]:
    """Yields messages and the facts that they quote."""
    for line in EXAMPLES.read_text("utf-8").splitlines():
        example = json.loads(line)
        if not is_small_talk(example["message"]):
            yield example["message"], example["facts"]


async def labelled(embedder: BundledEmbedder) -> tuple[Any, Any, Any]:
    """Returns the inputs of all units, whether they tell a fact, and the fold of their message."""
    cut: list[tuple[Unit, str, bool]] = []
    for message, facts in examples():
        for unit in units(message):
            covered = coverage(unit.text, facts, message)
            if covered >= TELLS or covered <= TELLS_NOT:
                cut.append((unit, message, covered >= TELLS))
    texts = list(dict.fromkeys(text for unit, message, _ in cut for text in (message, unit.text)))
    vectors = dict(zip(texts, await embedder.embed(texts, "query"), strict=True))
    rows = np.array([inputs(unit, message, vectors) for unit, message, _ in cut], np.float64)
    folds = np.array([zlib.crc32(message.encode()) % FOLDS for _, message, _ in cut])
    return rows, np.array([float(tells) for *_, tells in cut]), folds


def coverage(unit: str, facts: Sequence[str], message: str) -> float:
    """Returns the share of the letters of a unit that stand in facts."""
    begin = message.find(unit)
    if begin < 0:
        return 0.0
    spans = [(at, at + len(fact)) for fact in facts if (at := message.find(fact)) >= 0]
    letters = [at for at in range(begin, begin + len(unit)) if message[at].isalnum()]
    inside = sum(any(first <= at < last for first, last in spans) for at in letters)
    return inside / max(1, len(letters))


if __name__ == "__main__":
    sys.exit(main())
