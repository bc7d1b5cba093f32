"""Sparse term vectors and fusion of rankings."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

RANK_CONSTANT = 60
# What the nearest candidate has over the farthest, in points of BM25, where both arms weigh the
# same. Points are left as they are: a question with rare words scores high and far apart, and then
# similarity decides little; one of common words scores low, and then it decides much.
NEAREST = 30.0


def reciprocal_rank[K: Hashable](
    rankings: Sequence[Sequence[K]], weights: Sequence[float] | None = None
) -> dict[K, float]:
    """The sum of 1 / (60 + rank) over the rankings, best first; ties as they were first seen."""
    scores: dict[K, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + weight / (RANK_CONSTANT + rank)
    return best_first(scores)


def weighted[K: Hashable](
    lexical: Mapping[K, float],
    dense: Mapping[K, float],
    dense_share: float,
    left_out: float | None = None,
) -> dict[K, float]:
    """BM25 points and similarity, weighed, best first; what an arm left out is at its far end.

    What words left out has half of their lowest points, or `left_out` where that is known.

    Similarity counts from the farthest candidate to the nearest, whatever range an embedder uses,
    and never for more than its share of `NEAREST`: so it cannot undo a lead in words larger than
    that. Where no word matches, similarity alone decides.
    """
    missing = min(lexical.values(), default=0.0) / 2 if left_out is None else left_out
    nearness = spread(dense)
    scores = {
        item: (1 - dense_share) * lexical.get(item, missing)
        + dense_share * NEAREST * nearness.get(item, 0.0)
        for item in dict.fromkeys([*lexical, *dense])
    }
    return best_first(scores)


def spread[K: Hashable](scores: Mapping[K, float]) -> dict[K, float]:
    """The scores moved to 0 … 1; all 0 where they do not differ."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    width = high - low
    return {item: (score - low) / width if width > 0 else 0.0 for item, score in scores.items()}


def best_first[K: Hashable](scores: Mapping[K, float]) -> dict[K, float]:
    """The same scores, the highest first; equal ones stay in their order."""
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


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
