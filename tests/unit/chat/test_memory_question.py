"""What a question to memory asks for, about what, and of which time."""

from datetime import UTC, date, datetime

import pytest

from saegim.chat.memory_questions.question import read_question
from saegim.chat.memory_questions.types import QuestionKind

pytestmark = pytest.mark.requirement("LM14")

NOW = datetime(2026, 11, 18, 3, tzinfo=UTC)
PROFILE, DECISION, CHANGES = QuestionKind.PROFILE, QuestionKind.DECISION, QuestionKind.CHANGES
WHEN, OPEN = QuestionKind.WHEN, QuestionKind.OPEN


@pytest.mark.parametrize(
    ("text", "kind", "topic"),
    [
        ("나에 대해 뭘 알아?", PROFILE, ""),
        ("나 뭐 기억해?", PROFILE, ""),
        ("What do you know about me?", PROFILE, ""),
        ("who am i", PROFILE, ""),
        ("What do you know about my dog?", OPEN, "dog"),
        ("예산에 대해 뭘 결정했고 왜 그랬어?", DECISION, "예산"),
        ("왜 포스트그레스를 쓰기로 했지?", DECISION, "포스트그레스를"),
        ("What did I decide about the budget and why?", DECISION, "budget"),
        ("Which database did we choose?", DECISION, "database"),
        ("3월 이후 뭐가 바뀌었어?", CHANGES, ""),
        ("출시일이 어떻게 바뀌었어?", CHANGES, "출시일이"),
        ("what changed since March?", CHANGES, ""),
        ("What has changed about the launch since last month?", CHANGES, "launch"),
        ("언제 부산으로 이사했지?", WHEN, "부산으로 이사했지"),
        ("When did I move to Busan?", WHEN, "move busan"),
        ("내 고양이 이름이 뭐야?", OPEN, "고양이 이름이"),
    ],
)
def test_kind_and_topic(text: str, kind: QuestionKind, topic: str) -> None:
    question = read_question(text, NOW, "Asia/Seoul")

    assert (question.kind, question.topic) == (kind, topic)


@pytest.mark.parametrize(
    ("text", "first", "past"),
    [
        ("3월 이후 뭐가 바뀌었어?", date(2026, 3, 1), date(2026, 11, 19)),
        ("what changed since March?", date(2026, 3, 1), date(2026, 11, 19)),
        ("3월에 뭐가 바뀌었어?", date(2026, 3, 1), date(2026, 4, 1)),
        ("12월 이후 바뀐 거 있어?", date(2025, 12, 1), date(2026, 11, 19)),
        ("작년에 무슨 결정을 했어?", date(2025, 1, 1), date(2026, 1, 1)),
        ("What's new since January?", date(2026, 1, 1), date(2026, 11, 19)),
    ],
)
def test_time_of_a_question(text: str, first: date, past: date) -> None:
    span = read_question(text, NOW, "Asia/Seoul").span

    assert span is not None
    assert (span.first.date(), span.past.date()) == (first, past)


def test_a_question_without_a_date_has_no_time() -> None:
    assert read_question("May I know what I like?", NOW, "UTC").span is not None
    assert read_question("may I know what I like?", NOW, "UTC").span is None


@pytest.mark.parametrize(("text", "why"), [("왜 골랐지?", True), ("뭘 골랐지?", False)])
def test_whether_it_asks_why(text: str, why: bool) -> None:
    assert read_question(text, NOW, "UTC").asks_why is why
