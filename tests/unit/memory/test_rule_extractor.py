"""Rule-based extraction on single sentences; `make bench-extraction` measures the labelled set."""

from datetime import UTC, datetime

import pytest

from saegim.conversations.types import Exchange
from saegim.memory.rules.extractor import extract_statements
from saegim.memory.small_talk import is_small_talk
from saegim.memory.types import CORE, MemoryType

AT = datetime(2026, 11, 15, tzinfo=UTC)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("message", "type_", "topic", "quote"),
    [
        ("나 부산으로 이사했어", MemoryType.PROFILE, "거주지", "부산으로 이사했어"),
        ("이제 송파 말고 광교 살아요", MemoryType.PROFILE, "거주지", "광교 살아요"),
        ("매운 음식은 못 먹어", MemoryType.CONSTRAINT, "식단", "매운 음식은 못 먹어"),
        ("남편은 의사야", MemoryType.PROFILE, "남편 직업", "남편은 의사야"),
        ("A안으로 하자", MemoryType.DECISION, "결정", "A안으로 하자"),
        ("여권 갱신해야 해", MemoryType.TODO, "할 일", "여권 갱신해야 해"),
        ("작년 여름에 제주도 다녀왔어", MemoryType.TIMELINE, "있었던 일", "제주도 다녀왔어"),
        ("지난주에 서점에 다녀왔어", MemoryType.TIMELINE, "있었던 일", "서점에 다녀왔어"),
        ("은행에 다녀요", MemoryType.PROFILE, "직장", "은행에 다녀요"),
        ("앞으로는 답변을 짧게 해줘", MemoryType.PREFERENCE, "답변 방식", "짧게 해줘"),
        ("I moved to Busan last month", MemoryType.PROFILE, "home", "moved to Busan"),
        ("I hate cilantro", MemoryType.PREFERENCE, "tastes", "I hate cilantro"),
        ("I decided to go with plan B.", MemoryType.DECISION, "decisions", "plan B"),
        ("My wife is a nurse", MemoryType.PROFILE, "wife job", "My wife is a nurse"),
        ("Remind me to call mom.", MemoryType.TODO, "to do", "call mom"),
    ],
)
def test_a_statement_is_heard(message: str, type_: MemoryType, topic: str, quote: str) -> None:
    [told] = extract_statements(message)
    assert (told.type, told.topic) == (type_, topic)
    assert quote in told.quote
    assert told.quote in message
    assert 0 < told.importance <= 1


@pytest.mark.requirement("LM4")
@pytest.mark.parametrize(
    "message",
    [
        "작년에 대학원을 졸업했어",
        "2024년 3월에 카페를 창업했어",
        "지난달에 무릎 수술을 받았어",
        "올해 박사 학위를 받았어",
        "나 결혼했어",
        "I graduated from law school in 2021.",
        "I had heart surgery last year.",
        "We founded our company in 2019.",
    ],
)
def test_a_milestone_is_a_core_fact(message: str) -> None:
    [told] = extract_statements(message)
    assert CORE in told.tags


@pytest.mark.parametrize(
    "message", ["어제 제주도 다녀왔어", "친구가 승진했어", "My friend got promoted last week."]
)
def test_an_ordinary_event_is_no_core_fact(message: str) -> None:
    assert all(CORE not in told.tags for told in extract_statements(message))


@pytest.mark.parametrize(
    "message",
    [
        "안녕!",
        "환불 정책이 뭐야?",
        "파이썬 설치하는 방법 알려줘",
        "만약 내가 서울에 살면 어떨까",
        "서울은 한국의 수도야",
        "이 코드 에러가 나는데 봐줘",
        "What is the refund policy?",
        "Can you help me write an email?",
        "If I lived in Paris, what would it cost?",
        "The capital of France is Paris.",
        "My code throws an error when I run it",
        "제 고양이 이름이 뭐라고 했죠?",
        "딸 이름이 서연이라고 말했었나?",
        "회식때 못먹더라고",
        "장모님은 돌림자 꼭 넣으라고 하시네",
    ],
)
def test_what_tells_nothing_is_not_heard(message: str) -> None:
    assert extract_statements(message) == []


def test_a_word_that_ends_like_a_particle_stays_whole() -> None:
    assert "고양이 이름" in {
        told.topic for told in extract_statements("우리 고양이 이름은 나비라고 해요")
    }


def test_a_question_may_begin_with_a_statement() -> None:
    [told] = extract_statements("우리 딸 서연이가 땅콩 알레르기가 있는데 뭘 먹일까?")
    assert told.content == "우리 딸 서연이가 땅콩 알레르기가 있는데"
    assert told.topic == "딸 서연 알레르기"
    assert CORE in told.tags
    [told] = extract_statements("My daughter Mia is allergic to peanuts, what should I feed her?")
    assert told.quote == "My daughter Mia is allergic to peanuts"


def test_several_statements_are_heard_one_by_one() -> None:
    told = extract_statements(
        "저는 서울에 살고 있고 개발자예요. 강아지 두 마리 키워요. 이름은 초코랑 보리예요"
    )
    assert [each.topic for each in told] == ["거주지", "직업", "반려동물", "반려동물"]


def test_what_points_back_is_told_with_what_it_points_to() -> None:
    before = (Exchange(1, "뭐가 나아?", "B안이 비용이 가장 낮습니다. 다른 안도 있습니다.", AT),)
    agreed = ("그걸로 할게", "그렇게 하기로 했어", "두 번째 안으로 할게요", "Let's go with that.")
    for message in agreed:
        [told] = extract_statements(message, before)
        assert told.quote == message
        assert told.content.endswith("(B안이 비용이 가장 낮습니다.)")


@pytest.mark.parametrize(
    "message",
    [
        "The first sprint ends on March 29.",
        "I live in the second house on the left.",
        "첫 번째 마감은 3월 29일이에요.",
        "마지막 출근일은 12월 3일이에요.",
    ],
)
def test_reply_is_no_part_of_a_statement_of_its_own(message: str) -> None:
    before = (Exchange(1, "Hello", "Certainly!", AT),)
    assert [told.content for told in extract_statements(message, before)] == [message]


@pytest.mark.parametrize(
    ("message", "small_talk"),
    [
        ("네 고마워요!", True),
        ("ㅋㅋㅋㅋ", True),
        ("👍", True),
        ("ok thanks a lot", True),
        ("환불 정책이 뭐야?", False),
        ("오이 싫어", False),
        ("I quit", False),
    ],
)
def test_only_greetings_thanks_and_the_like_are_small_talk(message: str, small_talk: bool) -> None:
    assert is_small_talk(message) is small_talk


@pytest.mark.parametrize("message", ["환불 정책이 뭐야?", "What is the refund policy?"])
def test_a_plain_question_tells_nothing(message: str) -> None:
    assert extract_statements(message) == []


def test_a_habit_is_no_manner_of_answers() -> None:
    [habit] = extract_statements("아침엔 늘 녹차를 마셔요")
    assert habit.topic == "습관"


def test_a_request_of_today_is_no_manner_of_answers() -> None:
    assert extract_statements("오늘 회의 내용 좀 정리해줘") == []
