import pytest

from saegim.chat.rules.inputs import by_meaning
from saegim.chat.rules.intents import Interpretation, read
from saegim.memory.rules.meanings import TextMeaning
from saegim.text.intents import Intent


def meaning(message: str, intent: Intent, score: float = 0.9) -> Interpretation:
    scores = {Intent.QUESTION: 0.1, intent: score}
    return by_meaning(message, read(message), {message: TextMeaning(scores)}, None)


@pytest.mark.parametrize(
    "intent",
    [Intent.GREETING, Intent.IDENTITY, Intent.COMPLAINT, Intent.HISTORY, Intent.PROFILE],
)
def test_meaning_decides_where_no_pattern_does(intent: Intent) -> None:
    message = "zzz yyy"
    assert read(message).intent is Intent.QUESTION
    assert meaning(message, intent).intent is intent
    assert meaning(message, intent, 0.2).intent is Intent.QUESTION


def test_a_pattern_decides_before_meaning() -> None:
    assert meaning("고마워!", Intent.COMPLAINT).intent is Intent.THANKS


def test_a_question_is_not_acknowledged_as_a_statement() -> None:
    message = "내 연차 일수"
    assert read(message).statements == ()
    assert meaning(message, Intent.ABOUT_SELF).statements == ()


def test_a_question_about_oneself_may_leave_out_its_subject() -> None:
    message = "딸 이름"
    reading = meaning(message, Intent.ABOUT_SELF, 0.6)
    assert (reading.intent, reading.asks_memory) == (Intent.ABOUT_SELF, True)
    assert reading.question == message


def test_a_short_follow_up_needs_more() -> None:
    assert meaning("그건?", Intent.IDENTITY, 0.3).intent is Intent.QUESTION
