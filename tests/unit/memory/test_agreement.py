"""A statement of the answer is the user's own only if they agree with it."""

from datetime import UTC, datetime

import pytest

from saegim.memory.candidate import Speaker
from saegim.memory.extraction.extractor import ExtractionInput, StatementForm, accepted, takes_up
from saegim.memory.types import MemoryType

SPEAKER = Speaker(datetime(2026, 11, 15, tzinfo=UTC), "Asia/Seoul")


@pytest.mark.parametrize(
    "message",
    [
        "그걸로 할게",
        "B안으로 하자",
        "응, 그렇게 해줘",
        "방금 말한 대로 진행",
        "let's go with that one",
        "OK, remember that",
    ],
)
def test_a_message_that_agrees(message: str) -> None:
    assert takes_up(message)


@pytest.mark.parametrize(
    "message", ["EC2 비용은?", "예약 인스턴스 인터넷에서 검색해줘", "What does it cost?"]
)
def test_a_message_that_asks(message: str) -> None:
    assert not takes_up(message)


@pytest.mark.requirement("LM2")
def test_only_what_was_agreed_to_is_taken_from_an_answer() -> None:
    reply = "B안은 월 300만 원입니다."
    statement = StatementForm(
        type=MemoryType.DECISION, content="B안으로 정했다", quote="B안은 월 300만 원"
    )

    def told(message: str, of_documents: bool = False) -> int:
        return len(
            accepted([statement], ExtractionInput(message, reply, SPEAKER, (), of_documents))
        )

    assert told("그걸로 할게") == 1
    assert told("얼마야?") == 0
    assert told("그걸로 할게", of_documents=True) == 0
    assert told("B안은 월 300만 원으로 하자", of_documents=True) == 1
