"""Which own words plainly ask to undo a change of memory, or to keep a message out of it."""

import pytest

from saegim.memory.proposals import asks_to_undo_change, plainly_leaves_out

pytestmark = pytest.mark.requirement("LM11")

CHANGED = ["My dog is called Bori", "나는 부산에 살아"]


@pytest.mark.parametrize(
    "message",
    [
        "undo",
        "Actually, can you undo that?",
        "Wait, take that back.",
        "Can you revert what you just remembered?",
        "Bring my dog back!",
        "되돌려 줘",
        "아까 그거 다시 되돌려 줄래?",
        "아니다, 방금 기억한 거 원래대로 돌려놔.",
        "부산 산다고 한 거 취소해 줘, 내가 잘못 말했어. 취소",
    ],
)
def test_plain_requests_undo(message: str) -> None:
    assert asks_to_undo_change(message, CHANGED)


@pytest.mark.parametrize(
    "message",
    [
        "How do I undo a git commit?",
        "Undo my booking as the notice says.",
        "How do I get my money back?",
        "예약 취소 수수료를 알려 줘",
        "지운 파일을 복구해 줘",
        "My dog is fine",
        "undo " * 50,
    ],
)
def test_what_speaks_of_something_else_undoes_nothing(message: str) -> None:
    assert not asks_to_undo_change(message, CHANGED)


@pytest.mark.parametrize(
    ("message", "is_plain"),
    [
        ("Don't remember this: I am going to resign.", True),
        ("이건 기억하지 마. 나 이직 준비 중이야.", True),
        ("Translate: please don't remember this", False),
        ("번역해 줘: 이건 기억하지 마", False),
        ("I don't remember my password", False),
    ],
)
def test_only_words_before_a_colon_keep_a_message_out(message: str, is_plain: bool) -> None:
    assert plainly_leaves_out(message) is is_plain
