"""Which sentences of a person answer a question, or match a request to forget."""

from datetime import UTC, datetime, timedelta

from saegim.offline.statements import (
    ANSWERS,
    MOST,
    SaidSentence,
    answering,
    distinct,
    may_be_corrected,
    meant,
    texts_of,
)

NOW = datetime(2026, 11, 15, 9, tzinfo=UTC)


def said(text: str, days_ago: int = 0, record: str | None = None) -> SaidSentence:
    return SaidSentence(text, NOW - timedelta(days=days_ago), id=record)


OLD, NEW = said("I live in Busan.", 9), said("I live in Daejeon.", 1)
PET = said("My dog is called Bori.", 5)


def test_sentences_that_fit_are_given_the_newest_first() -> None:
    similar = {OLD.text: 0.8, NEW.text: 0.7, PET.text: 0.1}
    assert answering("Where do I live?", [OLD, PET, NEW], similar, ANSWERS) == [NEW, OLD]


def test_nothing_fits() -> None:
    assert answering("Where do I live?", [PET], {PET.text: 0.2}, ANSWERS) == []
    assert answering("Where do I live?", [], {}, ANSWERS) == []


def test_at_most_a_few_sentences_answer() -> None:
    many = [said(f"I live in house {number}.", number) for number in range(9)]
    similar = {each.text: 0.8 for each in many}
    found = answering("Where do I live?", many, similar, ANSWERS)
    assert len(found) == MOST


def test_request_to_forget_means_less_than_a_question() -> None:
    similar = {OLD.text: 0.9, NEW.text: 0.8, PET.text: 0.1}
    assert meant("잊어 줘", [OLD, PET, NEW], similar) == [OLD]
    assert meant("잊어 줘", [PET], {PET.text: 0.4}) == []


def test_what_was_said_later_in_the_same_words_stands_beside_the_answer() -> None:
    other = said("I sold the Mazda.", 2)
    car = said("I drive a Mazda.", 8)
    found = answering("What do I drive?", [car, other, PET], {car.text: 0.9}, ANSWERS)
    assert found == [other, car]
    assert may_be_corrected(car, [car, other, PET])
    assert not may_be_corrected(other, [car, other, PET])


def test_shared_words_add_a_little() -> None:
    similar = {OLD.text: 0.5, NEW.text: 0.5}
    assert meant("Forget Busan", [OLD, NEW], similar) == [OLD]
    assert meant("Forget Busan", [OLD, NEW], {}) == []


def test_repetitions_are_one_and_the_record_is_cited() -> None:
    repeated = said("I live in BUSAN!", 0)
    record = said("I live in Busan", 9, record="r1")
    assert distinct([repeated, record, NEW]) == [NEW, record]


def test_the_newest_texts_are_compared() -> None:
    assert texts_of([OLD, PET, NEW], 2) == [NEW.text, PET.text]
