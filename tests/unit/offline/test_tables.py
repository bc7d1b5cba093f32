"""Tables in Markdown."""

import pytest

from saegim.offline.tables import MarkdownTable, split_tables

TABLE = "| Rank | Hotel |\n|:---|---:|\n| Manager | 150 |\n| Director | 200 |"


def test_tables_are_split_from_the_text() -> None:
    prose, tables = split_tables(f"Before.\n{TABLE}\nAfter.\n\n{TABLE}")
    assert prose == "Before.\nAfter."
    table = MarkdownTable(("Rank", "Hotel"), (("Manager", "150"), ("Director", "200")))
    assert tables == [table, table]


def test_row_is_written_on_a_line() -> None:
    _, [table] = split_tables(
        "| 직급 | 숙박비 | 식비 |\n| --- | --- | --- |\n| 부장 | 15만 | |\n| | 1 | 2 |"
    )
    assert table.line(0) == "부장: 숙박비 15만"
    assert table.line(1) == "숙박비 1 · 식비 2"


def test_chosen_rows_are_shown_with_the_header() -> None:
    _, [table] = split_tables(TABLE)
    assert table.shown([1]) == "| Rank | Hotel |\n| --- | --- |\n| Director | 200 |"


def test_short_and_long_rows_have_the_columns_of_the_header() -> None:
    _, [table] = split_tables("| a | b |\n| --- | --- |\n| 1 |\n| 1 | 2 | 3 |")
    assert table.rows == (("1", ""), ("1", "2"))


def test_escaped_bar_is_part_of_a_cell() -> None:
    _, [table] = split_tables("| a | b |\n| --- | --- |\n| x \\| y | 2 |")
    assert table.rows == (("x | y", "2"),)


@pytest.mark.parametrize(
    "text", ["| a | b |\n| --- | --- |", "| only one column |\n| 1 |", "|", ""]
)
def test_header_without_rows_or_columns_is_no_table(text: str) -> None:
    assert split_tables(text)[1] == []
