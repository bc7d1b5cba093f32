import math

import pytest
from hypothesis import given, settings, strategies as st

from saegim.text.ranking_metrics import (
    all_gold,
    ndcg,
    paired_bootstrap,
    recall,
    reciprocal_rank,
)

PROPERTY = settings(deadline=None)

items = st.lists(st.sampled_from("abcdefgh"), unique=True)


def test_recall_counts_the_right_ones_among_the_first() -> None:
    assert recall(["x", "a", "b"], {"a", "b"}, 2) == 0.5
    assert recall(["a"], set[str](), 10) == 0.0


def test_all_gold_asks_for_every_right_one() -> None:
    assert all_gold(["a", "x", "b"], {"a", "b"}, 3) == 1.0
    assert all_gold(["a", "x", "b"], {"a", "b"}, 2) == 0.0
    assert all_gold(["a"], set[str](), 10) == 0.0


def test_reciprocal_rank_is_of_the_first_right_one() -> None:
    assert reciprocal_rank(["x", "y", "a", "b"], {"a", "b"}) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x"], {"a"}) == 0.0


def test_ndcg_discounts_by_rank_against_the_best_possible() -> None:
    ideal = 1 + 1 / math.log2(3)
    assert ndcg(["a", "x", "b"], {"a", "b"}, 10) == pytest.approx((1 + 1 / 2) / ideal)
    assert ndcg(["x", "a"], {"a"}, 10) == pytest.approx(1 / math.log2(3))
    assert ndcg(["x", "a"], {"a"}, 1) == 0.0


def test_ndcg_with_more_right_ones_than_places_can_still_be_one() -> None:
    assert ndcg(["a", "b"], {"a", "b", "c"}, 2) == pytest.approx(1.0)


def test_what_stands_twice_gains_once() -> None:
    assert ndcg(["a", "a", "a"], {"a", "b"}, 3) == ndcg(["a"], {"a", "b"}, 3)
    assert recall(["a", "a"], ["a", "b"], 2) == 0.5


@PROPERTY
@given(items, items, st.integers(1, 10))
def test_every_measure_is_between_0_and_1_and_1_where_the_right_ones_are_first(
    ranked: list[str], gold: list[str], count: int
) -> None:
    for measure in (recall, all_gold, ndcg):
        assert 0.0 <= measure(ranked, gold, count) <= 1.0
    assert 0.0 <= reciprocal_rank(ranked, gold) <= 1.0
    if gold:
        assert ndcg(gold + ranked, gold, count) == pytest.approx(1.0)


def test_a_clear_gain_is_better_and_a_clear_loss_is_worse() -> None:
    good, bad = [0.9, 0.8, 1.0, 0.7] * 20, [0.2, 0.1, 0.3, 0.0] * 20
    gain = paired_bootstrap(good, bad)
    assert gain.mean == pytest.approx(0.7)
    assert gain.low > 0
    assert not gain.is_worse
    assert paired_bootstrap(bad, good).is_worse


def test_a_difference_that_chance_explains_is_neither() -> None:
    one = [1.0, 0.0] * 30
    other = [0.0, 1.0] * 30
    difference = paired_bootstrap(one, other)
    assert difference.low < 0 < difference.high
    assert difference.low <= 0
    assert not difference.is_worse


def test_the_bootstrap_pairs_by_question_and_repeats_itself() -> None:
    hard_and_easy = [0.0, 1.0] * 50
    slightly_better = [score + 0.01 for score in hard_and_easy]
    assert paired_bootstrap(slightly_better, hard_and_easy).low > 0
    assert paired_bootstrap(slightly_better, hard_and_easy) == paired_bootstrap(
        slightly_better, hard_and_easy
    )


def test_questions_have_to_be_the_same() -> None:
    with pytest.raises(ValueError, match="zip"):
        paired_bootstrap([1.0], [1.0, 0.0])


def test_no_questions_make_no_difference() -> None:
    difference = paired_bootstrap([], [])
    assert (difference.mean, difference.low, difference.high) == (0.0, 0.0, 0.0)
