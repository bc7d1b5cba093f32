from datetime import UTC, datetime
from uuid import uuid4

from saegim.chat import extractive_answer as quoting
from saegim.chat.context.assembly import Budgets, Thread, assemble
from saegim.chat.extractive_answer import NOTHING_RELATED, Quote
from saegim.conversations.types import Entity, Exchange
from saegim.domain.tenancy import Assistant
from saegim.llm.search_mode import SEARCH_MODE
from saegim.locales import translate

NOW = datetime(2026, 11, 15, tzinfo=UTC)
TURNS = (
    Exchange(1, "우리 AWS 비용은 한 달에 $12,500이야.", "네, 기록했습니다.", NOW),
    Exchange(2, "고양이 이름은 나비야. 털이 하얗지.", "나비라는 이름이 예쁘네요.", NOW),
    Exchange(3, "The deploy failed on Friday.", "Which service failed?", NOW),
)
TALK = Thread(recent=TURNS)
ASSISTANT = Assistant(uuid4(), uuid4(), "bot", "", "", "ko")


def quote(message: str, thread: Thread) -> str:
    return quoting.quote(assemble(ASSISTANT, thread, message, Budgets()))


def find_quotes(message: str, thread: Thread) -> list[Quote]:
    return quoting.find_quotes(assemble(ASSISTANT, thread, message, Budgets()))


def test_the_twin_quotes_what_was_said_with_its_turn() -> None:
    text = quote("AWS 비용이 얼마였지?", TALK)
    assert translate(SEARCH_MODE, "ko") in text
    assert "> 우리 AWS 비용은 한 달에 $12,500이야. [T1]" in text
    assert "나비" not in text


def test_it_answers_in_the_language_of_the_question() -> None:
    text = quote("When did the deploy fail?", TALK)
    assert SEARCH_MODE in text
    assert "> The deploy failed on Friday. [T3]" in text


def test_it_says_when_nothing_relates() -> None:
    assert quote("주식 시세 알려줘", Thread(recent=TURNS[1:2])).endswith(
        translate(NOTHING_RELATED, "ko")
    )
    assert quote("hello", Thread()).endswith(NOTHING_RELATED)


def test_it_never_quotes_its_own_quotes() -> None:
    echo = Exchange(4, "비용?", quote("AWS 비용이 얼마였지?", TALK), NOW)
    assert all(
        found.marker != "T4" or found.sentence == "비용?"
        for found in find_quotes("비용", Thread(recent=(echo,)))
    )


def test_the_same_sentence_is_quoted_once() -> None:
    twice = (*TURNS, Exchange(4, "고양이 이름은 나비야.", "네.", NOW))
    thread = Thread(recent=twice)
    sentences = [found.sentence for found in find_quotes("고양이 이름이 뭐지", thread)]
    assert len(sentences) == len(set(sentences))


def test_it_quotes_what_is_remembered_of_older_turns() -> None:
    thread = Thread(entities=(Entity("예산", "1.5억", 5),), recent=TURNS)
    assert "> 예산: 1.5억 [T5]" in quote("현재 예산이 얼마야?", thread)
