from uuid import UUID

import pytest

from saegim.library.ranking import DEFAULT_WEIGHTS, PassageCandidate, RankingWeights
from saegim.library.synthetic_questions import chosen, made
from saegim.library.types import PassageLocation
from saegim.library.weight_fitting import (
    LabelledQuestion,
    QuestionCandidates,
    RankingQuality,
    TuningResult,
    order,
    tune,
)
from saegim.text.ranking_metrics import Difference
from tests.unit.library.located_passages import place

ARMS_ALONE = RankingWeights(focus=0.0, feedback=0.0)
RIGHT, WRONG = UUID(int=1), UUID(int=2)


def asked(
    number: int, right: tuple[float, float], wrong: tuple[float, float]
) -> QuestionCandidates:
    """A question with two candidates, of which the first is right."""
    return QuestionCandidates(
        LabelledQuestion(f"질문 {number}", passages=frozenset({RIGHT})),
        [PassageCandidate(RIGHT, *right), PassageCandidate(WRONG, *wrong)],
        {},
        {RIGHT: UUID(int=11), WRONG: UUID(int=12)},
    )


MEANING_KNOWS = [asked(number, (1.0, 0.9), (9.0, 0.1)) for number in range(60)]
WORDS_KNOW = [asked(number, (9.0, 0.1), (1.0, 0.9)) for number in range(60)]


@pytest.mark.requirement("LB5")
def test_weights_follow_the_arm_that_knows_and_are_measured_on_what_was_left_out() -> None:
    tuned = tune(MEANING_KNOWS, RankingWeights(dense=0.1, focus=0.0, feedback=0.0))
    assert tuned.fitted.dense > 0.1
    assert tuned.before.ndcg10 < 1.0
    assert tuned.held_out.ndcg10 == tuned.held_out.mrr == 1.0
    assert tuned.gain.low > 0
    assert tuned.is_worth_it


def test_weights_that_are_right_already_stay() -> None:
    tuned = tune(WORDS_KNOW, RankingWeights(dense=0.1, focus=0.0, feedback=0.0))
    assert tuned.fitted == tuned.weights
    assert not tuned.is_worth_it


@pytest.mark.parametrize(
    ("gain", "worth"),
    [
        (Difference(0.01, -0.01, 0.03), True),
        (Difference(0.0, 0.0, 0.0), True),
        (Difference(-0.001, -0.01, 0.01), False),
        (Difference(-0.02, -0.03, -0.01), False),
    ],
)
def test_weights_that_lose_on_what_was_left_out_are_not_worth_it(
    gain: Difference, worth: bool
) -> None:
    figures = RankingQuality(0.9, 0.9, 0.9)
    tuned = TuningResult(60, DEFAULT_WEIGHTS, ARMS_ALONE, figures, figures, gain)
    assert tuned.is_worth_it is worth


def test_too_few_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        tune(MEANING_KNOWS[:2], ARMS_ALONE)


def test_a_question_whose_answer_is_a_document_is_ranked_by_documents() -> None:
    one = QuestionCandidates(
        LabelledQuestion("질문", documents=frozenset({UUID(int=11)})),
        [
            PassageCandidate(RIGHT, 5.0, 0.5),
            PassageCandidate(WRONG, 4.0, 0.4),
            PassageCandidate(UUID(int=3), 3.0, 0.3),
        ],
        {},
        {RIGHT: UUID(int=11), WRONG: UUID(int=11), UUID(int=3): UUID(int=12)},
    )
    assert order(one, ARMS_ALONE) == [UUID(int=11), UUID(int=12)]


def places() -> list[PassageLocation]:
    subjects = ("결제", "환불", "배송", "가입", "탈퇴", "쿠폰", "포인트", "문의", "교환")
    return [
        place(
            number,
            f"{subject} 화면에서 신청 버튼을 누르면 담당자가 {number + 3}일 안에 {subject} 요청을 "
            f"확인하고 결과를 알려 드립니다. 자세한 {subject} 규정은 고객 센터에 있습니다.",
            title=f"{subject} 안내",
            path=(f"{subject} 방법",),
        )
        for number, subject in enumerate(subjects)
    ]


def test_made_questions_are_the_same_for_a_seed_and_leave_something_out() -> None:
    them = places()
    questions = made(them, seed=7)
    assert questions == made(them, seed=7)
    assert questions != made(them, seed=8)
    assert len(questions) == len(them)
    headings = [one for one in questions if one.documents]
    others = [one for one in questions if one.passages]
    assert len(headings) == 3
    assert len(others) == 6
    by_id = {one.passage.id: one.passage.text for one in them}
    for one in others:
        [passage] = one.passages
        assert one.text not in by_id[passage], "not a copy"
        assert set(one.text.split()) <= set(by_id[passage].replace(".", " ").split()) | set(
            by_id[passage].split()
        )


def test_a_sample_of_passages_does_not_depend_on_their_order() -> None:
    them = [UUID(int=number) for number in range(100)]
    assert chosen(them, 10, 1) == chosen(reversed(them), 10, 1)
    assert chosen(them, 10, 1) != chosen(them, 10, 2)


def test_passages_that_say_nothing_give_no_question() -> None:
    assert made([place(1, "네", title=None, path=())], seed=0) == []


def test_the_defaults_are_among_what_is_tried() -> None:
    assert tune(MEANING_KNOWS, DEFAULT_WEIGHTS).weights == DEFAULT_WEIGHTS
