"""Which words of a turn tell a record that is forgotten."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from saegim.conversations.types import Redactions, StatementFate, Turn, TurnState
from saegim.domain.scope import Scope
from saegim.memory.redaction import (
    ForgottenRecord,
    as_recalled,
    quoted_in,
    repeats,
    said_in,
    text_without,
)

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
MOVED = ForgottenRecord("부산으로 이사했어", "2026년 3월 1일 부산으로 이사했다", was_said=True)
BUDGET = ForgottenRecord("예산은 1.5억이야", "예산은 1.5억이다", was_said=True)


def turn(message: str, reply: str = "") -> Turn:
    scope = Scope(uuid4(), uuid4(), uuid4())
    return Turn(
        uuid4(),
        scope,
        uuid4(),
        uuid4(),
        1,
        TurnState.DONE,
        message,
        reply,
        1,
        AT,
        redactions=Redactions(),
    )


def left(forgotten: ForgottenRecord, message: str, reply: str = "", *, source: bool = True) -> str:
    said = turn(message, reply)
    struck = said_in(forgotten, said, source=source)
    exchange = Turn(
        said.id,
        said.scope,
        said.session,
        said.assistant,
        1,
        TurnState.DONE,
        message,
        reply,
        1,
        AT,
        redactions=struck,
    ).exchange()
    return f"{exchange.message}|{exchange.reply}"


@pytest.mark.parametrize(
    ("message", "reply", "expected"),
    [
        ("나 어제 부산으로  이사했어", "", "나 어제 […]|"),
        (
            "부산으로 이사했어. 강아지 초코를 키워",
            "부산이시군요! 초코도 잘 있죠?",
            "[…]. 강아지 초코를 키워|[…] 초코도 잘 있죠?",
        ),
        ("부산으로 이사했어", "이사하셨군요.\n축하해요.", "[…]|[…]\n축하해요."),
        ("부산으로 이사했어. 이사를 부산으로 한 거야", "", "[…]|"),
        ("그걸로 할게", "부산으로 이사했어", "그걸로 할게|[…]"),
    ],
)
def test_the_quote_goes_with_what_the_reply_says_of_it(
    message: str, reply: str, expected: str
) -> None:
    assert left(MOVED, message, reply) == expected


def test_a_turn_that_said_it_in_other_words_loses_the_sentences_that_share_some() -> None:
    said = "이사는 부산 쪽이야. 초코를 키워"
    assert left(MOVED, said) == "[…] 초코를 키워|"
    assert left(MOVED, "거기 살아", "그렇군요") == "[…]|[…]", "nothing tells it apart: all of it"


def test_a_quote_with_something_masked_is_found() -> None:
    said = ForgottenRecord("번호는 [PHONE] 이야", "번호는 [PHONE]", was_said=True)
    assert left(said, "내 번호는 010-1234-5678 이야. 초코를 키워") == "내 […]. 초코를 키워|"


@pytest.mark.parametrize(
    ("message", "reply", "expected"),
    [
        ("내 예산 얼마야?", "1.5억입니다. 더 필요하신가요?", "[…]|[…] 더 필요하신가요?"),
        ("예산이 뭐야?", "돈을 쓰는 계획입니다.", "예산이 뭐야?|돈을 쓰는 계획입니다."),
        ("초코 밥 줬어", "잘했어요.", "초코 밥 줬어|잘했어요."),
    ],
)
def test_another_turn_loses_it_where_it_repeats_most_of_its_words(
    message: str, reply: str, expected: str
) -> None:
    assert left(BUDGET, message, reply, source=False) == expected


def test_what_nobody_said_is_struck_from_replies_alone() -> None:
    written = ForgottenRecord("", "예산은 1.5억이다", was_said=False)
    assert left(written, "예산 1.5억 맞지?", "예산은 1.5억입니다.", source=False) == (
        "예산 1.5억 맞지?|[…]"
    )


def test_english_words_are_told_by_their_stems() -> None:
    allergy = ForgottenRecord("I'm allergic to peanuts", "Allergic to peanuts", was_said=True)
    said = "I'm allergic to peanuts. My dog is Choco."
    assert left(allergy, said, "Peanuts are out, then. Hi Choco!") == (
        "[…]. My dog is Choco.|[…] Hi Choco!"
    )


def test_what_a_quote_was_too_long_for_goes_with_it() -> None:
    long = "아주 긴 이야기 " * 80
    told = ForgottenRecord(long[:500], "긴 이야기", was_said=True)
    assert left(told, long, "그랬군요.") == "[…]|그랬군요."


def test_another_number_is_another_statement() -> None:
    said = "예산은 1억이야"
    assert left(BUDGET, said, source=False) == f"{said}|"


def test_a_digest_tells_the_others_still_or_goes() -> None:
    listed = "2026-03-01: 부산으로 이사했다\n2026-03-02: 초코를 키운다"
    assert text_without(listed, MOVED) == "2026-03-02: 초코를 키운다"
    assert text_without("2026-03-01: 부산으로 이사했다", MOVED) == ""
    assert text_without("여러 일이 있었다.", MOVED) == "여러 일이 있었다."
    assert repeats("예산: 1.5억", BUDGET)
    assert not repeats("예산: 1억", BUDGET)


def test_what_was_corrected_since_says_so_where_it_stands() -> None:
    said = "예산은 1억이야. 초코를 키워"
    [(_, end)] = quoted_in("예산은 1억이야", turn(said)).message
    scope = Scope(uuid4(), uuid4(), uuid4())

    def recalled(message: str, why: StatementFate, at: int) -> str:
        return as_recalled(
            Turn(
                uuid4(),
                scope,
                uuid4(),
                uuid4(),
                1,
                TurnState.DONE,
                message,
                "네.",
                1,
                AT,
                outdated=((at, why),),
            )
        )

    assert recalled(said, StatementFate.CORRECTED, end) == (
        "예산은 1억이야 (이후 정정됨). 초코를 키워\n네."
    )
    assert recalled("My budget is $5", StatementFate.REPLACED, 15).startswith(
        "My budget is $5 (changed since)"
    )
