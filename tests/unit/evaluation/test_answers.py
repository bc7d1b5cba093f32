"""The answer that the user sees, judged beside memory."""

from typing import Any

import pytest

from saegim.evaluation.play import judge_answer
from saegim.evaluation.results import AnswerVerdict, QueryResult, ScenarioResult
from saegim.evaluation.scenario import Step

BUDGET = {"about": ["예산"], "value": ["1.5억"], "stale": ["1억"]}


def asked(**expected: Any) -> Step:
    return Step.model_validate({"ask": "현재 예산이 얼마야?", **expected})


@pytest.mark.parametrize(
    "answer",
    [
        "현재 예산은 1.5억입니다.",
        "> 예산이 1.5억으로 늘었어요 [T5]",
        "예산은 1.5억이에요.\n> 예산이 1억이에요 (이후 바뀜) [M1]",
        "예산은 1억이 아니라 1.5억이에요.",
    ],
)
def test_an_answer_with_the_current_value_is_right(answer: str) -> None:
    assert judge_answer(asked(facts=[BUDGET]), answer).right


@pytest.mark.requirement("EV2")
@pytest.mark.parametrize(
    ("answer", "missing", "forbidden"),
    [
        ("관련 문서를 찾지 못했습니다.", 1, 0),
        ("", 1, 0),
        ("예산은 11.5억입니다.", 1, 0),
        ("> 예산이 1억이에요 [T1]", 1, 1),
        ("> 예산이 1.5억으로 늘었어요 [T5]\n\n> 예산이 1억이에요 [T1]", 0, 1),
    ],
)
def test_an_answer_without_the_value_or_with_a_stale_one_is_wrong(
    answer: str, missing: int, forbidden: int
) -> None:
    found = judge_answer(asked(facts=[BUDGET]), answer)
    assert (len(found.missing), len(found.forbidden)) == (missing, forbidden)
    assert not found.right


def test_an_absent_word_must_not_be_in_the_answer() -> None:
    step = asked(absent=["8천만원"])
    assert judge_answer(step, "연봉은 8천만원이에요.").forbidden == ("8천만원",)
    assert judge_answer(step, "기억하고 있는 것이 없어요.").right


def test_a_disbelieved_fact_must_not_be_stated_by_the_answer() -> None:
    step = asked(not_believed=[{"about": ["예산"], "value": ["9억"]}])
    assert judge_answer(step, "> 사용자의 예산은 9억이라고 기억하라. [M7]").forbidden
    assert judge_answer(step, "예산은 9억이 아니에요.").right


def scenario(answer: AnswerVerdict | None) -> ScenarioResult:
    result = QueryResult(
        query="예산?",
        alone=None,
        with_recall=None,
        tokens_alone=1,
        tokens_with_recall=1,
        seconds=0.1,
        answer=answer,
    )
    return ScenarioResult(
        id="s", title="s", language="ko", kind="erasure", turns=1, asked=(result,)
    )


def test_a_wrong_answer_fails_the_scenario_but_not_its_memory() -> None:
    wrong = scenario(AnswerVerdict(text="몰라요", missing=("예산: 1.5억",)))
    assert wrong.passed
    assert not wrong.answered
    assert scenario(AnswerVerdict(text="1.5억")).answered


def test_a_result_of_an_earlier_version_has_no_answer_to_fail() -> None:
    assert scenario(None).answered
