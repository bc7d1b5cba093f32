"""Which headings become questions, and how they are worded."""

from uuid import UUID, uuid4

import pytest

from saegim.chat.suggestions import chosen, in_order, topic_of
from saegim.library.cited_passages import NearbyHeading

GUIDE = uuid4()


def heading(text: str, distance: int = 1, passage: UUID = GUIDE) -> NearbyHeading:
    return NearbyHeading(passage, GUIDE, "guide", "Refunds", ("Refunds", text), distance)


def entry(question: str, passage: UUID) -> NearbyHeading:
    return NearbyHeading(passage, uuid4(), "faq", question, (question,), 0)


def test_sections_around_the_cited_one_come_before_faq_entries_that_were_found() -> None:
    found = uuid4()
    near = [
        heading("Before", -1),
        heading("Second", 2),
        heading("First", 1),
        heading("Cited", 0),
        entry("How long does it take?", found),
    ]

    ordered = in_order(near, [GUIDE], [found])

    assert [topic_of(each) for each in ordered] == [
        "First",
        "Second",
        "Before",
        "How long does it take?",
    ]


def test_a_cited_faq_entry_leads_to_others_but_not_to_itself() -> None:
    cited, found = uuid4(), uuid4()
    near = [heading("First"), entry("Fees?", cited), entry("How long does it take?", found)]

    ordered = in_order(near, [cited, GUIDE], [found])

    assert [topic_of(each) for each in ordered] == ["How long does it take?", "First"]


def test_a_section_that_is_cited_too_is_not_suggested() -> None:
    near = [heading("First", 0), heading("Second", 1), heading("Second", 0), heading("Third", 2)]

    assert [topic_of(each) for each in in_order(near, [GUIDE], [])] == ["Third"]


@pytest.mark.parametrize("text", ["", "x" * 81])
def test_empty_and_long_headings_are_left_out(text: str) -> None:
    assert topic_of(heading(text)) == ""


def test_numbers_of_headings_are_left_out() -> None:
    assert [topic_of(heading(text)) for text in ("2.1 Partial refunds", "제3조 환불")] == [
        "Partial refunds",
        "환불",
    ]


def test_what_was_asked_is_not_suggested_and_three_are_enough() -> None:
    topics = ["Partial refunds", "Gift cards", "Fees", "Deadlines", "Abroad"]
    found = chosen([heading(each) for each in topics], ["and partial refunds?"], "en")

    assert found == [
        f"What does “Refunds” say about “{each}”?" for each in ("Gift cards", "Fees", "Deadlines")
    ]


def test_a_heading_that_asks_is_a_question_already() -> None:
    assert chosen([heading("환불은 언제 되나요?")], [], "ko") == ["환불은 언제 되나요?"]


def test_an_entry_that_states_something_is_asked_about() -> None:
    """As it is, it would be a statement of the user."""
    found = chosen([entry("I get 429 from the API.", GUIDE)], [], "en")

    assert found == ["Tell me about “I get 429 from the API.”"]


def test_questions_in_the_language_of_the_message_come_first() -> None:
    near = [heading("환불은 언제 되나요?"), heading("Fees?"), heading("해외 환불은 되나요?")]

    assert chosen(near, [], "en") == ["Fees?", "환불은 언제 되나요?", "해외 환불은 되나요?"]
