"""Train the classifier of intents on `intent_examples.toml` with the default embedder.

`--check` fails if the examples were changed since.
"""

import argparse
import asyncio
import sys
import tomllib
from pathlib import Path

from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.text.intents import (
    EXAMPLES,
    WEIGHTS,
    Intent,
    IntentModel,
    digest,
    dump,
    intent_model,
    train,
)

FOLDER = Path(__file__).parent.parent / "src/saegim/text"


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


if __name__ == "__main__":
    sys.exit(main())
