import pytest

from saegim.chat.rules.intents import Intent, read
from saegim.chat.rules.meaning import by_meaning, digest, dump, intent_model, train


def meant(message: str, intent: Intent, score: float = 0.9) -> Intent:
    return by_meaning(message, read(message), {Intent.QUESTION: 0.1, intent: score}).intent


@pytest.mark.parametrize(
    "intent",
    [Intent.GREETING, Intent.IDENTITY, Intent.COMPLAINT, Intent.HISTORY, Intent.PROFILE],
)
def test_meaning_decides_where_no_pattern_does(intent: Intent) -> None:
    message = "zzz yyy"
    assert read(message).intent is Intent.QUESTION
    assert meant(message, intent) is intent
    assert meant(message, intent, 0.2) is Intent.QUESTION


def test_a_pattern_decides_before_meaning() -> None:
    assert meant("고마워!", Intent.COMPLAINT) is Intent.THANKS


def test_a_question_is_never_a_request_to_forget() -> None:
    message = "대시보드를 삭제하려면 어떻게 해?"
    assert meant(message, Intent.FORGET) is not Intent.FORGET


def test_a_statement_is_only_what_can_be_remembered() -> None:
    assert meant("매주 화요일에 수영 다녀", Intent.STATEMENT) is Intent.STATEMENT
    assert meant("그러게", Intent.STATEMENT) is not Intent.STATEMENT


def test_a_question_about_oneself_may_leave_out_its_subject() -> None:
    message = "딸 이름"
    reading = by_meaning(message, read(message), {Intent.ABOUT_SELF: 0.6})
    assert (reading.intent, reading.asks_memory) == (Intent.ABOUT_SELF, True)
    assert reading.question == message


def test_a_short_follow_up_needs_more() -> None:
    assert meant("그건?", Intent.IDENTITY, 0.3) is Intent.QUESTION


def test_it_is_trained_on_the_examples() -> None:
    model = intent_model()
    assert model.examples == digest(), "run scripts/intent_weights.py"
    assert set(model.intents) < set(Intent)


def test_training_separates_vectors() -> None:
    examples = [
        *[(Intent.GREETING, [1.0, 0.1 * n, 0.0]) for n in range(5)],
        *[(Intent.THANKS, [0.1 * n, 1.0, 0.0]) for n in range(5)],
    ]
    model = train("test", examples)
    scores = model.scores([1.0, 0.0, 0.1])
    assert scores[Intent.GREETING] > scores[Intent.THANKS]
    assert len(dump(model)) < 5_000
