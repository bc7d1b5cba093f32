"""Figures of recall in conversations with an assistant."""

import pytest

from benchmarks.memory.assistants import (
    Measured,
    abstention,
    consequences,
    figures_of,
    freshness,
    stale_alone,
)
from saegim.evaluation.retrieval import Case, CaseResult, RetrievalHit


def result(case: Case, *ids: str) -> CaseResult:
    return CaseResult(case, tuple(RetrievalHit(each, 1.0) for each in ids), 0.0)


def measured(
    case: Case, given: list[str], known: float = 0.9, *, returned: bool = False
) -> Measured:
    baselines = {
        "bm25": result(case, "x"),
        "dense": result(case, "a"),
        "fusion": result(case, "x"),
    }
    ranked = result(case, "b", "a")
    return Measured("held_out", ranked, result(case, *given), known, baselines, returned)


def case(kind: str, gold: set[str], stale: set[str] | None = None) -> Case:
    return Case(kind, kind, "q", frozenset(gold), stale=frozenset(stale or set()))


def test_the_gain_is_over_the_best_baseline() -> None:
    found = figures_of("s", [measured(case("multi", {"a", "b"}), ["a"])])
    assert found["s.r10"] == 1.0
    assert found["s.given"] == 0.5
    assert found["s.dense.r10"] == 0.5
    assert found["s.gain"] == 0.5


def test_the_current_value_must_come_first() -> None:
    update = case("update", {"new"}, {"old"})
    half = [measured(update, ["new", "old"]), measured(update, ["old", "new"])]
    assert freshness(half) == 0.5


@pytest.mark.parametrize(
    ("given", "alone"), [(["old", "new"], 0.0), (["old"], 1.0), (["new"], 0.0), (["x"], 0.0)]
)
def test_an_outdated_value_without_the_current_one_is_alone(given: list[str], alone: float) -> None:
    half = [measured(case("update", {"new"}, {"old"}), given), measured(case("single", {"a"}), [])]
    assert stale_alone(half) == alone


def test_known_separates_what_was_told() -> None:
    told, never = case("single", {"a"}), case("absence", set())
    half = [measured(told, ["a"], 0.8), measured(never, ["a"], 0.3), measured(told, ["a"], 0.2)]
    assert abstention(half) == 0.5


@pytest.mark.parametrize(
    ("given", "holds"), [(["new", "old"], 1.0), (["old", "new"], 0.0), (["x"], 0.0), (["new"], 1.0)]
)
def test_a_cascade_holds_if_the_change_is_given_first(given: list[str], holds: float) -> None:
    half = [
        measured(case("cascade", {"new"}, {"old"}), given),
        measured(case("absence", set()), [], 0.4),
        measured(case("deletion", set()), [], returned=True),
    ]
    assert consequences(half) == {
        "consequences.cascade": holds,
        "consequences.absence": 1.0,
        "consequences.deletion": 0.0,
    }
