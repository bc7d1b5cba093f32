"""The evaluation harness: measures, comparisons and the gate."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from benchmarks.evaluation import gate
from saegim.evaluation.results import Figure
from saegim.evaluation.retrieval import (
    Case,
    CaseResult,
    RetrievalHit,
    ask,
    auroc,
    compare,
    failures,
    figure,
    measures,
    summarise,
    table,
)

CASE = Case(
    "q1", "update", "예산이 얼마야?", frozenset({"new"}), frozenset({"same"}), frozenset({"old"})
)


def answered(*ids: str, case: Case = CASE, tokens: int = 100, score: float = 1.0) -> CaseResult:
    hits = tuple(RetrievalHit(name, score / (place + 1), tokens) for place, name in enumerate(ids))
    return CaseResult(case, hits, 0.01)


def value(name: str, found: CaseResult) -> float | None:
    return measures()[name](found)


class Fixed:
    """Finds the same whatever is asked."""

    def __init__(self, *ids: str) -> None:
        self._ids = ids

    async def search(self, case: Case) -> Sequence[RetrievalHit]:
        return answered(*self._ids, case=case).hits


@pytest.mark.requirement("EV3")
def test_what_says_the_same_neither_helps_nor_harms() -> None:
    with_it = answered("same", "new", "x")
    without = answered("new", "x")
    assert value("mrr", with_it) == value("mrr", without) == 1.0
    assert value("recall@5", answered("same")) == 0.0


@pytest.mark.requirement("EV3")
def test_recall_within_tokens_stops_where_the_budget_does() -> None:
    found = answered("a", "b", "new", tokens=200)
    assert value("recall@500tokens", found) == 0.0
    assert value("recall@1000tokens", found) == 1.0


@pytest.mark.requirement("EV3")
@pytest.mark.parametrize(
    ("ids", "fresh"),
    [
        (("new", "old"), 1.0),
        (("old", "new"), 0.0),
        (("old",), 0.0),
        (("new",), 1.0),
        (("x",), None),
    ],
)
def test_freshness_is_the_new_above_the_old(ids: tuple[str, ...], fresh: float | None) -> None:
    assert value("freshness", answered(*ids)) == fresh


@pytest.mark.requirement("EV3")
async def test_unanswerable_questions_count_for_abstention_alone() -> None:
    never = Case("q2", "unanswerable", "?", frozenset())
    sure, unsure = answered("new", score=0.9), answered("x", case=never, score=0.2)
    found = summarise([sure, unsure])
    assert found["all"]["recall@10"].count == 1
    assert "unanswerable" not in found
    assert found["all"]["abstention_auroc"].value == 1.0
    turned = summarise([answered("new", score=0.1), answered("x", case=never, score=0.8)])
    assert turned["all"]["abstention_auroc"].value == 0.0
    assert CaseResult(never, (), 0.0).confidence == -math.inf


@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5), min_size=1))
def test_the_area_is_the_share_of_pairs_in_order(higher: list[int], lower: list[int]) -> None:
    pairs = [(one > other) + 0.5 * (one == other) for one in higher for other in lower]
    assert auroc(higher, lower) == pytest.approx(sum(pairs) / len(pairs))


@pytest.mark.requirement("EV3")
async def test_any_configuration_is_compared_with_any_other() -> None:
    cases = [Case(f"q{number}", "single", "?", frozenset({"new"})) for number in range(40)]
    answers = {
        "good": await ask(Fixed("new", "x"), cases),
        "bad": await ask(Fixed("x", "new"), cases),
    }
    gap = compare("set", answers, "good", "bad", "mrr")
    assert (gap.mean, gap.low, gap.high) == (0.5, 0.5, 0.5)
    assert gap.count == 40
    level = compare("set", answers, "good", "bad", "recall@10")
    assert level.low <= 0 <= level.high
    found = table("set", "a set", answers)
    assert found.rows["good"]["all"]["mrr"].value == 1.0


async def test_what_was_missed_is_shown_with_what_came_instead() -> None:
    cases = [
        Case(f"q{number}", "single", f"질문 {number}", frozenset({"t1"})) for number in range(9)
    ]
    missed = await ask(Fixed("x"), cases)
    found = failures("set", "bm25", missed, {"t1": "예산은 1억"}, most=2)
    assert [each.question for each in found] == ["질문 0", "질문 1"]
    assert found[0].wanted == ("예산은 1억",)
    assert not failures("set", "bm25", await ask(Fixed("t1"), cases), {})


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_a_figure_lies_within_its_interval(values: list[float]) -> None:
    found = figure(values)
    assert found.low is not None
    assert found.high is not None
    assert found.low - 1e-9 <= found.value <= found.high + 1e-9


@pytest.mark.parametrize(
    ("now", "falls"), [(0.80, False), (0.76, False), (0.74, True), (0.95, False), (None, True)]
)
def test_the_gate_lets_noise_through_and_nothing_else(
    now: float | None, falls: bool, tmp_path: Path
) -> None:
    pins = gate.pinned({"r": Figure(value=0.8, low=0.75, high=0.85)})
    gate.write(tmp_path / "pins.json", pins)
    assert gate.read(tmp_path / "pins.json") == pins
    figures = {} if now is None else {"r": Figure(value=now)}
    assert bool(gate.fallen(figures, pins)) is falls


def test_a_figure_of_which_less_is_better_must_not_rise() -> None:
    pins = gate.pinned({"wrong": Figure(value=0.02, better="lower")})
    assert gate.fallen({"wrong": Figure(value=0.2)}, pins)
    assert not gate.fallen({"wrong": Figure(value=0.0)}, pins)
