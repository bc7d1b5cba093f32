"""Train the classifier of statements on the labelled utterances and examples of benchmarks/data.

It reads the splits for development alone. `--check` fails if they were changed since.
"""

import argparse
import asyncio
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.memory.extraction.trivial_turns import is_trivial
from saegim.memory.opt_out import refusal_of
from saegim.memory.rules.extractor import read_clauses
from saegim.memory.rules.meanings import meanings_of
from saegim.memory.rules.statement_model import (
    WEIGHTS,
    StatementModel,
    clause_inputs,
    dump,
    statement_model,
    train,
)
from saegim.text.masking import mask
from scripts.check_memory_data import DATA, FILES, SECOND_FILES, read

FOLDER = Path(__file__).parent.parent / "src/saegim/memory/rules"
EXAMPLES = ("statement_examples.ko.txt", "statement_examples.en.txt")
_MARKED = re.compile(r"\{\w+:([^}]*)\}")
# The rules were fitted to the first split: what they claim there says less.
_WEIGHTS = {"dev": 0.5, "dev_two": 1.0}
_SECONDS = 300.0
# Share of a clause within a label from which on it belongs to it.
_WITHIN = 0.5


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """A message and the spans of it that are to be remembered."""

    text: str
    told: tuple[str, ...]
    weight: float = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        if statement_model().data == digest():
            return 0
        print(f"{WEIGHTS} is out of date: run scripts/statement_weights.py")
        return 1
    (FOLDER / WEIGHTS).write_bytes(dump(asyncio.run(_trained())))
    return 0


def messages() -> Iterator[LabelledMessage]:
    """Yield what the classifier is trained on."""
    for name in (*FILES, *SECOND_FILES):
        for each in read(DATA / name):
            if (weight := _WEIGHTS.get(each["split"])) is not None:
                quotes = tuple(mask(fact["quote"]).text for fact in each["facts"])
                yield LabelledMessage(mask(each["message"]).text, quotes, weight)
    for path in map(DATA.joinpath, EXAMPLES):
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            if line and not line.startswith("#"):
                yield marked(line)


def marked(line: str) -> LabelledMessage:
    """Read an example whose statements are marked like {fact:...}."""
    text = line.replace("\\n", "\n")
    return LabelledMessage(
        mask(_MARKED.sub(lambda match: match[1], text)).text, tuple(_MARKED.findall(text))
    )


def digest() -> str:
    """Return the hash of what the classifier is trained on."""
    return sha256(repr([*messages()]).encode()).hexdigest()


async def _trained() -> StatementModel:
    embedder = BundledEmbedder()
    examples: list[tuple[Any, bool, float]] = []
    for message in messages():
        if refusal_of(message.text) is None and not is_trivial(message.text):
            examples += await _examples(embedder, message)
    return train(embedder.name, digest(), examples)


async def _examples(
    embedder: BundledEmbedder, message: LabelledMessage
) -> Sequence[tuple[Any, bool, float]]:
    meanings = await meanings_of(embedder, message.text, _SECONDS)
    if not meanings:
        raise RuntimeError(f"no meanings of {message.text[:40]!r}")
    readings = read_clauses(message.text, meanings)
    found: list[tuple[Any, bool, float]] = []
    for at, reading in enumerate(readings):
        inputs = clause_inputs(message.text, readings, at, meanings)
        if inputs is not None:
            told = _is_told(reading.clause.text, reading.clause.start, message)
            found.append((inputs, told, message.weight))
    return found


def _is_told(clause: str, start: int, message: LabelledMessage) -> bool:
    end = start + len(clause)
    for quote in message.told:
        begin = message.text.find(quote)
        shared = min(end, begin + len(quote)) - max(start, begin)
        if begin >= 0 and (shared >= _WITHIN * len(clause) or shared == len(quote)):
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
