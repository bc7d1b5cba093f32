"""The judge of the conversation benchmark must fail answers that a person would call wrong."""

from datetime import UTC, datetime
from typing import Any

import pytest

from benchmarks.conversation.judge import (
    VisibleAnswer,
    failures,
    fold,
    is_confident,
    refuses,
    repeated,
)
from benchmarks.conversation.messages import Message
from saegim.chat.types import NOTHING_FOUND, NOTHING_READY
from saegim.locales import translate
from saegim.offline.texts import CLOSEST, NEEDS_MODEL

TABLE = """(검색 모드) 언어 모델 없이, 찾은 내용을 그대로 보여 드립니다.

**출장 규정** [1]
> | 직급 | 서울 | 그 외 |
> | --- | --- | --- |
> | 과장 | 130,000원 | 95,000원 |
> | 부장 | 150,000원 | 115,000원 |"""


def message(kind: str, text: str = "질문", **expected: Any) -> Message:
    return Message.model_validate(
        {
            "id": "t-1",
            "user": "u",
            "documents": "office",
            "session": "s",
            "at": datetime(2037, 1, 1, tzinfo=UTC),
            "language": "ko",
            "kind": kind,
            "message": text,
            **expected,
        }
    )


def judged(kind: str, answer: str, *documents: str, **expected: Any) -> list[str]:
    return failures(message(kind, **expected), VisibleAnswer(answer, frozenset(documents)))


CELL = {"first": [["150,000원"]], "rivals": ["115,000원", "130,000원"], "cites": ["출장.md"]}


@pytest.mark.parametrize(
    "answer",
    [
        "부장은 하루 150,000원까지입니다. [1]",
        "**150,000 원** [1]\n\n> | 부장 | 150,000원 | 115,000원 |",
        "부장 · 서울: 150000원 [1]",
    ],
)
def test_an_answer_that_leads_with_the_value_is_right(answer: str) -> None:
    assert judged("cell", answer, "출장.md", **CELL) == []


@pytest.mark.parametrize(
    ("answer", "document", "why"),
    [
        (TABLE, "출장.md", "before"),
        ("부장은 115,000원, 서울은 150,000원입니다. [1]", "출장.md", "before"),
        ("부장은 1,150,000원입니다. [1]", "출장.md", "does not begin"),
        ("부장은 150,000원입니다. [1]", "휴가.md", "instead of"),
        ("규정은 다음과 같습니다. " + "가나다라 " * 70 + "150,000원 [1]", "출장.md", "begin"),
        ("", "출장.md", "is empty"),
    ],
)
def test_a_misleading_answer_to_a_cell_question_fails(answer: str, document: str, why: str) -> None:
    assert any(why in failure for failure in judged("cell", answer, document, **CELL))


@pytest.mark.parametrize(
    "answer",
    [
        translate(NOTHING_FOUND, "ko"),
        "> 안녕 [M7]",
        "안녕하세요! " + "이 문서를 보세요. " * 60,
        "출장 규정에 따르면 7일입니다.",
    ],
)
def test_a_greeting_needs_a_short_greeting_without_quotes(answer: str) -> None:
    assert judged("greeting", answer, must=[["안녕", "반가"]])


def test_a_plain_greeting_is_right() -> None:
    assert judged("greeting", "안녕하세요! 무엇을 도와드릴까요?", must=[["안녕"]]) == []


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("statement", "> 저는 판교에서 일해요. 기억해 줘 [T1]"),
        ("statement", "I couldn't find any documents on this."),
        ("correction", "> 나 판교로 출근해. [T19]"),
        ("forget", "> I'm allergic to peanuts. [M5]"),
        ("dont_remember", "다음 달에 이직하신다고요."),
    ],
)
def test_a_request_that_is_only_echoed_fails(kind: str, answer: str) -> None:
    assert judged(kind, answer)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("statement", "기억했어요: 판교에서 일함"),
        ("correction", "알겠어요. 정자로 바꿨습니다."),
        ("forget", "Done, I deleted that."),
        ("dont_remember", "네, 기억하지 않을게요."),
    ],
)
def test_an_acknowledged_request_is_right(kind: str, answer: str) -> None:
    assert judged(kind, answer) == []


@pytest.mark.parametrize("text", [NOTHING_FOUND, NOTHING_READY, CLOSEST])
@pytest.mark.parametrize("locale", ["ko", "en"])
def test_every_refusal_of_the_product_is_recognised(text: str, locale: str) -> None:
    assert refuses(f"{translate(text, locale)}\n\n- 휴가 규정 [1]")


@pytest.mark.parametrize(
    "answer",
    [
        "그 내용은 말씀해 주신 적이 없어요.",
        "아직 알고 있는 내용이 없습니다.",
        "You haven't told me that.",
        "I have nothing stored about your allergies.",
    ],
)
def test_not_knowing_something_about_the_user_is_a_refusal(answer: str) -> None:
    assert refuses(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "안녕하세요! 문서에 대해 무엇이든 물어보세요.",
        "기억했어요: 없는 날은 수요일",
        "I'm Saegim. I can answer from your documents.",
    ],
)
def test_an_ordinary_reply_is_no_refusal(answer: str) -> None:
    assert not refuses(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "매출은 3억 원입니다. [1]",
        "> 경조금은 찾지 못했습니다. [1]",
        "회사 매출을 말씀하시는군요. " + "매출은 3억 원입니다. " * 20 + "더는 찾지 못했습니다.",
    ],
)
def test_an_invented_or_quoted_answer_is_no_refusal(answer: str) -> None:
    assert judged("unanswerable", answer, refuses=True) == ["answers what nothing answers"]


@pytest.mark.parametrize(
    ("kind", "answer", "confident"),
    [
        ("cell", "부장은 115,000원입니다. [1]", True),
        ("statement", "부장은 115,000원입니다. [1]", True),
        ("cell", f"{translate(CLOSEST, 'ko')}\n\n- 부장은 115,000원입니다.", False),
        ("self_now", "아직 말씀해 주신 적이 없어요.", False),
        ("remark", "부장은 115,000원입니다. [1]", False),
    ],
)
def test_plain_answers_are_confident_but_for_small_talk(
    kind: str, answer: str, confident: bool
) -> None:
    assert is_confident(message(kind), VisibleAnswer(answer)) is confident


def test_needing_a_model_is_right_only_where_one_is_needed() -> None:
    assert judged("count", NEEDS_MODEL, **CELL) == []
    assert judged("cell", NEEDS_MODEL, **CELL)
    assert judged("unanswerable", NEEDS_MODEL, refuses=True) == []
    assert not is_confident(message("cell"), VisibleAnswer(NEEDS_MODEL))


def test_an_old_value_fails_unless_it_is_marked_as_earlier() -> None:
    expected = {"first": [["정자"]], "must_not": ["판교로 출근"]}
    assert judged("self_now", "정자로 출근하세요.\n나 판교로 출근해.", **expected)
    assert not judged("self_now", "정자로 출근하세요.\n나 판교로 출근해 (이후 바뀜)", **expected)


def test_an_answer_about_oneself_must_not_cite_documents() -> None:
    assert judged("self_now", "디자인팀이에요. [1]", "장비.md", must=[["디자인"]], cites=[])


def test_forgotten_words_are_found_in_any_later_answer() -> None:
    answer = VisibleAnswer("천만에요.\n\n> 저는 갑각류 알레르기가 있어요. [M6]")
    assert repeated(answer, ["갑각류"]) == ["갑각류"]
    assert "repeats what was forgotten: 갑각류" in failures(message("thanks"), answer, ["갑각류"])


@pytest.mark.parametrize(
    ("text", "same"),
    [("1,200,000 원", "1200000 원"), ("**A** | b\n c", "a b c"), ("2, 3", "2, 3")],
)
def test_folding_keeps_what_a_reader_tells_apart(text: str, same: str) -> None:
    assert fold(text) == same
