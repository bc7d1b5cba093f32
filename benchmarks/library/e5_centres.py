"""Write the mean vectors of the accurate embedder: `python -m benchmarks.library.e5_centres`.

The mean of each language is that of its sets, each counted once: dev questions, and passages that
answer only dev questions. Takes some minutes.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.library.in_memory import passages_of
from benchmarks.library.sets import RetrievalSet, folder, load
from saegim.llm.e5.centres import FILE, KINDS
from saegim.llm.e5.encoder import E5Encoder
from saegim.llm.ports import EmbedKind

THREADS = 2
SETS = (("korquad", "autorag_ko", "ko_strategyqa_facts"), ("mtragun_last", "twowiki"))
Vectors = NDArray[np.float32]


class Means:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._encoder = E5Encoder()

    def of_language(self, names: Sequence[str], kind: EmbedKind) -> Vectors:
        sets = [load(self._root, name) for name in names]
        return np.mean([self._of_set(each, kind) for each in sets], axis=0)

    def _of_set(self, whole: RetrievalSet, kind: EmbedKind) -> Vectors:
        texts = [one.text for one in whole.dev] if kind == "query" else _dev_passages(whole)
        with ThreadPoolExecutor(THREADS) as threads:
            vectors = list(threads.map(lambda text: self._encoder.vector(text, kind), texts))
        print(whole.name, kind, len(vectors), flush=True)
        return np.mean(vectors, axis=0)


def _dev_passages(whole: RetrievalSet) -> list[str]:
    held_out = frozenset[str]().union(*(one.gold for one in whole.held_out))
    dev = frozenset[str]().union(*(one.gold for one in whole.dev)) - held_out
    documents = [one for one in whole.documents if one.id in dev]
    return [context for _, _, context in passages_of(documents)]


def main() -> int:
    root = folder()
    if root is None:
        print("SAEGIM_BENCH_DATA is not a folder with the data sets: docs/reference/benchmarks.md")
        return 1
    means = Means(root)
    found = [[means.of_language(names, kind) for names in SETS] for kind in KINDS]
    np.save(FILE, np.array(found, np.float32))
    return 0


if __name__ == "__main__":
    sys.exit(main())
