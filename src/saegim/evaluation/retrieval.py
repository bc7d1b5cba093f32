"""Harness that measures any searcher over memory or library."""

import math
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Protocol

from saegim.evaluation.results import Comparison, FailedQuestion, Figure, RecalledItem, ResultTable
from saegim.text import ranking_metrics
from saegim.text.ranking_metrics import recall

COUNTS = (5, 10)
BUDGETS = (250, 500, 1_000, 2_000)
ALL = "all"
RESAMPLES = 1_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Case:
    """A question and the ids that answer it; without gold it has no answer.

    Finding `also` is neutral. `stale` ids are outdated and must not rank above gold."""

    id: str
    kind: str
    question: str
    gold: frozenset[str]
    also: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RetrievalHit:
    """A result with its score, size and signals."""

    id: str
    score: float
    tokens: int = 0
    text: str = ""
    kind: str = ""
    signals: Mapping[str, float] = field(default_factory=dict[str, float])


class Searcher(Protocol):
    async def search(self, case: Case) -> Sequence[RetrievalHit]:
        """Return the hits, best first, each id once."""
        ...


@dataclass(frozen=True, slots=True)
class CaseResult:
    case: Case
    hits: tuple[RetrievalHit, ...]
    seconds: float

    @property
    def ranked(self) -> list[str]:
        """Return the ids that count, in order."""
        return [hit.id for hit in self.hits if hit.id not in self.case.also]

    def within(self, tokens: int) -> float:
        """Return the share of gold in the first hits that fit this token budget."""
        totals = accumulate(hit.tokens for hit in self.hits)
        ids = [hit.id for hit, total in zip(self.hits, totals, strict=True) if total <= tokens]
        return recall(ids, self.case.gold, len(ids))

    @property
    def fresh(self) -> float | None:
        """Whether gold ranks above everything stale; None if neither was found."""
        ranks = {hit.id: rank for rank, hit in enumerate(self.hits)}
        gold = [ranks[each] for each in self.case.gold if each in ranks]
        stale = [ranks[each] for each in self.case.stale if each in ranks]
        if not self.case.stale or not (gold or stale):
            return None
        return float(min(gold, default=math.inf) < min(stale, default=math.inf))

    @property
    def confidence(self) -> float:
        """Return the score of the best hit, or minus infinity without one."""
        return self.hits[0].score if self.hits else -math.inf


Measure = Callable[[CaseResult], float | None]


def _if_answerable(measure: Callable[[CaseResult], float]) -> Measure:
    return lambda result: measure(result) if result.case.gold else None


def measures() -> dict[str, Measure]:
    """Return the measures of a single case by name; each gives None if it does not apply."""
    answerable: dict[str, Callable[[CaseResult], float]] = {
        f"recall@{count}": lambda e, count=count: recall(e.ranked, e.case.gold, count)
        for count in COUNTS
    }
    answerable["all_gold@10"] = lambda e: ranking_metrics.all_gold(e.ranked, e.case.gold, 10)
    answerable["mrr"] = lambda e: ranking_metrics.reciprocal_rank(e.ranked, e.case.gold)
    answerable["ndcg@10"] = lambda e: ranking_metrics.ndcg(e.ranked, e.case.gold, 10)
    for budget in BUDGETS:
        answerable[f"recall@{budget}tokens"] = lambda e, budget=budget: e.within(budget)
    answerable["given"] = lambda e: recall(e.ranked, e.case.gold, len(e.ranked))
    return {
        **{name: _if_answerable(measure) for name, measure in answerable.items()},
        "freshness": lambda result: result.fresh,
    }


async def ask(searcher: Searcher, cases: Sequence[Case]) -> list[CaseResult]:
    """Search each case in turn and time it."""
    results: list[CaseResult] = []
    for case in cases:
        started = time.monotonic()
        hits = tuple(await searcher.search(case))
        results.append(CaseResult(case, hits, time.monotonic() - started))
    return results


def figure(values: Sequence[float], seed: int = 0) -> Figure:
    """Return the mean with its interval."""
    spread = ranking_metrics.paired_bootstrap(values, [0.0] * len(values), RESAMPLES, seed)
    return Figure(value=spread.mean, low=spread.low, high=spread.high, count=len(values))


def summarise(answers: Sequence[CaseResult]) -> dict[str, dict[str, Figure]]:
    """Return the figures of each class and of all, by measure; abstention only for all."""
    rows: dict[str, dict[str, Figure]] = {}
    for kind in [ALL, *dict.fromkeys(each.case.kind for each in answers)]:
        results = [each for each in answers if kind in (ALL, each.case.kind)]
        row: dict[str, Figure] = {}
        for name, measure in measures().items():
            values = [value for each in results if (value := measure(each)) is not None]
            if values:
                row[name] = figure(values)
        if row:
            rows[kind] = row
    abstention = abstains(answers)
    if abstention is not None:
        rows[ALL]["abstention_auroc"] = abstention
    return rows


def abstains(answers: Sequence[CaseResult], seed: int = 0) -> Figure | None:
    """Return how well confidence separates questions with and without an answer; 0.5 is chance."""
    can = [each.confidence for each in answers if each.case.gold]
    cannot = [each.confidence for each in answers if not each.case.gold]
    if not can or not cannot:
        return None
    random = Random(seed)  # noqa: S311 - resampling, nothing secret
    samples = sorted(
        auroc(random.choices(can, k=len(can)), random.choices(cannot, k=len(cannot)))
        for _ in range(RESAMPLES // 5)
    )
    outside = round((1 - LEVEL) / 2 * len(samples))
    low, high = samples[outside], samples[-1 - outside]
    return Figure(value=auroc(can, cannot), low=low, high=high, count=len(answers))


def auroc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """Return how often a value of the first is above one of the second; a tie counts half."""
    ordered = sorted(lower)
    # Twice the values below plus twice half of the ties.
    doubled = sum(bisect_left(ordered, value) + bisect_right(ordered, value) for value in higher)
    return doubled / 2 / (len(higher) * len(lower))


def table(name: str, title: str, answers: Mapping[str, Sequence[CaseResult]]) -> ResultTable:
    """Return the figures of several configurations on the same cases."""
    rows = {configuration: summarise(results) for configuration, results in answers.items()}
    return ResultTable(name=name, title=title, rows=rows)


def compare(
    table_name: str,
    answers: Mapping[str, Sequence[CaseResult]],
    one: str,
    other: str,
    measure: str,
) -> Comparison:
    """Return how much better one configuration is than another, case by case."""
    value = measures()[measure]
    pairs = [
        (ours, theirs)
        for first, second in zip(answers[one], answers[other], strict=True)
        if (ours := value(first)) is not None and (theirs := value(second)) is not None
    ]
    gap = ranking_metrics.paired_bootstrap([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return Comparison(
        table=table_name,
        measure=measure,
        one=one,
        other=other,
        mean=gap.mean,
        low=gap.low,
        high=gap.high,
        count=len(pairs),
    )


def failures(
    table_name: str,
    configuration: str,
    answers: Sequence[CaseResult],
    texts: Mapping[str, str],
    most: int = 3,
) -> list[FailedQuestion]:
    """Return a few cases of each class without gold in the first ten hits."""
    failed: dict[str, list[FailedQuestion]] = {}
    for each in answers:
        missed = each.case.gold and not recall(each.ranked, each.case.gold, 10)
        if missed and len(failed.setdefault(each.case.kind, [])) < most:
            failed[each.case.kind].append(
                FailedQuestion(
                    table=table_name,
                    configuration=configuration,
                    kind=each.case.kind,
                    question=each.case.question,
                    wanted=tuple(texts.get(gold, gold) for gold in sorted(each.case.gold)),
                    found=tuple(_item(hit) for hit in each.hits[:3]),
                )
            )
    return [question for questions in failed.values() for question in questions]


def _item(hit: RetrievalHit) -> RecalledItem:
    signals = {name: round(value, 3) for name, value in hit.signals.items()}
    return RecalledItem(kind=hit.kind, text=hit.text, fate="taken", signals=signals)
