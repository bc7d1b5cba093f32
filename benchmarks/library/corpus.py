"""Build a large library from sentences of the data sets, with vectors."""

import asyncio
import hashlib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import batched
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks.library.sets import CHOSEN_ON, load
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.text.analysis import sentences

SHORTEST, LONGEST = 20, 90
SENTENCES = 2
NOISE = 0.25
_EMBEDDED_AT_ONCE = 2_000
_PROCESSES = 2

Vectors = NDArray[np.float32]


def pool(root: Path) -> list[str]:
    """Returns every sentence of the sets that is neither a fragment nor a paragraph, once, in
    order."""
    found = (
        sentence
        for name in CHOSEN_ON
        for document in load(root, name).documents
        for sentence in sentences(document.text)
        if SHORTEST <= len(sentence) <= LONGEST
    )
    return list(dict.fromkeys(found))


def drawn(of: int, count: int) -> list[tuple[int, ...]]:
    """Returns the sentences of each passage; larger libraries start with the same passages."""
    chance = Random(0)
    every = range(of)
    return [tuple(chance.choices(every, k=SENTENCES)) for _ in range(count)]


def passages(of: Sequence[str], count: int) -> list[str]:
    """Returns the first passages as text."""
    return [" ".join(of[at] for at in which) for which in drawn(len(of), count)]


def questions(of: Sequence[str], count: int, seed: int = 1) -> list[str]:
    """Returns halves of sentences as questions."""
    chance = Random(seed)
    asked: list[str] = []
    while len(asked) < count:
        words = chance.choice(of).split()
        if len(words) >= 6:
            start = chance.randrange(len(words) // 2)
            asked.append(" ".join(words[start : start + len(words) // 2]))
    return asked


def embed(texts: Sequence[str], cache: Path | None) -> Vectors:
    """Returns the vectors of the texts by the bundled embedder, cached in `cache`."""
    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    kept = cache / f"{digest}.npy" if cache else None
    if kept is not None and kept.exists():
        return np.load(kept)
    parts = list(batched(texts, _EMBEDDED_AT_ONCE))
    with ProcessPoolExecutor(_PROCESSES, get_context("spawn")) as processes:
        vectors = np.concatenate(list(processes.map(_embed, parts)))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, vectors)
    return vectors


def _embed(texts: Sequence[str]) -> Vectors:
    async def run() -> Vectors:
        embedder = BundledEmbedder()
        try:
            return np.array(await embedder.embed(texts, "document"), np.float32)
        finally:
            await embedder.close()

    return asyncio.run(run())


def noisy(real: Vectors, start: int, count: int) -> Vectors:
    """Returns vectors of passages from `start` on: real ones first, then slightly moved copies."""
    at = np.arange(start, start + count)
    vectors = real[at % len(real)].copy()
    moved = at >= len(real)
    chance = np.random.default_rng(start)
    spread = NOISE / np.sqrt(real.shape[1])
    vectors[moved] += chance.normal(scale=spread, size=(int(moved.sum()), real.shape[1]))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)
