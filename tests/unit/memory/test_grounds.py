"""Which statements rest on which records."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from saegim.domain.scope import Scope
from saegim.memory.confirmations import says_yes
from saegim.memory.rules.grounds import follows_from, grounds_of
from saegim.memory.types import MemoryType, Origin, Record

SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)


def known(content: str, topic: str) -> Record:
    return Record(
        id=uuid4(),
        scope=Scope(UUID(int=1), UUID(int=2), UUID(int=3)),
        type=MemoryType.PROFILE,
        content=content,
        importance=0.5,
        said_at=SAID,
        valid_from=None,
        valid_to=None,
        sources=(),
        quote=content,
        topic=topic,
        tags=frozenset(),
        version=1,
        origin=Origin.FALLBACK,
    )


@pytest.mark.requirement("LM13")
@pytest.mark.parametrize(
    ("statement", "content", "topic", "rests"),
    [
        ("출퇴근은 40분 걸려", "마포에 살아", "거주지", True),
        ("My commute takes 25 minutes", "I live in Logan Square", "home", True),
        ("My commute takes 25 minutes", "I work at Rush", "workplace", True),
        ("집주인이 강아지를 허락했어", "영통으로 이사했어", "거주지", True),
        ("예산에 맞춰 냉장고를 사기로 했어", "예산은 300만원이야", "예산", True),
        ("오픈이 7월 1일이라서 QA는 6월 17일에 넘겨", "오픈은 7월 1일로 하기로 했어", "결정", True),
        ("고양이 나비를 키워", "마포에 살아", "거주지", False),
        ("출퇴근은 40분 걸려", "고양이 나비를 키워", "반려동물", False),
        ("출퇴근은 40분 걸려", "아내는 분당에 살아", "아내 거주지", False),
        ("부산으로 이사했어, 월세 50", "마포에 살아", "거주지", False),
        ("커피가 좋아서 매일 마셔", "오픈 예정은 7월 1일", "마감", False),
    ],
)
def test_grounds(statement: str, content: str, topic: str, rests: bool) -> None:
    record = known(content, topic)
    own = "거주지" if "이사했어" in statement else ""
    assert list(grounds_of(statement, own, [record])) == ([record.id] if rests else [])


@pytest.mark.requirement("LM13")
def test_consequence_follows_the_statement_before() -> None:
    message = "유나님이 휴가야. 그래서 오픈을 7월로 미뤘어"
    assert follows_from(message, "오픈을 7월로 미뤘어")
    assert not follows_from("유나님이 휴가야. 오픈을 7월로 미뤘어", "오픈을 7월로 미뤘어")
    assert not follows_from(message, "유나님이 휴가야")


@pytest.mark.requirement("LM13")
@pytest.mark.parametrize(
    ("message", "yes"),
    [
        ("응 맞아", True),
        ("네, 그대로예요", True),
        ("yes, still the same", True),
        ("아니 바뀌었어", False),
        ("yes but it takes an hour now", False),
        ("어제 뭐 했지?", False),
        ("응급실이 어디야?", False),
        ("변함없어요", True),
        ("아직도 그래요", True),
        ("여전해", True),
        ("네, 그런데 이사했어요", False),
        ("네, 근데 지금은 강남에 살아요", False),
        ("어, 잘 모르겠어", False),
        ("네?", False),
        ("right, I moved", False),
    ],
)
def test_yes(message: str, yes: bool) -> None:
    assert says_yes(message) == yes
