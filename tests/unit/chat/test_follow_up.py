"""A follow-up is resolved from the whole state: the last turns, then the summary."""

from datetime import UTC, datetime

import pytest

from saegim.chat.review import prompt
from saegim.chat.types import AssistantConfig
from saegim.chat.understanding import UnderstandingInput, understand, whole_question
from saegim.conversations.types import Entity, Exchange

AT = datetime(2026, 11, 15, tzinfo=UTC)


@pytest.mark.requirement("WM6")
@pytest.mark.parametrize(
    ("said", "follow_up", "meant"),
    [
        (["11월 분석해줘"], "1월은?", "1월 분석해줘"),
        (["11월 분석해줘", "EC2가 왜 늘었어?"], "그럼 1월은?", "1월 분석해줘"),
        (["11월 분석해줘", "12월은?"], "1월도?", "1월 분석해줘"),
        (["3분기 매출 보여줘"], "4분기는 어때?", "4분기 매출 보여줘"),
        (["Analyze November"], "And January?", "Analyze January"),
        (["Show me the Q3 report"], "what about Q4?", "Show me the Q4 report"),
        (["11월 분석해줘"], "2025년은?", None),
        (["안녕"], "1월은?", None),
        (["11월 분석해줘"], "1월에 뭐 하지?", None),
    ],
)
def test_a_follow_up_takes_the_place_of_what_it_names(
    said: list[str], follow_up: str, meant: str | None
) -> None:
    assert whole_question(follow_up, said) == meant


@pytest.mark.requirement("WM6")
def test_a_follow_up_is_resolved_from_the_summary_once_its_turn_is_folded() -> None:
    summary = "사용자는 11월 AWS 비용을 서비스별로 분석했다.\n담당자는 김민수다."
    said = tuple(Exchange(n, text, "네", AT) for n, text in enumerate(("고마워", "알림은 꺼 줘")))
    reading = UnderstandingInput("1월은?", said, AssistantConfig(), (), summary)

    assert understand(reading).standalone == "사용자는 1월 AWS 비용을 서비스별로 분석했다."


@pytest.mark.requirement("WM6")
def test_the_step_that_reads_a_message_is_shown_the_whole_state() -> None:
    reading = UnderstandingInput(
        "1월은?",
        (Exchange(9, "고마워", "천만에요", AT),),
        AssistantConfig(),
        (),
        "사용자는 11월 비용을 분석했다.",
        (Entity("provider", "aws", 3),),
    )
    [message] = prompt(reading, ()).messages

    for part in ("사용자는 11월 비용을 분석했다.", "provider: aws", "user: 고마워", "1월은?"):
        assert part in message.text
