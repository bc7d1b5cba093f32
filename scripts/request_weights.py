"""Train the classifier of requests to forget on `benchmarks/data/request_examples.jsonl`.

Trains on the splits `train`, `dev` and `composed` (phrases with a slot, each with several facts);
the threshold is chosen on scores of written examples that the classifier was not trained on.
Writes `benchmarks/results/request_head.json` from the split `test` and from
`benchmarks/data/harm.json`. `--check` fails if the examples were changed since; `--errors` prints
what is judged wrongly in cross-validation, and writes nothing.
"""

import argparse
import asyncio
import hashlib
import io
import json
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import results  # noqa: E402
from saegim.llm.bundled_embedders import BundledEmbedder  # noqa: E402
from saegim.memory.request_head import (  # noqa: E402
    WEIGHTS,
    RequestModel,
    inputs,
    judged_texts,
    plainly_asks_to_forget,
    request_model,
)

EXAMPLES = ROOT / "benchmarks/data/request_examples.jsonl"
UNSEEN = ROOT / "benchmarks/data/harm.json"
TARGET = ROOT / "src/saegim/memory" / WEIGHTS
FOLDS, RIDGE, STEPS, CLOSE = 5, 1.0, 30, 1e-3
# Share of other messages that may pass: half of what is allowed.
PASSING = 0.005


@dataclass(frozen=True, slots=True)
class Example:
    text: str
    lang: str
    label: bool
    split: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    if options.check:
        if request_model().examples == digest():
            return 0
        print(f"{WEIGHTS} is out of date: run scripts/request_weights.py")
        return 1
    return asyncio.run(run(errors_only=options.errors))


async def run(*, errors_only: bool) -> int:
    lines = EXAMPLES.read_text("utf-8").splitlines()
    examples = [Example(**json.loads(line)) for line in lines]
    seen = [each for each in examples if each.split != "test" and judged_texts(each.text)]
    embedder = BundledEmbedder("accurate", 2)
    texts = list(dict.fromkeys(text for each in seen for text in judged_texts(each.text)))
    vectors = dict(zip(texts, await embedder.embed(texts, "query"), strict=True))
    rows = np.array([inputs(own := judged_texts(each.text)[0], vectors[own]) for each in seen])
    asks = np.array([each.label for each in seen])
    scores = unseen_scores(embedder.name, seen, rows, asks, vectors)
    written = np.array([each.split != "composed" for each in seen])
    seen_written = [each for each in seen if each.split != "composed"]
    scores, labels = scores[written], asks[written]
    threshold = threshold_of(scores, labels)
    if errors_only:
        for score, each in sorted(zip(scores, seen_written, strict=True), key=lambda pair: pair[0]):
            if (score >= threshold) != each.label:
                print(f"{score:6.2f} {'+' if each.label else '-'} {each.text}")
        print(f"threshold {threshold:.2f}, recall {(scores[labels] >= threshold).mean():.3f}")
        return 0
    model = replace(train(embedder.name, rows, asks), examples=digest(), threshold=threshold)
    TARGET.write_bytes(dump(model))
    request_model.cache_clear()
    figures = {"cross_validated.recall": float((scores[labels] >= threshold).mean())}
    tests = [each for each in examples if each.split == "test"]
    for lang in ("ko", "en"):
        of_lang = [each for each in tests if each.lang == lang]
        figures |= {
            f"{lang}.{key}": value for key, value in (await judge(embedder, of_lang)).items()
        }
    unseen = [
        Example(each["message"], each["lang"], each["kind"] == "request", "unseen")
        for each in json.loads(UNSEEN.read_text("utf-8"))
        # A request not to remember the message itself is none to forget.
        if each.get("expect") != "this"
    ]
    figures |= {f"unseen.{key}": value for key, value in (await judge(embedder, unseen)).items()}
    results.write(
        "request_head",
        figures,
        {
            "embedder": embedder.name,
            "threshold": round(threshold, 3),
            "examples": len(examples),
            "trained_on": len(seen),
            "measured": "the split test of request_examples.jsonl; unseen: harm.json",
        },
    )
    print(json.dumps(figures, indent=2))
    return 0


def unseen_scores(
    embedder: str, seen: Sequence[Example], rows: Any, asks: Any, vectors: Mapping[str, Any]
) -> Any:
    """Returns the score of each example by a classifier that was not trained on it."""
    folds = np.array(
        [
            -1 if each.split == "composed" else zlib.crc32(each.text.encode()) % FOLDS
            for each in seen
        ]
    )
    scores = np.zeros(len(seen))
    for fold in range(FOLDS):
        model = train(embedder, rows[folds != fold], asks[folds != fold])
        for at in np.flatnonzero(folds == fold).tolist():
            scores[at] = model.score(judged_texts(seen[at].text), vectors)
    return scores


def threshold_of(scores: Any, asks: Any) -> float:
    """Returns the score which no more than PASSING of the other messages of a language exceed."""
    others = np.sort(scores[~asks])[::-1]
    return float(others[int(PASSING * len(others))]) + 1e-3


def train(embedder: str, rows: Any, asks: Any) -> RequestModel:
    """Fits the classifier by logistic regression, in the space of the examples."""
    kernel = rows.astype(np.float64) @ rows.T.astype(np.float64)
    fitted = np.zeros(len(rows))
    part = np.zeros(len(rows))
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-fitted))
        curve = np.maximum(likely * (1 - likely), 1e-6)
        wanted = fitted + (asks - likely) / curve
        part = cast("Any", np.linalg).solve(kernel + RIDGE * np.diag(1 / curve), wanted)
        step = kernel @ part - fitted
        fitted = fitted + step
        if np.abs(step).max() < CLOSE:
            break
    return RequestModel(embedder, "", (rows.T @ part).astype(np.float32), 0.0)


async def judge(embedder: BundledEmbedder, examples: Sequence[Example]) -> dict[str, float]:
    judged = [(each.label, await plainly_asks_to_forget(embedder, each.text)) for each in examples]
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


def dump(model: RequestModel) -> bytes:
    out = io.BytesIO()
    np.savez(
        out,
        names=np.array([model.embedder, model.examples]),
        weights=model.weights.astype(np.float16),
        threshold=np.array(model.threshold),
    )
    return out.getvalue()


def digest() -> str:
    return hashlib.sha256(EXAMPLES.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
