from datetime import UTC, datetime, timedelta

import pytest

from saegim.chat.rules.about_user import (
    SAID_BEFORE,
    UserStatement,
    answering,
    asks_for_everything,
    current,
    meant_by,
)

NOW = datetime(2026, 11, 17, tzinfo=UTC)
SAID = (
    "내 이름은 김하늘이야.",
    "네이버에서 백엔드 개발자로 일해.",
    "나 판교로 출근해.",
    "매주 화요일에 필라테스 가.",
    "저는 땅콩 알레르기가 있어요",
    "I live in Rotterdam",
    "우리 딸 이름은 서연이야",
)
STATEMENTS = [
    UserStatement(text, NOW + timedelta(hours=at), id=str(at)) for at, text in enumerate(SAID)
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("내 이름이 뭐라고?", "내 이름은 김하늘이야."),
        ("내가 어디로 출근하지?", "나 판교로 출근해."),
        ("나 뭐 못 먹지?", "저는 땅콩 알레르기가 있어요"),
        ("내가 화요일마다 뭐 하지?", "매주 화요일에 필라테스 가."),
        ("Where do I live now?", "I live in Rotterdam"),
        ("우리 딸 이름이 뭐였지?", "우리 딸 이름은 서연이야"),
    ],
)
def test_questions_about_oneself_are_answered_by_attribute(question: str, answer: str) -> None:
    assert [each.text for each in answering(question, STATEMENTS)][:1] == [answer]


def test_what_was_not_told_is_not_answered() -> None:
    assert answering("내 혈액형이 뭐지?", STATEMENTS) == []
    assert answering("what car do I drive?", STATEMENTS) == []


def test_the_speaker_in_a_question_is_no_sign_of_an_answer() -> None:
    home = UserStatement("나는 판교에 살아", NOW, "집")
    assert answering("나는 뭘 좋아해?", [home], least=SAID_BEFORE) == []
    assert answering("나는 어디 살아?", [home], least=SAID_BEFORE) == [home]


def test_a_correction_replaces_what_was_said_before() -> None:
    later = UserStatement("판교 말고 정자로 옮겼어", NOW + timedelta(days=1))
    texts = [each.text for each in current([*STATEMENTS, later])]
    assert "나 판교로 출근해." not in texts
    assert answering("내가 어디로 출근하지?", [*STATEMENTS, later])[0] == later


def test_meaning_finds_what_was_said_in_other_words() -> None:
    statements = [UserStatement("I own the Loom 3 Mini", NOW), UserStatement("I run", NOW)]
    similar = {"I own the Loom 3 Mini": 0.6, "I run": 0.1}
    assert answering("which roaster did I say I have?", statements) == []
    found = answering("which roaster did I say I have?", statements, similar, SAID_BEFORE)
    assert [each.text for each in found] == ["I own the Loom 3 Mini"]


@pytest.mark.parametrize(
    ("request_", "meant"),
    [
        ("필라테스 간다는 거 잊어줘", "매주 화요일에 필라테스 가."),
        ("판교로 출근한다는 거 잊어줘", "나 판교로 출근해."),
        ("땅콩 알레르기 얘기는 지워 주세요", "저는 땅콩 알레르기가 있어요"),
        ("please forget where I live", "I live in Rotterdam"),
        ("forget my address", "I live in Rotterdam"),
    ],
)
def test_a_request_to_forget_means_one_statement(request_: str, meant: str) -> None:
    assert [each.text for each in meant_by(request_, STATEMENTS)] == [meant]


def test_a_request_about_something_else_means_nothing() -> None:
    assert meant_by("자동차 산 거 잊어줘", STATEMENTS) == []
    assert meant_by("방금 한 말 잊어줘", STATEMENTS) == []


def test_everything_is_asked_for_in_so_many_words() -> None:
    assert asks_for_everything("나에 대한 거 전부 다 잊어줘")
    assert asks_for_everything("forget everything about me")
    assert not asks_for_everything("다음 주 여행 잊어줘")
