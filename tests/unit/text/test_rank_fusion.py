import pytest
from hypothesis import given, settings, strategies as st

from saegim.text.rank_fusion import MATCHING, best_first, reciprocal_rank, weighted

PROPERTY = settings(deadline=None)

ITEMS = "abcdefgh"
points = st.floats(0.0, 100.0, allow_nan=False)
similarity = st.floats(-1.0, 1.0, allow_nan=False)
share = st.floats(0.0, 1.0, allow_nan=False)
lexical_arm = st.dictionaries(st.sampled_from(ITEMS), points)
dense_arm = st.dictionaries(st.sampled_from(ITEMS), similarity)


@pytest.mark.requirement("LB5")
def test_reciprocal_rank_sums_one_over_sixty_plus_rank() -> None:
    fused = reciprocal_rank([["a", "b"], ["b", "c"]])
    assert fused == pytest.approx({"b": 1 / 62 + 1 / 61, "a": 1 / 61, "c": 1 / 62})
    assert list(fused) == ["b", "a", "c"]


def test_reciprocal_rank_weighs_rankings_and_counts_an_item_once_in_each() -> None:
    assert reciprocal_rank([["a", "a"], ["b"]], [1.0, 3.0]) == pytest.approx(
        {"b": 3 / 61, "a": 1 / 61}
    )


@PROPERTY
@given(st.lists(st.lists(st.sampled_from(ITEMS), unique=True), max_size=4))
def test_reciprocal_rank_keeps_all_and_never_prefers_a_dominated_item(
    rankings: list[list[str]],
) -> None:
    order = list(reciprocal_rank(rankings))
    assert set(order) == {item for ranking in rankings for item in ranking}
    for better in order:
        for worse in order:
            if rankings and all(
                better in ranking
                and (worse not in ranking or ranking.index(better) < ranking.index(worse))
                for ranking in rankings
            ):
                assert order.index(better) < order.index(worse)


@pytest.mark.requirement("LB5")
@PROPERTY
@given(lexical_arm, dense_arm, share, st.sampled_from(ITEMS), st.floats(0.0, 50.0))
def test_a_higher_lexical_score_never_costs_an_item_its_place(
    lexical: dict[str, float], dense: dict[str, float], dense_share: float, item: str, more: float
) -> None:
    if item not in lexical:
        return
    before = weighted(lexical, dense, dense_share)
    after = weighted(lexical | {item: lexical[item] + more}, dense, dense_share)
    assert _ahead_of(before, item) <= _ahead_of(after, item, slack=1e-9)


@pytest.mark.requirement("LB5")
@PROPERTY
@given(lexical_arm, dense_arm, share, st.sampled_from(ITEMS), st.floats(0.0, 1.0))
def test_a_higher_similarity_never_costs_an_item_its_place(
    lexical: dict[str, float], dense: dict[str, float], dense_share: float, item: str, more: float
) -> None:
    if item not in dense:
        return
    before = weighted(lexical, dense, dense_share)
    after = weighted(lexical, dense | {item: dense[item] + more}, dense_share)
    assert _ahead_of(before, item) <= _ahead_of(after, item, slack=1e-6)


def _ahead_of(scores: dict[str, float], item: str, slack: float = -1e-6) -> set[str]:
    """Returns the items below this one, ignoring rounding."""
    return {other for other, score in scores.items() if scores[item] + slack > score}


@pytest.mark.requirement("LB5")
@PROPERTY
@given(lexical_arm, dense_arm, share)
def test_similarity_never_undoes_a_lead_in_words_beyond_its_share(
    lexical: dict[str, float], dense: dict[str, float], dense_share: float
) -> None:
    scores = weighted(lexical, dense, dense_share)
    for ahead, high in lexical.items():
        for behind, low in lexical.items():
            # Similarity ranges from -1 to 1.
            if (1 - dense_share) * (high - low) > dense_share * 2 * MATCHING + 1e-6:
                assert scores[ahead] > scores[behind]


@PROPERTY
@given(lexical_arm, dense_arm)
def test_an_arm_with_the_whole_share_decides_alone(
    lexical: dict[str, float], dense: dict[str, float]
) -> None:
    words = weighted(lexical, dense, 0.0)
    assert [item for item in words if item in lexical] == list(best_first(lexical))
    meaning = weighted(lexical, dense, 1.0)
    for ahead, high in dense.items():
        for behind, low in dense.items():
            if high - low > 1e-6:
                assert meaning[ahead] > meaning[behind]


@PROPERTY
@given(dense_arm, st.floats(0.01, 1.0))
def test_where_no_word_matches_similarity_decides(
    dense: dict[str, float], dense_share: float
) -> None:
    fused = weighted({}, dense, dense_share)
    for ahead, high in dense.items():
        for behind, low in dense.items():
            if high - low > 1e-6:
                assert fused[ahead] > fused[behind]


def test_a_flat_arm_changes_nothing() -> None:
    lexical = {"a": 3.0, "b": 2.0, "c": 1.0}
    assert list(weighted(lexical, dict.fromkeys("cba", 0.4), 0.9)) == ["a", "b", "c"]


def test_what_the_lexical_arm_left_out_is_below_all_that_it_found() -> None:
    fused = weighted({"a": 9.0, "b": 4.0}, {"a": 0.1, "b": 0.1, "c": 0.1}, 0.0)
    assert list(fused) == ["a", "b", "c"]


def test_words_decide_between_candidates_that_are_about_equally_similar() -> None:
    lexical = {"a": 5.0, "b": 4.0}
    assert list(weighted(lexical, {"a": 0.80, "b": 0.82}, 0.5)) == ["a", "b"]
    assert list(weighted(lexical, {"a": 0.1, "b": 0.9}, 0.5)) == ["b", "a"]


def test_an_item_without_similarity_counts_as_the_farthest() -> None:
    fused = weighted({"a": 1.0, "b": 1.0, "c": 1.0}, {"a": 0.9, "b": 0.2}, 0.5)
    assert fused["c"] == pytest.approx(fused["b"])


def test_equal_scores_stay_in_the_order_in_which_they_came() -> None:
    assert list(weighted({"b": 1.0, "a": 1.0}, {}, 0.25)) == ["b", "a"]
    assert list(best_first({"c": 1.0, "a": 2.0, "b": 1.0})) == ["a", "c", "b"]
