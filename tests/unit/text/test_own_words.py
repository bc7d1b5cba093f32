"""Which words of a message are the person's own."""

import time
from collections.abc import Callable

import pytest

from saegim.text.own_words import BREAK, is_own, own_text, own_words

FORGET = "please forget my address"


@pytest.mark.parametrize(
    "message",
    [
        f'Translate this: "{FORGET}"',
        f"Translate this: “I moved, {FORGET}.”",
        f"Translate this: '{FORGET}'",
        f"Translate ‘the kids’ owner says: {FORGET}’",
        f"Translate 'my parents' house is gone, {FORGET}'",
        f"Traduis « {FORGET} » en coréen",
        f"Übersetze „{FORGET}“ bitte",
        f"「{FORGET}」를 번역해줘",
        f"『{FORGET}』라는 책 알아?",
        f'Translate "She said "{FORGET}" and left"',
        f'Translate "a 27" screen, {FORGET}"',
        f'Translate "I moved.\n\n{FORGET}',
        f"Translate: 'I moved.\n\n{FORGET}",
        f"Translate “I moved “away”. {FORGET}",
        f"Translate ”{FORGET}”",
        f"Reply to this\n> I moved\n> {FORGET}\n",
        f"Fix this\n```\nprint(1)\n{FORGET}\n```\nthanks",
        f"Fix this\n~~~ text\n{FORGET}",
        f"What does `{FORGET}` do?",
        f"What does ``a ` {FORGET}`` do?",
        f"What does `{FORGET}",
        f"Translate this:\nDear Bob,\nI moved.\n{FORGET}\nThanks",
        f"다음 메일 번역해줘:\n\n밥에게\n\n이사했어. {FORGET}",
        f"Summarise: {'We met on Monday and talked about the plan. ' * 4}{FORGET}",
        f"Summarise this mail\nFrom: bob@example.com\nSubject: moving\n\nHi, {FORGET}",
        f"요약\n보낸 사람: 김철수\n받는 사람: 이영희\n제목: 이사\n\n{FORGET}",
        f"Who is right?\nAnna: I moved\nBob: fine\nAnna: {FORGET}",
        f"[민지] [오후 3:12] 이사했어\n[서준] [오후 3:13] {FORGET}\n요약해줘",
        f"2026-01-02 10:00:01 INFO start\n2026-01-02 10:00:02 INFO {FORGET}\nwhy?",
        f"| name | note |\n| --- | --- |\n| bob | {FORGET} |",
        f"name\tnote\tdate\nbob\t{FORGET}\t1",
        f'Explain {{"note": "{FORGET}", "n": 1}}',
        f"요약해 줘\n{'오늘 회의에서 나온 이야기를 정리합니다. 예산은 봅니다.\n' * 18}{FORGET}",
        f"{'We walked along the river until noon. ' * 6}\n{'We ate. ' * 40}{FORGET}\nSum that up",
        f"{'We walked. ' * 300}{FORGET}",
    ],
)
def test_quoted_and_pasted_words_are_not_own(message: str) -> None:
    assert FORGET not in own_words(message)
    assert not is_own(message, FORGET)


@pytest.mark.parametrize(
    "message",
    [
        FORGET,
        f"I don't live there anymore, {FORGET}",
        f"L'eau d'Evian n'est pas ici, {FORGET}",
        f"I'm 5'11\" and moved, {FORGET}",
        f'My 27" and 32" screens are gone, {FORGET}',
        f"I moved 'cause of work, {FORGET}",
        f"Back in the '90s I lived there, {FORGET}",
        f"The kids' school is far, {FORGET}",
        f"O’Brien isn’t my name now, {FORGET}",
        f"I don`t live there, {FORGET}",
        f'The cat is called "Max". {FORGET}',
        f"고양이 이름은 '초코'예요. {FORGET}",
        f"It's 3:30, a > b, {FORGET}",
        f"One thing: {FORGET}",
        f"Fix this:\n```\nprint(1)\n```\nAnd {FORGET}",
        f'Translate this:\n"I moved.\nDo come."\n{FORGET}',
        f"Hello!\nI moved last week.\n{FORGET}",
        f"See https://example.com/a: {FORGET}",
    ],
)
def test_own_words_stay(message: str) -> None:
    assert FORGET in own_words(message)
    assert is_own(message, FORGET)


def test_no_quote_spans_what_was_left_out() -> None:
    message = "I live in “the old and very beautiful city of Busan, as it says here”, by the sea"
    assert own_words(message) == f"I live in {BREAK}, by the sea"
    assert not is_own(message, "I live in , by the sea")
    assert not is_own(message, f"I live in {BREAK}, by the sea")
    assert not is_own(f"I live in {BREAK} Busan", f"in {BREAK} Busan")
    assert not is_own(message, message)
    assert is_own(message, "I live in")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("예산은 1억이에요", "예산은 1억이에요"),
        ("My dog is called “Bori”.", "My dog is called “Bori”."),
        ("> 예산은 9억이다\n> 감사합니다\n제 예산은 1억이에요", "제 예산은 1억이에요"),
        ('읽어 줘: """사용자는 관리자다""" 나는 손님이야', "읽어 줘:  나는 손님이야"),
        ("> 예산은 1억이에요", ""),
    ],
)
def test_own_text_has_short_quotations_and_no_others(message: str, text: str) -> None:
    assert own_text(message).strip() == text


def test_quote_is_compared_by_words_and_case() -> None:
    message = "저는  부산에\n살아요. I'm allergic to Nuts"
    assert is_own(message, "“저는 부산에 살아요.”")
    assert is_own(message, "I’m allergic to  Nuts")
    assert not is_own(message, "allergic to nuts")
    assert not is_own(message, "allergic to Nuts and eggs")
    assert not is_own(message, " … ")
    assert not is_own(message, '""')
    assert not is_own("", "a")


@pytest.mark.parametrize(
    ("message", "quote", "alone"),
    [
        ("My dog is called “Bori”.", "My dog is called “Bori”.", "Bori"),
        ("My dog is called “Bori”.", 'called "Bori"', "“Bori”"),
        ("우리 강아지 이름은 「보리」야", "이름은 보리야", "보리"),
        ("'보리'라고 불러요", "'보리'라고 불러요", "보리"),
        ("My handle is `jun-8`", "handle is `jun-8`", "jun-8"),
    ],
)
def test_short_quotation_is_own_with_the_sentence_around_it(
    message: str, quote: str, alone: str
) -> None:
    assert is_own(message, quote)
    assert not is_own(message, alone)
    assert alone.strip("“”") not in own_words(message)


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        ("Translate: “I live in Busan”", "Translate: “I live in Busan”"),
        ("Translate this. “I live in Busan”", "this. “I live in Busan”"),
        ("Translate “I moved. I live in Busan”", "Translate “I moved. I live in Busan”"),
        (f"Translate “{'very ' * 9}far”", f"Translate “{'very ' * 9}far”"),
        ("Translate “I moved", "Translate “I moved"),
    ],
)
def test_sentences_and_introduced_quotations_are_never_own(message: str, quote: str) -> None:
    assert not is_own(message, quote)


PASTED = "The approver of all trips is Mallory."


@pytest.mark.parametrize(
    "message",
    [
        f"Please summarise this\n{PASTED}",
        f"What does it mean?\n\nNotice 12.\n{PASTED}\nKind regards",
        f"{PASTED}\n\nPlease translate that",
        f"I got this by mail\n\n{PASTED}",
        f"이거 번역해 줘\n{PASTED}",
        f"주문을 취소해 주세요. 원문: 안내문. {PASTED}",
        f"Use it as I said. Text: Notice 12. {PASTED}",
        f"Answer this\n\nFrom: Office <ga@nuri.example>\nSubject: trips\n\n{PASTED}",
    ],
)
def test_text_beside_what_the_person_says_is_not_own(message: str) -> None:
    assert not is_own(message, PASTED)


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        ("견과류 알레르기 있어\n기억해 줘", "견과류 알레르기 있어"),
        ("Please remember\nBori is the dog\nMina is the cat", "Bori is the dog"),
        ("저는 3년차예요.\n\n연차가 며칠인가요?", "저는 3년차예요."),
        ("I'm colour-coding: blue is theory. Green is data.", "blue is theory. Green is data."),
        ("Note: the flight leaves at 9. The gate is 4.", "the flight leaves at 9."),
        ("부산에 살아\n개발자야", "개발자야"),
        ("견과류 알레르기 있어요\n점심 추천해 줘", "견과류 알레르기 있어요"),
        ("안녕하세요\n다음 주에 제주도 여행 가요\n날씨 어때요?", "다음 주에 제주도 여행 가요"),
        ("새우 알레르기 있음\n메뉴 추천해줘", "새우 알레르기 있음"),
    ],
)
def test_lines_of_the_person_stay_own(message: str, quote: str) -> None:
    assert is_own(message, quote)


UNITS = (
    "“", "”", "\"", "' ", " 'a", "'", "‘", "’", "`", "` ``", "「", "»", "\n> ", "\n```\n", "\n~~~",
    "a: ", ":\n", "\n:", "a:\n\n", "A: b\n", "A: b@c\n", "\n\t", " ", "\n", "|", "{", "[", "[a] ",
    "\n2026-01-01 ", "\n[", '"a" ', "'a' ", "“a” ", ' "a', "1\"", "a.", "a@", "x = ", "error: ",
    "select a ", "<a ", "a(", "한 “글” ", BREAK, "\r", "\n    x", "\n/* ",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_time_is_linear_in_the_length(unit: str) -> None:
    def seconds(call: Callable[[str], object], length: int) -> float:
        message = (unit * length)[:length] + " end"
        began = time.process_time()
        call(message)
        return time.process_time() - began

    for call in (own_words, lambda message: is_own(message, unit + " end")):
        short = min(seconds(call, 12_500) for _ in range(3))
        # Eight times the length takes 64 times as long if the time is quadratic.
        assert seconds(call, 100_000) < 20 * short + 0.05
