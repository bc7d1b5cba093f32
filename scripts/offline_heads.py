"""Train and test the heads that judge messages without a model, on `offline/examples.toml`.

Writes `src/saegim/offline/heads.npz`, and `benchmarks/results/message_kinds.json` and
`request_head.json` from messages that other people wrote. The thresholds are chosen on scores of
examples that the classifier was not trained on. `--check` fails if the examples were changed since;
`--errors` prints what is judged wrongly in cross-validation, and writes nothing.
"""

import argparse
import asyncio
import io
import json
import sys
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import results  # noqa: E402
from saegim.llm.bundled_embedders import BundledEmbedder  # noqa: E402
from saegim.offline.heads import (  # noqa: E402
    EXAMPLES,
    REQUESTS,
    WEIGHTS,
    Heads,
    MessageKind,
    digest,
    heads,
    inputs,
    judged_texts,
    log_odds,
    plainly_asks,
    read,
)

TARGET = ROOT / "src/saegim/offline"
DATA = ROOT / "benchmarks/data"
# Chosen on folds of the examples: ridge, and how sharply scores become chances.
FOLDS, RIDGE, SHARPNESS = 5, np.float32(2.0), np.float32(11.0)
# Shares of other examples that may pass: kept as a note, taken for a plain request, and of what is
# to be searched for, not searched for.
NOTED, PASSING, NOT_SEARCHED = 0.09, 0.005, 0.02
LEAST_SURE = 0.4
# What a message is without being sure: it is searched for, or only what it tells is kept.
DEFAULT_KINDS = (MessageKind.QUESTION, MessageKind.ABOUT_SELF, MessageKind.STATEMENT)


@dataclass(frozen=True, slots=True)
class Example:
    """A message, and whether it tells a fact; no `kind` if it is an example for notes alone."""

    text: str
    kind: MessageKind | None
    tells: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    if options.check:
        if heads().examples == digest():
            return 0
        print(f"{WEIGHTS} is out of date: run scripts/offline_heads.py")
        return 1
    return asyncio.run(run(errors_only=options.errors))


async def run(*, errors_only: bool) -> int:
    examples = examples_of((TARGET / EXAMPLES).read_text("utf-8"))
    count = sum(each.kind is not None for each in examples)
    embedder = BundledEmbedder("accurate", 2)
    embedded = await embedder.embed([each.text for each in examples], "query")
    vectors = np.array(embedded, np.float32)
    apart = vectors - vectors.mean(axis=0)
    rows = np.array(
        [inputs(each.text, vector) for each, vector in zip(examples, apart, strict=True)],
        np.float32,
    )
    kinds = tuple(MessageKind)
    wanted = np.array([kinds.index(each.kind) for each in examples if each.kind])
    target = np.eye(len(kinds), dtype=np.float32)[wanted]
    tells = np.array([float(each.tells) for each in examples], np.float32)
    kernel = rows @ rows.T
    folds = np.array([zlib.crc32(each.text.encode()) % FOLDS for each in examples])
    of_kinds, weight = kernel[:count, :count], weights_of(wanted)
    chances = softmax(SHARPNESS * unseen(of_kinds, folds[:count], target, weight))
    alike = np.ones(len(examples), np.float32)
    weights = SHARPNESS * rows[:count].T @ train(of_kinds, target, weight)
    # The heads of the kinds have not seen the examples for notes alone.
    every = np.concatenate([chances, softmax(rows[count:] @ weights)])
    notes = unseen(kernel, folds, tells[:, None], alike)[:, 0]
    notes += every[:, kinds.index(MessageKind.STATEMENT)]
    right = chances.argmax(axis=1) == wanted
    if errors_only:
        for at in np.flatnonzero(~right):
            guessed = kinds[int(chances[at].argmax())]
            print(
                f"{chances[at].max():.2f} {guessed:12} {examples[at].kind:12} {examples[at].text}"
            )
        print(f"{count} examples, {right.mean():.3f} right")
        return 0
    note_weights = rows.T @ train(kernel, tells[:, None], alike)[:, 0]
    centre = vectors.mean(axis=0)
    model = Heads(embedder.name, digest(), kinds, centre, weights, note_weights)
    found = np.isin(wanted, [at for at, kind in enumerate(kinds) if kind.searches])
    odds = np.vectorize(log_odds)(chances)
    model = replace(
        model,
        sure={
            kind: 0.0
            if kind in DEFAULT_KINDS
            else max(LEAST_SURE, passing(chances[:, at], ~found, NOT_SEARCHED))
            for at, kind in enumerate(kinds)
        },
        note=passing(notes, tells == 1, NOTED),
        plain={
            # Below even odds nothing is plainly asked for.
            kind: max(0.0, passing(odds[:, at], wanted == at, PASSING))
            for at, kind in enumerate(kinds)
            if kind in REQUESTS
        },
    )
    (TARGET / WEIGHTS).write_bytes(dump(model))
    heads.cache_clear()
    noted = float((notes[tells == 1] >= model.note).mean())
    seen = {"cross_validated.right": float(right.mean()), "cross_validated.noted": noted}
    await measure(embedder, len(examples), seen)
    return 0


def examples_of(text: str) -> list[Example]:
    """Return the examples of the kinds, then those for notes alone."""
    listed = tomllib.loads(text)
    notes: Mapping[str, Sequence[str]] = listed.pop("notes")
    kinds = ((MessageKind(kind), texts) for kind, texts in listed.items())
    found = [
        Example(each, kind, kind is MessageKind.STATEMENT)
        for kind, texts in kinds
        for each in judged(texts)
    ]
    found += [Example(each, None, True) for each in judged(notes["tells"])]
    return found + [Example(each, None, False) for each in judged(notes["tells_nothing"])]


def judged(texts: Sequence[str]) -> Iterator[str]:
    yield from (found[0] for each in texts if (found := judged_texts(each)))


def unseen(kernel: Any, folds: Any, target: Any, weight: Any) -> Any:
    """Return the scores of each example by heads that were not trained on it."""
    scores = np.zeros(target.shape, np.float32)
    for fold in range(FOLDS):
        rest = folds == fold
        parts = train(kernel[np.ix_(~rest, ~rest)], target[~rest], weight[~rest])
        scores[rest] = kernel[np.ix_(rest, ~rest)] @ parts
    return scores


def train(kernel: Any, target: Any, weight: Any) -> Any:
    """Fit heads by ridge regression; return the part of each example in them."""
    return cast("Any", np.linalg).solve(kernel + np.diag(RIDGE / weight), target)


def weights_of(wanted: Any) -> Any:
    """Return the weights of examples: those of rare kinds weigh more."""
    weight = 1 / np.sqrt(np.bincount(wanted, minlength=len(MessageKind))[wanted])
    return (weight / weight.mean()).astype(np.float32)


def softmax(scores: Any) -> Any:
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)


def passing(scores: Any, of_kind: Any, share: float) -> float:
    """Return the score that no more than a share of the other examples exceeds."""
    others = np.sort(scores[~of_kind])[::-1]
    return float(others[int(share * len(others))]) + 1e-3


async def measure(embedder: BundledEmbedder, trained: int, seen: Mapping[str, float]) -> None:
    """Write how well messages of other people are judged."""
    lines = (DATA / "message_kinds.jsonl").read_text("utf-8").splitlines()
    tests = [json.loads(line) for line in lines]
    guessed = [await read(embedder, each["message"]) for each in tests]
    hits: dict[str, list[bool]] = {}
    for each, reading in zip(tests, guessed, strict=True):
        hits.setdefault(each["kind"], []).append(reading.kind == each["kind"])
    every = [hit for of_kind in hits.values() for hit in of_kind]
    others = [r for each, r in zip(tests, guessed, strict=True) if each["kind"] != "statement"]
    figures = {
        **seen,
        "right": sum(every) / len(every),
        "noted_wrongly": sum(bool(each.notes) for each in others) / len(others),
        **{kind: sum(of_kind) / len(of_kind) for kind, of_kind in hits.items()},
    }
    about = {"embedder": embedder.name, "trained_on": trained, "measured": "message_kinds.jsonl"}
    results.write("message_kinds", figures, about)
    requests = await measure_requests(embedder)
    measured = "the split test of request_examples.jsonl; unseen: harm.json"
    results.write("request_head", requests, about | {"measured": measured})
    print(json.dumps(figures | requests, indent=2))


async def measure_requests(embedder: BundledEmbedder) -> dict[str, float]:
    """Return how well plain requests to forget are told apart."""
    lines = (DATA / "request_examples.jsonl").read_text("utf-8").splitlines()
    tests = [each for each in map(json.loads, lines) if each["split"] == "test"]
    figures: dict[str, float] = {}
    for lang in ("ko", "en"):
        pairs = [(each["text"], each["label"]) for each in tests if each["lang"] == lang]
        figures |= {f"{lang}.{key}": v for key, v in (await judge(embedder, pairs)).items()}
    unseen = [
        (each["message"], each["kind"] == "request")
        for each in json.loads((DATA / "harm.json").read_text("utf-8"))
        # A request not to remember the message itself is none to forget.
        if each.get("expect") != "this"
    ]
    return figures | {f"unseen.{key}": v for key, v in (await judge(embedder, unseen)).items()}


async def judge(embedder: BundledEmbedder, pairs: Sequence[tuple[str, bool]]) -> dict[str, float]:
    judged = [
        (label, await plainly_asks(embedder, text, MessageKind.FORGET)) for text, label in pairs
    ]
    asking, others = sum(label for label, _ in judged), sum(not label for label, _ in judged)
    right = sum(label and passed for label, passed in judged)
    wrong = sum(passed and not label for label, passed in judged)
    return {
        "requests": float(asking),
        "others": float(others),
        "precision": right / max(1, right + wrong),
        "recall": right / max(1, asking),
        "others_passing": wrong / max(1, others),
    }


def dump(model: Heads) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(
        out,
        names=np.array([model.embedder, model.examples, *model.kinds]),
        centre=model.centre.astype(np.float16),
        weights=model.weights.astype(np.float16),
        note_weights=model.note_weights.astype(np.float16),
        thresholds=np.array([model.note, *model.sure.values(), *model.plain.values()]),
    )
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
