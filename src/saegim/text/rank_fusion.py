"""Several rankings to one, such that a weak one never sinks a strong one."""

from collections.abc import Hashable, Mapping, Sequence

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
