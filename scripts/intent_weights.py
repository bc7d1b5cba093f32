"""Train the classifier of intents on `intent_examples.toml` with the default embedder.

`--check` fails if the examples were changed since.
"""

import argparse
import asyncio
import io
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.text.intents import (
    EXAMPLES,
    WEIGHTS,
    Intent,
    IntentModel,
    digest,
    intent_model,
    unit,
)

FOLDER = Path(__file__).parent.parent / "src/saegim/text"
RIDGE = 3.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        if intent_model().examples == digest():
            return 0
        print(f"{WEIGHTS} is out of date: run scripts/intent_weights.py")
        return 1
    (FOLDER / WEIGHTS).write_bytes(dump(asyncio.run(_trained())))
    return 0


async def _trained() -> IntentModel:
    examples = [
        (Intent(intent), text)
        for intent, texts in tomllib.loads((FOLDER / EXAMPLES).read_text("utf-8")).items()
        for text in texts
    ]
    embedder = BundledEmbedder("accurate", 2)
    vectors = await embedder.embed([text for _, text in examples], "query")
    pairs = zip(examples, vectors, strict=True)
    return train(embedder.name, [(intent, vector) for (intent, _), vector in pairs])


def train(embedder: str, examples: Sequence[tuple[Intent, Sequence[float]]]) -> IntentModel:
    """Fit the classifier by ridge regression."""
    intents = tuple(dict.fromkeys(intent for intent, _ in examples))
    vectors = np.asarray([vector for _, vector in examples], np.float32)
    centre = vectors.mean(axis=0)
    inputs = unit(vectors - centre)
    wanted = np.array([[each is intent for intent in intents] for each, _ in examples], np.float32)
    ridge: Any = inputs.T @ inputs + RIDGE * np.eye(inputs.shape[1], dtype=np.float32)
    weights = cast("Any", np.linalg).solve(ridge, inputs.T @ wanted)
    return IntentModel(embedder, digest(), intents, centre, weights)


def dump(model: IntentModel) -> bytes:
    out = io.BytesIO()
    np.savez(
        out,
        names=np.array([model.embedder, model.examples, *model.intents]),
        centre=model.centre.astype(np.float16),
        weights=model.weights.astype(np.float16),
    )
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
