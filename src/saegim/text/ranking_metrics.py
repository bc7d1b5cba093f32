"""Quality of a ranking, and significance of the difference between two."""

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

RESAMPLES = 2_000
LEVEL = 0.95


def recall[K: Hashable](ranked: Sequence[K], gold: Collection[K], count: int) -> float:
    """Return the share of the gold items among the first `count`."""
    return len(set(ranked[:count]) & set(gold)) / len(set(gold)) if gold else 0.0


def all_gold[K: Hashable](ranked: Sequence[K], gold: Collection[K], count: int) -> float:
    """Return 1 if all gold items are among the first `count`, else 0."""
    return float(bool(gold) and set(gold) <= set(ranked[:count]))


def reciprocal_rank[K: Hashable](ranked: Sequence[K], gold: Collection[K]) -> float:
    """Return 1 / the rank of the first gold item; the mean over questions is the MRR."""
    for rank, item in enumerate(ranked, start=1):
        if item in gold:
            return 1 / rank
    return 0.0


def ndcg[K: Hashable](ranked: Sequence[K], gold: Collection[K], count: int) -> float:
    """Return NDCG of the first `count` with a gain of 1 per gold item; repeats gain nothing."""
    first = dict.fromkeys(ranked[:count])
    gained = sum(_discount(rank) for rank, item in enumerate(first, start=1) if item in gold)
    ideal = sum(_discount(rank) for rank in range(1, min(count, len(set(gold))) + 1))
    return gained / ideal if ideal else 0.0


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean difference with its confidence interval."""

    mean: float
    low: float
    high: float

    @property
    def is_worse(self) -> bool:
        return self.high < 0


def paired_bootstrap(
    one: Sequence[float], other: Sequence[float], resamples: int = RESAMPLES, seed: int = 0
) -> Difference:
    """Return `one` minus `other` on the same questions, with a 95 % interval; deterministic."""
    gains = [ours - theirs for ours, theirs in zip(one, other, strict=True)]
    if not gains:
        return Difference(0.0, 0.0, 0.0)
    random = Random(seed)  # noqa: S311 - resampling, nothing secret
    means = sorted(fmean(random.choices(gains, k=len(gains))) for _ in range(resamples))
    outside = round((1 - LEVEL) / 2 * resamples)
    return Difference(fmean(gains), means[outside], means[-1 - outside])
