"""One harness for whatever finds something: memory, library, any configuration of either (EV3)."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import Protocol

from saegim.evaluation.results import Comparison, FailedQuestion, Figure, RecalledItem, ResultTable
from saegim.text import ranking_metrics

COUNTS = (5, 10)
BUDGETS = (250, 500, 1_000, 2_000)
ALL = "all"
RESAMPLES = 1_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Case:
    """A question and what answers it; without gold it cannot be answered.

    To find `also` is neither right nor wrong. `stale` held before: it must not stand above gold.
    """

    id: str
    kind: str
    question: str
    gold: frozenset[str]
    also: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RetrievalHit:
    """Something that was found: how sure the searcher is, how large it is, and why it came."""

    id: str
    score: float
    tokens: int = 0
    text: str = ""
    kind: str = ""
    signals: Mapping[str, float] = field(default_factory=dict[str, float])


class Searcher(Protocol):
    """One configuration of whatever is searched."""

    async def search(self, case: Case) -> Sequence[RetrievalHit]:
        """What is found, best first, each id once."""
        ...


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case and what came back."""

    case: Case
    hits: tuple[RetrievalHit, ...]
    seconds: float

    @property
    def ranked(self) -> list[str]:
        """What counts for or against the searcher, in its order."""
        return [hit.id for hit in self.hits if hit.id not in self.case.also]

    def within(self, tokens: int) -> float:
        """The share of gold among what fits so many tokens."""
        room, taken = tokens, list[str]()
        for hit in self.hits:
            if hit.tokens > room:
                break
            room -= hit.tokens
            taken.append(hit.id)
        return ranking_metrics.recall(taken, self.case.gold, len(taken))

    @property
    def fresh(self) -> float | None:
        """Whether gold stands above all that is stale; None where nothing of either was found."""
        places = {hit.id: place for place, hit in enumerate(self.hits)}
        gold = [places[each] for each in self.case.gold if each in places]
        stale = [places[each] for each in self.case.stale if each in places]
        if not self.case.stale or not (gold or stale):
            return None
        return float(min(gold, default=math.inf) < min(stale, default=math.inf))

    @property
    def sureness(self) -> float:
        """How sure the best of it is; nothing found is as unsure as can be."""
        return self.hits[0].score if self.hits else -math.inf


Measure = Callable[[CaseResult], float | None]


def _answerable(measure: Callable[[CaseResult], float]) -> Measure:
    return lambda answered: measure(answered) if answered.case.gold else None


def measures() -> dict[str, Measure]:
    """Every measure of a single case, by name; None where it does not apply."""
    found: dict[str, Measure] = {}
    for count in COUNTS:
        found[f"recall@{count}"] = _answerable(
            lambda each, count=count: ranking_metrics.recall(each.ranked, each.case.gold, count)
        )
    found["all_gold@10"] = _answerable(
        lambda e: ranking_metrics.all_gold(e.ranked, e.case.gold, 10)
    )
    found["mrr"] = _answerable(lambda e: ranking_metrics.reciprocal_rank(e.ranked, e.case.gold))
    found["ndcg@10"] = _answerable(lambda e: ranking_metrics.ndcg(e.ranked, e.case.gold, 10))
    for budget in BUDGETS:
        found[f"recall@{budget}tokens"] = _answerable(
            lambda each, budget=budget: each.within(budget)
        )
    found["given"] = _answerable(
        lambda e: ranking_metrics.recall(e.ranked, e.case.gold, len(e.ranked))
    )
    found["freshness"] = lambda answered: answered.fresh
    return found


async def ask(searcher: Searcher, cases: Sequence[Case]) -> list[CaseResult]:
    """Every case, one after the other, timed."""
    found: list[CaseResult] = []
    for case in cases:
        began = time.monotonic()
        hits = tuple(await searcher.search(case))
        found.append(CaseResult(case, hits, time.monotonic() - began))
    return found


def figure(values: Sequence[float], seed: int = 0) -> Figure:
    """The mean with its interval."""
    spread = ranking_metrics.paired_bootstrap(values, [0.0] * len(values), RESAMPLES, seed)
    return Figure(value=spread.mean, low=spread.low, high=spread.high, count=len(values))


def summarise(answers: Sequence[CaseResult]) -> dict[str, dict[str, Figure]]:
    """The figures of each class and of all, by measure; abstention over all alone."""
    kinds = [ALL, *dict.fromkeys(each.case.kind for each in answers)]
    found: dict[str, dict[str, Figure]] = {}
    for kind in kinds:
        those = [each for each in answers if kind in (ALL, each.case.kind)]
        row: dict[str, Figure] = {}
        for name, measure in measures().items():
            values = [value for each in those if (value := measure(each)) is not None]
            if values:
                row[name] = figure(values)
        if row:
            found[kind] = row
    abstention = abstains(answers)
    if abstention is not None:
        found[ALL]["abstention_auroc"] = abstention
    return found


def abstains(answers: Sequence[CaseResult], seed: int = 0) -> Figure | None:
    """How well sureness tells what can be answered from what cannot; 0.5 is chance."""
    can = [each.sureness for each in answers if each.case.gold]
    cannot = [each.sureness for each in answers if not each.case.gold]
    if not can or not cannot:
        return None
    chance = Random(seed)  # noqa: S311 - resampling, nothing secret
    drawn = sorted(
        auroc(chance.choices(can, k=len(can)), chance.choices(cannot, k=len(cannot)))
        for _ in range(RESAMPLES // 5)
    )
    outside = round((1 - LEVEL) / 2 * len(drawn))
    return Figure(
        value=auroc(can, cannot),
        low=drawn[outside],
        high=drawn[-1 - outside],
        count=len(answers),
    )


def auroc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """How often one of the first is above one of the second; a tie counts half."""
    ordered = sorted([(value, True) for value in higher] + [(value, False) for value in lower])
    total, below, place = 0.0, 0, 0
    while place < len(ordered):
        same = place
        while same < len(ordered) and ordered[same][0] == ordered[place][0]:
            same += 1
        tied = [is_higher for _, is_higher in ordered[place:same]]
        low = tied.count(False)
        total += tied.count(True) * (below + low / 2)
        below, place = below + low, same
    return total / (len(higher) * len(lower))


def table(name: str, title: str, answers: Mapping[str, Sequence[CaseResult]]) -> ResultTable:
    """The figures of several configurations on the same cases."""
    rows = {arm: summarise(those) for arm, those in answers.items()}
    curves = {
        arm: [
            (float(budget), row[ALL][f"recall@{budget}tokens"].value)
            for budget in BUDGETS
            if f"recall@{budget}tokens" in row[ALL]
        ]
        for arm, row in rows.items()
    }
    seconds = {arm: [round(each.seconds, 5) for each in those] for arm, those in answers.items()}
    return ResultTable(name=name, title=title, rows=rows, curves=curves, seconds=seconds)


def compare(
    table_name: str,
    answers: Mapping[str, Sequence[CaseResult]],
    one: str,
    other: str,
    measure: str,
) -> Comparison:
    """How much better one configuration is than another, case by case, with its interval."""
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
    """Of each class a few cases of which nothing right was found, with what came instead."""
    found: dict[str, list[FailedQuestion]] = {}
    for each in answers:
        missed = each.case.gold and not ranking_metrics.recall(each.ranked, each.case.gold, 10)
        if missed and len(found.setdefault(each.case.kind, [])) < most:
            found[each.case.kind].append(
                FailedQuestion(
                    table=table_name,
                    configuration=configuration,
                    kind=each.case.kind,
                    question=each.case.question,
                    wanted=tuple(texts.get(gold, gold) for gold in sorted(each.case.gold)),
                    found=tuple(_shown(hit) for hit in each.hits[:3]),
                )
            )
    return [one for those in found.values() for one in those]


def _shown(hit: RetrievalHit) -> RecalledItem:
    signals = {name: round(value, 3) for name, value in hit.signals.items()}
    return RecalledItem(kind=hit.kind, text=hit.text, fate="taken", signals=signals)


def overall(answers: Sequence[CaseResult], measure: str) -> float:
    """The mean of one measure over the cases it applies to."""
    value = measures()[measure]
    return fmean(found for each in answers if (found := value(each)) is not None)
