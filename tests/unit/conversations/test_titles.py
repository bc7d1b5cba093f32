"""Titles of conversations by rule, and what is left of a model's."""

import pytest

from saegim.conversations.sessions import LONGEST_TITLE, title_by_rule
from saegim.conversations.titles import tidied


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("안녕하세요, 휴가 규정이 궁금합니다.", "휴가 규정이 궁금합니다"),
        ("안녕하세요! 혹시 팀 요금제는 한 달에 얼마예요?", "팀 요금제는 한 달에 얼마예요"),
        ("저기요, 질문이 있는데요, VPN이 안 돼요", "VPN이 안 돼요"),
        ("하나만 물어볼게요. 배포는 언제예요?", "배포는 언제예요"),
        ("Can you tell me how to reset my password?", "How to reset my password"),
        ("Hi there, could you please explain the refund policy.", "The refund policy"),
        ("Hello!", "Hello"),
        ("안녕하세요", "안녕하세요"),
        ("안녕히 계세요라고 쓰는 법", "안녕히 계세요라고 쓰는 법"),
        ("High latency in Seoul", "High latency in Seoul"),
        ("저장 공간이 부족해요", "저장 공간이 부족해요"),
        ("???", "???"),
        ("첫 줄\n\n둘째 줄", "첫 줄 둘째 줄"),
    ],
)
def test_a_title_has_no_greeting_and_no_full_stop(message: str, title: str) -> None:
    assert title_by_rule(message) == title


def test_a_long_message_is_cut_at_a_word() -> None:
    title = title_by_rule("비용이 " * 40)

    assert len(title) <= LONGEST_TITLE
    assert set(title.split()) == {"비용이"}


def test_a_models_title_is_bounded() -> None:
    assert tidied('"EC2 비용을 줄이는 방법."\n') == "EC2 비용을 줄이는 방법"
    assert tidied("one two three four five six seven eight") == "one two three four five six"
