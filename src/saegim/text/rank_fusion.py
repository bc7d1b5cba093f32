"""Sparse term vectors and fusion of rankings."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

RANK_CONSTANT = 60
# BM25 points of a matching text over an unrelated one. BM25 is not normalised: with rare words its
# scores differ by more, and similarity then counts for less.
MATCHING = 30.0


def reciprocal_rank[K: Hashable](
    rankings: Sequence[Sequence[K]], weights: Sequence[float] | None = None
) -> dict[K, float]:
    """Return the sum of 1 / (60 + rank) over the rankings, best first; ties by first occurrence."""
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
    """Return weighted sums of BM25 points and similarity, best first.

    An item without BM25 points gets `left_out`, by default half of the lowest points. Similarity is
    0 for unrelated and 1 for matching texts: candidates that are about equally similar are ranked
    by words. An item without similarity gets the lowest.
    """
    missing = min(lexical.values(), default=0.0) / 2 if left_out is None else left_out
    farthest = min(dense.values(), default=0.0)
    scores = {
        item: (1 - dense_share) * lexical.get(item, missing)
        + dense_share * MATCHING * dense.get(item, farthest)
        for item in dict.fromkeys([*lexical, *dense])
    }
    return best_first(scores)


def best_first[K: Hashable](scores: Mapping[K, float]) -> dict[K, float]:
    """Sort by score, highest first; equal scores keep their order."""
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


DIMENSIONS = 1_000_000_000
K1 = 1.2
B = 0.75
# Stored weights depend on these: a change needs a new index version. Windows of seven chat messages
# have 166 terms on average; records are short, so their length hardly matters.
AVERAGE_LENGTH = 160.0
DOCUMENT_TERMS = 200
QUERY_TERMS = 32


class TermHasher:
    """Map each term to a dimension by a keyed hash, so that stored vectors do not reveal words."""

    def __init__(self, key: bytes) -> None:
        if not key:
            raise ValueError("an unkeyed hash of a word gives the word away")
        self._keyed = blake2b(key=key, digest_size=8)

    def index(self, term: str) -> int:
        """Return the dimension of a term, starting at 1."""
        digest = self._keyed.copy()
        digest.update(term.encode("utf-8", "surrogatepass"))
        return int.from_bytes(digest.digest()) % (DIMENSIONS - 1) + 1


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Non-zero dimensions, ascending from 1, and their values."""

    indices: tuple[int, ...]
    values: tuple[float, ...]

    def literal(self, dimensions: int = DIMENSIONS) -> str:
        """Return the text form of pgvector's `sparsevec`."""
        pairs = zip(self.indices, self.values, strict=True)
        return f"{{{','.join(f'{index}:{value:.6g}' for index, value in pairs)}}}/{dimensions}"


def document_vector(terms: Sequence[str], hasher: TermHasher) -> SparseVector:
    """Return the BM25 term weights of a document."""
    length_norm = K1 * (1 - B + B * len(terms) / AVERAGE_LENGTH)
    counts = Counter(terms).most_common(DOCUMENT_TERMS)
    return _vector((hasher.index(term), tf * (K1 + 1) / (tf + length_norm)) for term, tf in counts)


def query_vector(
    terms: Iterable[str], hasher: TermHasher, df: Mapping[int, int], rows: int
) -> SparseVector:
    """Return the inverse document frequencies of the rarest terms of a query.

    `df` maps a term's index to its number of documents among `rows`. Terms in no document are left
    out: they would displace terms that match.
    """
    document_counts = [
        (index, min(df[index], rows))
        for index in map(hasher.index, dict.fromkeys(terms))
        if df.get(index, 0) > 0
    ]
    rarest = sorted(document_counts, key=lambda pair: pair[1])[:QUERY_TERMS]
    return _vector((index, math.log1p((rows - n + 0.5) / (n + 0.5))) for index, n in rarest)


def _vector(weights: Iterable[tuple[int, float]]) -> SparseVector:
    """Build a vector; the weights of terms that share a dimension add up."""
    total: defaultdict[int, float] = defaultdict(float)
    for index, weight in weights:
        total[index] += weight
    indices = tuple(sorted(total))
    return SparseVector(indices, tuple(total[index] for index in indices))


def dense_literal(embedding: Sequence[float]) -> str:
    """Return the text form of pgvector's `halfvec`."""
    return "[" + ",".join(f"{value:.6g}" for value in embedding) + "]"
