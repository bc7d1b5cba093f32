"""The reply to each kind of message, in both languages."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from saegim.locales import translate
from saegim.offline import texts
from saegim.offline.documents import SourcePassage
from saegim.offline.heads import MessageKind, MessageReading
from saegim.offline.replies import OfflineTask, compared_texts, reply
from saegim.offline.statements import SaidSentence

NOW = datetime(2026, 11, 15, 9, tzinfo=UTC)
REFUND = SourcePassage("2", "Refunds", "Days", "Refunds take seven days. Ask early.")
QUESTION = "How many days do refunds take?"
KOREAN_REFUND = SourcePassage("2", "환불", "", "환불은 7일 안에 됩니다.")
KOREAN_QUESTION = "환불은 며칠 안에 되나요?"
BUSAN = SaidSentence("I live in Busan.", NOW - timedelta(days=9), "3", "r1")
DAEJEON = SaidSentence("I live in Daejeon.", NOW - timedelta(days=1), "4", "r2")
RELATED = ((KOREAN_REFUND, "ko"), (REFUND, "en"))


def task(kind: MessageKind, message: str = "Hello", **fields: Any) -> OfflineTask:
    reading = MessageReading(kind, message, about_self=fields.pop("about_self", 0.0))
    return OfflineTask(reading=reading, message=message, now=NOW, **fields)


def near(given: OfflineTask, similarity: float) -> OfflineTask:
    return replace(given, similar=dict.fromkeys(compared_texts(given), similarity))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (MessageKind.GREETING, texts.HELLO),
        (MessageKind.THANKS, texts.THANKS),
        (MessageKind.FAREWELL, texts.FAREWELL),
        (MessageKind.REMARK, texts.REMARK),
        (MessageKind.COMPLAINT, texts.COMPLAINT),
        (MessageKind.FORGET, texts.NOTHING_TO_FORGET),
        (MessageKind.LEAVE_OUT, texts.NOT_NOTED),
        (MessageKind.UNDO, texts.NOTHING_TO_RESTORE),
        (MessageKind.PROFILE, texts.KNOWN_NOTHING),
        (MessageKind.HISTORY, texts.NO_HISTORY),
        (MessageKind.STATEMENT, texts.MEMORY_OFF),
        (MessageKind.NEEDS_MODEL, texts.NEEDS_MODEL),
    ],
)
def test_reply_is_in_the_language_of_the_message(kind: MessageKind, text: str) -> None:
    assert reply(task(kind, "Hello")) == text
    assert reply(task(kind, "안녕하세요")) == translate(text, "ko") != text


def test_identity_names_the_assistant_and_suggests_questions() -> None:
    said = reply(task(MessageKind.IDENTITY, name="Bori", suggestions=("What is a refund?",)))
    assert said is not None
    assert said.startswith("I'm Bori. ")
    assert said.endswith(f"{texts.TRY}\n- What is a refund?")
    said = reply(task(MessageKind.IDENTITY, "너는 누구야?"))
    assert said is not None
    assert "Saegim" in said


def test_second_greeting_is_shorter() -> None:
    assert reply(task(MessageKind.GREETING, asked=("Hello",))) == texts.HELLO_AGAIN


# --- memory ---


def test_notes_are_quoted_with_the_way_back() -> None:
    said = reply(task(MessageKind.STATEMENT, noted=("I live in Daejeon.",)))
    assert said == f"I'll remember: “I live in Daejeon”\n\n{texts.UNDO_HINT}"


def test_changes_quote_what_they_changed() -> None:
    changed = ("I live in Busan.",)
    forgotten = reply(task(MessageKind.FORGET, changed=changed))
    restored = reply(task(MessageKind.UNDO, changed=changed))
    assert forgotten == texts.FORGOTTEN.format(statements="“I live in Busan”")
    assert restored == texts.RESTORED.format(statements="“I live in Busan”")
    assert reply(task(MessageKind.LEAVE_OUT, changed=changed)) == texts.LEFT_OUT


def test_profile_lists_what_is_known_with_its_day() -> None:
    said = reply(task(MessageKind.PROFILE, known=(BUSAN, DAEJEON)))
    assert said == (
        f"{texts.KNOWN}\n\n- “I live in Daejeon” (2026-11-14) [4]\n"
        "- “I live in Busan” (earlier, 2026-11-06) [3]"
    )
    assert reply(task(MessageKind.PROFILE, said=None)) == texts.MEMORY_OFF


def test_question_about_oneself_quotes_the_newest_and_marks_the_earlier() -> None:
    asked = task(MessageKind.ABOUT_SELF, "Where do I live?", said=(BUSAN, DAEJEON), about_self=0.9)
    assert reply(near(asked, 0.8)) == (
        f"{texts.YOU_SAID}\n\n- “I live in Daejeon” (2026-11-14) [4]\n"
        "- “I live in Busan” (earlier, 2026-11-06) [3]"
    )
    assert reply(near(asked, 0.0)) == texts.UNKNOWN_FACT


def test_question_that_may_be_about_oneself_needs_a_sentence_that_surely_fits() -> None:
    asked = task(
        MessageKind.QUESTION, QUESTION, said=(DAEJEON,), passages=(REFUND,), about_self=0.3
    )
    said = reply(near(asked, 0.6))
    assert said is not None
    assert "Daejeon" not in said
    said = reply(near(asked, 0.9))
    assert said is not None
    assert said.startswith(texts.YOU_SAID)


def test_history_lists_the_latest_messages_and_the_first() -> None:
    asked = tuple(f"message {number}" for number in range(7))
    said = reply(task(MessageKind.HISTORY, asked=asked))
    assert said is not None
    lines = said.splitlines()
    assert lines[2:7] == [f"- “message {number}”" for number in (6, 5, 4, 3, 2)]
    assert lines[-1] == texts.FIRST_MESSAGE.format(message="message 0")


# --- documents ---


def test_sure_line_is_the_answer_with_its_source_and_quote() -> None:
    said = reply(near(task(MessageKind.QUESTION, QUESTION, passages=(REFUND,)), 0.9))
    assert said == (
        "Refunds take seven days. [2]\n\n**Refunds › Days** [2]\n"
        "> Refunds take seven days.\n> Ask early."
    )


@pytest.mark.parametrize(
    ("message", "passage", "locale"),
    [(QUESTION, REFUND, "en"), (KOREAN_QUESTION, KOREAN_REFUND, "ko")],
)
def test_unsure_line_is_only_the_closest(message: str, passage: SourcePassage, locale: Any) -> None:
    asked = task(MessageKind.QUESTION, message, passages=(passage,), may_be_sure=False)
    said = reply(near(asked, 0.9))
    assert said is not None
    assert said.startswith(translate(texts.CLOSEST, locale))
    assert f"({passage.title}) [2]" in said


def test_nothing_close_is_no_reply() -> None:
    asked = task(MessageKind.QUESTION, "Who won the match?", passages=(REFUND,))
    assert reply(near(asked, 0.1)) is None
    assert reply(task(MessageKind.QUESTION, QUESTION)) is None


def test_note_beside_a_question_is_acknowledged_first() -> None:
    asked = task(MessageKind.QUESTION, QUESTION, passages=(REFUND,), noted=("I live in Daejeon.",))
    said = reply(near(asked, 0.9))
    assert said is not None
    assert said.startswith("I'll remember: “I live in Daejeon”")
    assert "Refunds take seven days. [2]" in said
    alone = reply(replace(asked, passages=()))
    assert alone is not None
    assert alone.startswith("I'll remember: “I live in Daejeon”")


def test_opened_or_named_document_is_shown_from_its_beginning() -> None:
    expected = (
        "Refunds take seven days. [2]\n\n**Refunds › Days** [2]\n"
        "> Refunds take seven days.\n> Ask early."
    )
    assert reply(task(MessageKind.QUESTION, "refunds", passages=(REFUND,))) == expected
    opened = task(MessageKind.QUESTION, "Show it", passages=(REFUND,), opened=True)
    assert reply(opened) == expected


def test_results_of_tools_are_quoted() -> None:
    asked = task(MessageKind.QUESTION, "Order 7?", facts=("shipped [5]",))
    assert reply(asked) == "> shipped [5]"


@pytest.mark.parametrize(("passage", "locale"), RELATED)
def test_task_for_a_model_answers_nothing(passage: SourcePassage, locale: Any) -> None:
    message = KOREAN_QUESTION if locale == "ko" else QUESTION
    said = reply(near(task(MessageKind.NEEDS_MODEL, message, passages=(passage,)), 0.9))
    assert said is not None
    assert said.startswith(translate(texts.NEEDS_MODEL, locale))


# --- a model that failed ---


def test_failed_model_is_named_before_what_was_found() -> None:
    asked = task(MessageKind.QUESTION, QUESTION, passages=(REFUND,), failed=True)
    said = reply(near(asked, 0.9))
    assert said is not None
    assert said.startswith(f"{texts.MODEL_FAILED}\n\nRefunds take seven days. [2]")


def test_failed_model_remembers_nothing_and_says_so() -> None:
    assert reply(task(MessageKind.STATEMENT, failed=True)) == texts.NOT_READ_YET
    assert reply(task(MessageKind.NEEDS_MODEL, failed=True)) == texts.NEEDS_MODEL_NOW
