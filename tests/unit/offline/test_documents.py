"""The line of the passages that answers a question."""

from collections.abc import Mapping

from saegim.offline.documents import (
    CLOSE_MEANING,
    LONGEST_LINE,
    MOST_CLOSEST,
    MOST_LINES,
    DocumentMatch,
    SourcePassage,
    beginning,
    find,
    lines_of,
    texts_of,
    titled,
)

RATES = """Amounts are in euros.

| Rank | Hotel | Meals |
| --- | --- | --- |
| Manager | 150 | 40 |
| Director | 200 | 60 |"""
KOREAN_RATES = """| 직급 | 숙박비 | 식비 |
| --- | --- | --- |
| 부장 | 15만 원 | 4만 원 |
| 임원 | 20만 원 | 6만 원 |"""
FAQ = """How long does a refund take?
Yes. Refunds take seven days.

Where is the office?
In Daejeon."""


def passage(text: str, marker: str = "1", title: str = "Guide", rank: float = 1.0) -> SourcePassage:
    return SourcePassage(marker, title, "", text, rank)


def found(
    question: str,
    *passages: SourcePassage,
    meaning: float | Mapping[str, float] = 0.0,
    of_cells: float | None = None,
    may_be_sure: bool = True,
) -> DocumentMatch:
    lines = lines_of(question, passages)
    near = meaning if isinstance(meaning, Mapping) else dict.fromkeys(texts_of(lines), meaning)
    if of_cells is not None:
        near = {**near, **{line.meaning: of_cells for line in lines if line.is_cell}}
    return find(lines, near, may_be_sure=may_be_sure)


def test_cell_is_named_by_row_and_column() -> None:
    answer = found("How much is the hotel of a manager?", passage(RATES), of_cells=0.6).answer
    assert answer is not None
    assert (answer.text, answer.is_cell) == ("Manager · Hotel: **150**", True)
    assert answer.quote == "| Rank | Hotel | Meals |\n| --- | --- | --- |\n| Manager | 150 | 40 |"

    answer = found("임원 식비는 얼마인가요?", passage(KOREAN_RATES), of_cells=0.6).answer
    assert answer is not None
    assert answer.text == "임원 · 식비: **6만 원**"


def test_row_without_a_column_gives_no_cell() -> None:
    result = found("What does a manager get?", passage(RATES), meaning=0.6)
    assert result.answer is None
    assert result.closest[0].text == "Manager: Hotel 150 · Meals 40"
    assert not any(line.is_cell for line in result.closest)


def test_same_cell_of_two_tables_is_no_answer() -> None:
    other = RATES.replace("150", "170")
    result = found(
        "How much is the hotel of a manager?", passage(RATES), passage(other, "2"), of_cells=0.6
    )
    assert result.answer is None
    assert {line.text for line in result.closest} >= {
        "Manager · Hotel: **150**",
        "Manager · Hotel: **170**",
    }


def test_answer_of_the_question_in_an_faq() -> None:
    question = "How long does a refund take?"
    lines = lines_of(question, [passage(FAQ)])
    near = {question: 1.0}
    answer = find(lines, near, may_be_sure=True).answer
    assert answer is not None
    assert (answer.text, answer.asked) == ("Yes. Refunds take seven days.", question)


def test_line_must_fit_by_words_and_by_meaning() -> None:
    page = passage("Refunds take seven days. The office is in Daejeon.")
    sure = {"Guide: Refunds take seven days.": 0.9}
    answer = found("How many days do refunds take?", page, meaning=sure).answer
    assert answer is not None
    assert answer.text == "Refunds take seven days."
    assert answer.quote == "Refunds take seven days.\nThe office is in Daejeon."

    assert found("How many days do refunds take?", page, meaning=0.2).answer is None
    other_words = found("When will my money come back?", page, meaning=sure)
    assert other_words.answer is None
    assert [line.text for line in other_words.closest] == ["Refunds take seven days."]


def test_unsure_search_gives_the_closest_lines_only() -> None:
    page = passage("Refunds take seven days.")
    result = found("How many days do refunds take?", page, meaning=0.9, may_be_sure=False)
    assert result.answer is None
    assert [line.text for line in result.closest] == ["Refunds take seven days."]


def test_two_passages_that_answer_alike_are_no_answer() -> None:
    pages = [passage("Refunds take seven days."), passage("Refunds take nine days.", "2")]
    result = found("How many days do refunds take?", *pages, meaning=0.9)
    assert result.answer is None
    assert {line.passage.marker for line in result.closest} == {"1", "2"}


def test_nothing_is_close() -> None:
    page = passage("Refunds take seven days. The office is in Daejeon.")
    assert found("Who won the match?", page, meaning=CLOSE_MEANING - 0.01) == DocumentMatch(None)
    assert found("Who won the match?") == DocumentMatch(None)


def test_lines_are_few_and_short_enough_to_compare() -> None:
    page = passage("\n".join(f"Refund rule {number} {'x' * 400}." for number in range(60)))
    lines = lines_of("Which refund rule?", [page])
    assert len(lines) == MOST_LINES
    assert max(map(len, texts_of(lines))) <= LONGEST_LINE
    result = find(lines, dict.fromkeys(texts_of(lines), 0.9), may_be_sure=True)
    assert len(result.closest) == MOST_CLOSEST


def test_title_or_heading_as_the_message_opens_its_passage() -> None:
    page = SourcePassage(
        "1", "Travel", "Abroad › Visa", "# Visa\nAsk for it early. It takes weeks."
    )
    assert titled(" VISA ", [page]) is page
    assert titled("travel", [page]) is page
    assert titled("What about a visa?", [page]) is None
    begun = beginning(page)
    assert begun.text == "Ask for it early."
    assert begun.quote == "Ask for it early.\nIt takes weeks."


def test_passage_of_a_table_alone_begins_with_it() -> None:
    begun = beginning(passage(KOREAN_RATES))
    assert begun.text == "Guide"
    assert begun.quote == KOREAN_RATES
