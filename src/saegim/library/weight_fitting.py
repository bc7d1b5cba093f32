"""Fits ranking weights to labelled questions, measured by cross-validation.

The dense scores need no scale of their own: BM25 scores are unchanged and similarities are scaled
over the candidates, so `dense` alone sets their ratio.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from statistics import fmean
from uuid import UUID

from saegim.library.ranking import PassageCandidate, RankingWeights, rank
from saegim.text.ranking_metrics import (
    Difference,
    ndcg,
    paired_bootstrap,
    recall,
    reciprocal_rank,
)

FOLDS = 5
COUNT = 10
ROUNDS = 2
# The values tried for each weight; other weights stay unchanged.
STEPS: Mapping[str, Sequence[float]] = {
    "dense": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8),
    "focus": (0.0, 0.25, 0.5, 0.75, 1.0, 1.5),
    "feedback": (0.0, 0.25, 0.5, 0.75, 1.0, 1.5),
}
# A smaller gain does not justify a change of weights.
_LEAST_GAIN = 1e-4


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    text: str
    passages: frozenset[UUID] = frozenset()
    documents: frozenset[UUID] = frozenset()

    @property
    def fold(self) -> int:
        """The fold it is held out in, by a stable hash of its text."""
        return int.from_bytes(sha256(self.text.encode()).digest()[:4]) % FOLDS


@dataclass(frozen=True, slots=True)
class QuestionCandidates:
    """A question with its candidates, so that weights are tried without searching again."""

    question: LabelledQuestion
    candidates: Sequence[PassageCandidate]
    texts: Mapping[UUID, str]
    documents: Mapping[UUID, UUID]
    """The document of each candidate."""


@dataclass(frozen=True, slots=True)
class RankingQuality:
    ndcg10: float
    mrr: float
    recall10: float


@dataclass(frozen=True, slots=True)
class TuningResult:
    """The result of tuning. `held_out` ranks each fold with the weights of the other four."""

    questions: int
    weights: RankingWeights
    fitted: RankingWeights
    before: RankingQuality
    held_out: RankingQuality
    gain: Difference
    """The difference in nDCG@10 per question, held out against before."""

    @property
    def is_worth_it(self) -> bool:
        """Whether the weights changed and the held-out questions did not get worse."""
        return self.fitted != self.weights and self.gain.mean >= 0 and not self.gain.is_worse


class Bench:
    """Ranks questions with any weights, each set of weights once."""

    def __init__(self, questions: Sequence[QuestionCandidates]) -> None:
        self._questions = questions
        self._orders: dict[RankingWeights, list[Sequence[UUID]]] = {}
        self._gains: dict[RankingWeights, list[float]] = {}

    def orders(self, weights: RankingWeights) -> list[Sequence[UUID]]:
        """Return the ranking of each question."""
        if weights not in self._orders:
            self._orders[weights] = [order(each, weights) for each in self._questions]
        return self._orders[weights]

    def gains(self, weights: RankingWeights) -> list[float]:
        """Return the nDCG@10 of each question."""
        if weights not in self._gains:
            ranked = zip(self.orders(weights), self._questions, strict=True)
            self._gains[weights] = [
                ndcg(ranking, gold(each.question), COUNT) for ranking, each in ranked
            ]
        return self._gains[weights]

    def climb(self, start: RankingWeights, inside: Sequence[int]) -> RankingWeights:
        """Return the best weights for the questions `inside`, by coordinate ascent."""
        best = start
        for _ in range(ROUNDS):
            before = best
            for name in (field.name for field in fields(RankingWeights) if field.name in STEPS):
                for value in STEPS[name]:
                    tried = replace(best, **{name: value})
                    if self._mean(tried, inside) > self._mean(best, inside) + _LEAST_GAIN:
                        best = tried
            if best == before:
                break
        return best

    def _mean(self, weights: RankingWeights, inside: Sequence[int]) -> float:
        gains = self.gains(weights)
        return fmean(gains[at] for at in inside)


def tune(cases: Sequence[QuestionCandidates], weights: RankingWeights) -> TuningResult:
    """Fit weights, starting from the current ones, and measure them on held-out questions.

    Raises ValueError if there are too few questions for the folds.
    """
    folds = [each.question.fold for each in cases]
    if len(set(folds)) < FOLDS:
        raise ValueError("too few questions")
    bench = Bench(cases)
    held_out: list[Sequence[UUID]] = [()] * len(cases)
    gains: list[float] = [0.0] * len(cases)
    for fold in range(FOLDS):
        outside = [at for at, its in enumerate(folds) if its != fold]
        chosen = bench.climb(weights, outside)
        for at, its in enumerate(folds):
            if its == fold:
                held_out[at] = bench.orders(chosen)[at]
                gains[at] = bench.gains(chosen)[at]
    questions = [each.question for each in cases]
    return TuningResult(
        questions=len(cases),
        weights=weights,
        fitted=bench.climb(weights, range(len(cases))),
        before=quality(questions, bench.orders(weights)),
        held_out=quality(questions, held_out),
        gain=paired_bootstrap(gains, bench.gains(weights)),
    )


def order(case: QuestionCandidates, weights: RankingWeights) -> list[UUID]:
    """Return the candidates best first, as passages or as distinct documents."""
    ranked = rank(case.question.text, case.candidates, case.texts, weights)
    if case.question.passages:
        return [each.passage for each in ranked]
    return list(dict.fromkeys(case.documents[each.passage] for each in ranked))


def gold(question: LabelledQuestion) -> frozenset[UUID]:
    return question.passages or question.documents


def quality(
    questions: Sequence[LabelledQuestion], orders: Sequence[Sequence[UUID]]
) -> RankingQuality:
    """Return the mean figures of the rankings."""
    pairs = [(ranking, gold(each)) for ranking, each in zip(orders, questions, strict=True)]
    return RankingQuality(
        ndcg10=fmean(ndcg(ranking, right, COUNT) for ranking, right in pairs),
        mrr=fmean(reciprocal_rank(ranking, right) for ranking, right in pairs),
        recall10=fmean(recall(ranking, right, COUNT) for ranking, right in pairs),
    )
