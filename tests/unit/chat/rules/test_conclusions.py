"""Which questions are answered in sum."""

import pytest

from saegim.chat.rules.conclusions import asks_for_summary


@pytest.mark.parametrize(
    "message",
    [
        "나는 먹는 걸로 치면 어떤 사람이야?",
        "요즘 내가 뭐에 신경 쓰고 있지?",
        "내 일에서 뭐가 바뀌었어?",
        "What has been on my mind lately?",
        "What have I said about Priya?",
        "Give me a summary of my health.",
    ],
)
def test_a_question_for_several_facts_is_one_in_sum(message: str) -> None:
    assert asks_for_summary(message)


@pytest.mark.parametrize(
    "message",
    [
        "So where's my desk these days?",
        "Friday evening I am busy with what?",
        "제가 무슨 알레르기 있다고 했죠?",
        "What's my daughter's name?",
        "요즘 점심은 어디서 먹어?",
    ],
)
def test_a_question_for_one_fact_is_not(message: str) -> None:
    assert not asks_for_summary(message)
