"""Which weights rank best, by questions whose answers are known; measured on those left out.

The similarity arm's range needs no weight of its own: BM25 points are left as they are and
similarity is spread over the candidates, so `dense` alone says what one is worth in the other.
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
# What is tried of each weight; one that is not listed stays as it is.
STEPS: Mapping[str, Sequence[float]] = {
    "dense": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8),
    "focus": (0.0, 0.25, 0.5, 0.75, 1.0, 1.5),
    "feedback": (0.0, 0.25, 0.5, 0.75, 1.0, 1.5),
}
# Less than this is no reason to leave the weights that are in use.
_LEAST_GAIN = 1e-4


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """What is asked, and the passages or documents that answer it."""

    text: str
    passages: frozenset[UUID] = frozenset()
    documents: frozenset[UUID] = frozenset()

    @property
    def fold(self) -> int:
        """Which fold it is left out in, by a stable hash of its text."""
        return int.from_bytes(sha256(self.text.encode()).digest()[:4]) % FOLDS


@dataclass(frozen=True, slots=True)
class QuestionCandidates:
    """A question with all that ranking needs, so that weights are tried without searching again."""

    question: LabelledQuestion
    candidates: Sequence[PassageCandidate]
    texts: Mapping[UUID, str]
    documents: Mapping[UUID, UUID]
    """The document of each candidate."""


@dataclass(frozen=True, slots=True)
class RankingQuality:
    """How good a ranking is on average."""

    ndcg10: float
    mrr: float
    recall10: float


@dataclass(frozen=True, slots=True)
class TuningResult:
    """What tuning found. `held_out` ranks each fold with the weights of the other four."""

    questions: int
    weights: RankingWeights
    fitted: RankingWeights
    before: RankingQuality
    held_out: RankingQuality
    gain: Difference
    """Of nDCG@10, question by question, held out against before."""

    @property
    def is_worth_it(self) -> bool:
        """Whether there is something new, and what was not fitted on did not get worse."""
        return self.fitted != self.weights and self.gain.mean >= 0 and not self.gain.is_worse


class Bench:
    """Questions ranked with any weights, each set of weights once."""

    def __init__(self, asked: Sequence[QuestionCandidates]) -> None:
        self._asked = asked
        self._known: dict[RankingWeights, list[Sequence[UUID]]] = {}
        self._gains: dict[RankingWeights, list[float]] = {}

    def orders(self, weights: RankingWeights) -> list[Sequence[UUID]]:
        """For each question, what answers it, best first."""
        if weights not in self._known:
            self._known[weights] = [order(one, weights) for one in self._asked]
        return self._known[weights]

    def gains(self, weights: RankingWeights) -> list[float]:
        """The nDCG@10 of each question."""
        if weights not in self._gains:
            ranked = zip(self.orders(weights), self._asked, strict=True)
            self._gains[weights] = [ndcg(found, gold(one.question), COUNT) for found, one in ranked]
        return self._gains[weights]

    def climb(self, start: RankingWeights, inside: Sequence[int]) -> RankingWeights:
        """The best weights for the questions `inside`, one weight after the other."""
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


def tune(asked: Sequence[QuestionCandidates], weights: RankingWeights) -> TuningResult:
    """Fits weights, starting from those in use, and says what they are worth on what is left out.

    Raises ValueError where there are too few questions for the folds."""
    folds = [one.question.fold for one in asked]
    if len(set(folds)) < FOLDS:
        raise ValueError("too few questions")
    bench = Bench(asked)
    held_out: list[Sequence[UUID]] = [()] * len(asked)
    gains: list[float] = [0.0] * len(asked)
    for fold in range(FOLDS):
        outside = [at for at, its in enumerate(folds) if its != fold]
        chosen = bench.climb(weights, outside)
        for at, its in enumerate(folds):
            if its == fold:
                held_out[at] = bench.orders(chosen)[at]
                gains[at] = bench.gains(chosen)[at]
    questions = [one.question for one in asked]
    return TuningResult(
        questions=len(asked),
        weights=weights,
        fitted=bench.climb(weights, range(len(asked))),
        before=quality(questions, bench.orders(weights)),
        held_out=quality(questions, held_out),
        gain=paired_bootstrap(gains, bench.gains(weights)),
    )


def order(asked: QuestionCandidates, weights: RankingWeights) -> list[UUID]:
    """The candidates best first, as passages or as documents, each once."""
    ranked = rank(asked.question.text, asked.candidates, asked.texts, weights)
    if asked.question.passages:
        return [one.passage for one in ranked]
    return list(dict.fromkeys(asked.documents[one.passage] for one in ranked))


def gold(question: LabelledQuestion) -> frozenset[UUID]:
    return question.passages or question.documents


def quality(
    questions: Sequence[LabelledQuestion], orders: Sequence[Sequence[UUID]]
) -> RankingQuality:
    """The figures of rankings, question by question, on average."""
    pairs = [(found, gold(one)) for found, one in zip(orders, questions, strict=True)]
    return RankingQuality(
        ndcg10=fmean(ndcg(found, right, COUNT) for found, right in pairs),
        mrr=fmean(reciprocal_rank(found, right) for found, right in pairs),
        recall10=fmean(recall(found, right, COUNT) for found, right in pairs),
    )
