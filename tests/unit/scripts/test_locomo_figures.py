"""Figures of LoCoMo: means of classes, their interval, and the held-out conversations."""

import pytest

from benchmarks.memory.locomo import Answer, held_out, interval, means


def _answer(kind: str, ndcg: float) -> Answer:
    return Answer(kind, recall=1.0, ndcg=ndcg, within={})


def test_each_class_counts_the_same() -> None:
    kinds = {"temporal": [_answer("temporal", 1.0)] * 9, "open": [_answer("open", 0.0)]}

    assert means("locomo.shipped", kinds) == {
        "locomo.shipped.r10": 1.0,
        "locomo.shipped.ndcg10": 0.5,
    }


def test_interval_contains_the_mean_and_repeats() -> None:
    kinds = {"temporal": [_answer("temporal", value / 100) for value in range(101)]}

    low, high = interval(kinds)

    assert (low, high) == interval(kinds)
    assert low == pytest.approx(0.5 - 1.96 * 0.0290, abs=0.01)
    assert high == pytest.approx(0.5 + 1.96 * 0.0290, abs=0.01)


def test_equal_answers_have_an_interval_of_no_width() -> None:
    assert interval({"temporal": [_answer("temporal", 0.4)] * 5}) == pytest.approx((0.4, 0.4))


def test_half_of_the_ten_conversations_is_held_out() -> None:
    assert len(held_out()) == 5
