from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given, settings, strategies as st

from saegim.library.ranking import (
    DEFAULT_WEIGHTS,
    READ,
    PassageCandidate,
    RankedPassage,
    RankingWeights,
    first,
    rank,
)

PROPERTY = settings(deadline=None)

ARMS_ALONE = RankingWeights(focus=0.0, feedback=0.0)
scores = st.one_of(st.none(), st.floats(0.0, 60.0, allow_nan=False))
similarities = st.one_of(st.none(), st.floats(-1.0, 1.0, allow_nan=False))
texts = st.text("가나다라 은행서울.\nab1", max_size=40)
found = st.lists(st.tuples(scores, similarities, texts), max_size=45)


def passage(number: int) -> UUID:
    return UUID(int=number)


def candidates(*arms: tuple[float | None, float | None]) -> list[PassageCandidate]:
    return [
        PassageCandidate(passage(number), *scores) for number, scores in enumerate(arms, start=1)
    ]


def order(ranked: list[RankedPassage]) -> list[int]:
    return [one.passage.int for one in ranked]


@pytest.mark.requirement("LB5")
def test_strong_words_stay_first_whatever_similarity_says() -> None:
    both = candidates((60.0, 0.1), (20.0, 0.9))
    assert order(rank("질문", both, {}, ARMS_ALONE)) == [1, 2]


@pytest.mark.requirement("LB5")
def test_weak_words_give_way_to_similarity() -> None:
    both = candidates((4.0, 0.1), (2.0, 0.9))
    assert order(rank("질문", both, {}, ARMS_ALONE)) == [2, 1]


def test_what_only_one_arm_found_is_ranked_too() -> None:
    ranked = rank("질문", candidates((5.0, None), (None, 0.9), (3.0, 0.2)), {}, ARMS_ALONE)
    assert sorted(order(ranked)) == [1, 2, 3]
    assert next(one for one in ranked if one.passage == passage(2)).lexical is None


def test_without_an_embedder_words_alone_rank() -> None:
    assert order(rank("질문", candidates((1.0, None), (3.0, None), (2.0, None)), {})) == [2, 3, 1]


def test_without_a_common_word_similarity_alone_ranks() -> None:
    ranked = rank("question", candidates((None, 0.2), (None, 0.7), (None, 0.5)), {}, ARMS_ALONE)
    assert order(ranked) == [2, 3, 1]


def test_a_question_together_in_one_sentence_beats_its_words_scattered() -> None:
    scattered = "은행은 크다.\n금리는 낮다.\n인가는 없다.\n요건은 많다."
    together = "은행의 인가 요건에는 금리가 없다.\n다른 말."
    both = candidates((20.0, 0.5), (20.0, 0.5))
    ranked = rank("은행 인가 요건 금리", both, {passage(1): scattered, passage(2): together})
    assert order(ranked) == [2, 1]


def test_words_of_the_first_hit_lift_what_shares_them() -> None:
    arms = candidates((30.0, 0.9), (5.0, 0.3), (5.0, 0.3), (4.0, 0.1))
    read = {
        passage(1): "영화 기생충은 봉준호 감독이 만들었다.",
        passage(2): "날씨가 맑은 날이었다.",
        passage(3): "봉준호 감독은 대구에서 태어났다.",
        passage(4): "다른 이야기이다.",
    }
    assert order(rank("기생충 감독의 고향", arms, read)) == [1, 3, 2, 4]
    without = rank("기생충의 고향", arms, read, RankingWeights(feedback=0.0))
    assert order(without) == [1, 2, 3, 4]


def test_signals_say_what_each_arm_found() -> None:
    [one] = rank("질문", candidates((3.0, 0.4)), {passage(1): "질문과 답"})
    assert (one.lexical, one.dense) == (3.0, 0.4)


def test_what_has_no_text_keeps_its_place_by_the_arms() -> None:
    arms = candidates((9.0, 0.5), (8.0, 0.5))
    assert order(rank("질문", arms, {})) == [1, 2]


def test_many_candidates_are_all_ranked_though_not_all_are_read() -> None:
    many = candidates(*((float(number), 0.5) for number in range(READ + 20)))
    read = {one.passage: "질문에 대한 답" for one in many}
    ranked = rank("질문", many, read)
    assert len(ranked) == READ + 20
    assert order(ranked)[0] == READ + 20


@PROPERTY
@given(found)
def test_every_candidate_comes_out_once_best_first_and_the_same_in_any_order(
    arms: list[tuple[float | None, float | None, str]],
) -> None:
    listed = candidates(*((lexical, dense) for lexical, dense, _ in arms))
    read = {one.passage: text for one, (_, _, text) in zip(listed, arms, strict=True)}
    ranked = rank("은행 서울 ab1", listed, read)
    assert sorted(order(ranked)) == list(range(1, len(arms) + 1))
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert [one.passage for one in rank("은행 서울 ab1", listed[::-1], read)] == [
        one.passage for one in ranked
    ]


@PROPERTY
@given(found, st.integers(1, 40))
def test_the_best_are_among_the_first_by_the_arms_whatever_their_text(
    arms: list[tuple[float | None, float | None, str]], count: int
) -> None:
    arms = [(0.0 if dense is None else lexical, dense, text) for lexical, dense, text in arms]
    listed = candidates(*((lexical, dense) for lexical, dense, _ in arms))
    read = {one.passage: text for one, (_, _, text) in zip(listed, arms, strict=True)}
    ranked = [one.passage for one in rank("은행 서울 ab1", listed, read)]
    likely = first(listed, DEFAULT_WEIGHTS, count)
    assert set(ranked[:count]) <= set(likely)
    # Nor does the order depend on the text of what is left out.
    known = {passage: read[passage] for passage in likely}
    assert [one.passage for one in rank("은행 서울 ab1", listed, known)][:count] == ranked[:count]


@PROPERTY
@given(st.text(max_size=60))
def test_any_question_can_be_ranked(question: str) -> None:
    arms = candidates((2.0, 0.3), (1.0, 0.9))
    assert len(rank(question, arms, {passage(1): "서울은 수도", passage(2): question})) == 2


def test_the_same_question_gives_the_same_ranking() -> None:
    arms = candidates((2.0, 0.3), (2.0, 0.3), (2.0, 0.3))
    assert order(rank("질문", arms, {})) == [1, 2, 3]
    assert order(rank("질문", arms[::-1], {})) == [1, 2, 3]


def test_the_only_passage_with_the_words_is_ahead_of_slightly_nearer_ones() -> None:
    """Words that found fewer than they could left out only what holds none of them."""
    ranked = rank("이끌었다", candidates((12.0, 0.4), *[(None, 0.6)] * 20), {}, ARMS_ALONE)
    assert order(ranked)[0] == 1


@pytest.mark.requirement("LB5")
def test_a_corpus_may_fuse_by_reciprocal_rank_instead_of_scores() -> None:
    """By scores a large lead in words decides; by ranks only the order counts."""
    first, second, third = UUID(int=1), UUID(int=2), UUID(int=3)
    candidates = [
        PassageCandidate(first, 90.0, 0.1),
        PassageCandidate(second, 10.0, 0.9),
        PassageCandidate(third, 9.0, 0.8),
    ]
    even = RankingWeights(dense=0.5, focus=0, feedback=0)

    def order(weights: RankingWeights) -> list[UUID]:
        return [one.passage for one in rank("?", candidates, {}, weights)]

    assert order(even) == [first, second, third]
    assert order(replace(even, fusion="ranks")) == [second, first, third]
    scores = {
        one.passage: one.score for one in rank("?", candidates, {}, replace(even, fusion="ranks"))
    }
    assert scores[first] == pytest.approx(30 * 61 * (0.5 / 61 + 0.5 / 63))
