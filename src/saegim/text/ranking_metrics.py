"""How good a ranking is, and whether one is better than another or only luckier."""

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

RESAMPLES = 2_000
LEVEL = 0.95


def recall[K: Hashable](ranked: Sequence[K], gold: Collection[K], count: int) -> float:
    """The share of the right ones among the first `count`."""
    return len(set(ranked[:count]) & set(gold)) / len(set(gold)) if gold else 0.0


def all_gold[K: Hashable](ranked: Sequence[K], gold: Collection[K], count: int) -> float:
    """1 where all right ones are among the first `count`, else 0."""
    return float(bool(gold) and set(gold) <= set(ranked[:count]))


def reciprocal_rank[K: Hashable](ranked: Sequence[K], gold: Collection[K]) -> float:
    """1 / the rank of the first right one; its mean over questions is the MRR."""
    for rank, item in enumerate(ranked, start=1):
        if item in gold:
            return 1 / rank
    return 0.0


def ndcg[K: Hashable](ranked: Sequence[K], gold: Collection[K], count: int) -> float:
    """The discounted gain of the first `count` against the best possible; each right one gains 1.

    One that stands twice gains once.
    """
    first = dict.fromkeys(ranked[:count])
    gained = sum(_discount(rank) for rank, item in enumerate(first, start=1) if item in gold)
    ideal = sum(_discount(rank) for rank in range(1, min(count, len(set(gold))) + 1))
    return gained / ideal if ideal else 0.0


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one is than the other on average, with its interval of confidence."""

    mean: float
    low: float
    high: float

    @property
    def is_worse(self) -> bool:
        """Whether the loss is more than chance."""
        return self.high < 0

    @property
    def is_better(self) -> bool:
        """Whether the gain is more than chance."""
        return self.low > 0


def paired_bootstrap(
    one: Sequence[float], other: Sequence[float], resamples: int = RESAMPLES, seed: int = 0
) -> Difference:
    """How much higher `one` is than `other` on the same questions, at 95 %; repeatable."""
    gains = [ours - theirs for ours, theirs in zip(one, other, strict=True)]
    if not gains:
        return Difference(0.0, 0.0, 0.0)
    chance = Random(seed)  # noqa: S311 - resampling, nothing secret
    means = sorted(fmean(chance.choices(gains, k=len(gains))) for _ in range(resamples))
    outside = round((1 - LEVEL) / 2 * resamples)
    return Difference(fmean(gains), means[outside], means[-1 - outside])
