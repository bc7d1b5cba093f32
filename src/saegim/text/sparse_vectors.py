"""BM25 as an inner product of two sparse vectors, so that Postgres ranks in one pass.

A document's vector holds how much each of its terms weighs in it, a query's how rare each of its
terms is; their inner product is the BM25 score. Terms are stored only as keyed hashes.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

DIMENSIONS = 1_000_000_000
K1 = 1.2
B = 0.75
# Constants of the index version: stored weights depend on them. Windows of seven chat messages have
# 166 terms on average; records are all short, so that their length hardly matters.
AVERAGE_LENGTH = 160.0
DOCUMENT_TERMS = 200
QUERY_TERMS = 32


class TermHasher:
    """Gives each term a dimension; without the key nobody can tell which term stands where."""

    def __init__(self, key: bytes) -> None:
        if not key:
            raise ValueError("an unkeyed hash of a word gives the word away")
        self._keyed = blake2b(key=key, digest_size=8)

    def index(self, term: str) -> int:
        """The dimension of a term, from 1 on."""
        digest = self._keyed.copy()
        digest.update(term.encode("utf-8", "surrogatepass"))
        return int.from_bytes(digest.digest()) % (DIMENSIONS - 1) + 1


@dataclass(frozen=True, slots=True)
class SparseVector:
    """The dimensions that are not zero, ascending from 1, and their values."""

    indices: tuple[int, ...]
    values: tuple[float, ...]

    def literal(self, dimensions: int = DIMENSIONS) -> str:
        """The text form of pgvector's `sparsevec`."""
        pairs = zip(self.indices, self.values, strict=True)
        return f"{{{','.join(f'{index}:{value:.6g}' for index, value in pairs)}}}/{dimensions}"


def document_vector(terms: Sequence[str], hasher: TermHasher) -> SparseVector:
    """How much each term weighs in a document: more with repeats, less in a longer document."""
    length_norm = K1 * (1 - B + B * len(terms) / AVERAGE_LENGTH)
    kept = Counter(terms).most_common(DOCUMENT_TERMS)
    return _vector((hasher.index(term), tf * (K1 + 1) / (tf + length_norm)) for term, tf in kept)


def query_vector(
    terms: Iterable[str], hasher: TermHasher, df: Mapping[int, int], rows: int
) -> SparseVector:
    """How rare each term of a query is among `rows` documents, of which `df` tells who holds it.

    `df` is keyed by the term's index. Terms that no document holds are left out: they match
    nothing, and would crowd out those that do.
    """
    document_counts = [
        (index, min(df[index], rows))
        for index in map(hasher.index, dict.fromkeys(terms))
        if df.get(index, 0) > 0
    ]
    rarest = sorted(document_counts, key=lambda pair: pair[1])[:QUERY_TERMS]
    return _vector((index, math.log1p((rows - n + 0.5) / (n + 0.5))) for index, n in rarest)


def _vector(weights: Iterable[tuple[int, float]]) -> SparseVector:
    """Two terms that share a dimension add up, as they do in every other vector."""
    total: defaultdict[int, float] = defaultdict(float)
    for index, weight in weights:
        total[index] += weight
    indices = tuple(sorted(total))
    return SparseVector(indices, tuple(total[index] for index in indices))
