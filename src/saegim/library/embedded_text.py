"""The text that the vector of a passage is made of."""

from saegim.library.types import in_context

# Rows are found by their words. A vector of all of them says no more of the table than one of the
# first, and takes three times as long: a sheet of 100,000 rows has 8,000 passages.
MOST_OF_TABLE = 200
_HEADER_AND_ROW = 3


def embedded_text(text: str, path: tuple[str, ...], title: str | None) -> str:
    """Return the passage under its headings; of a table, the header and the first rows."""
    return in_context(_first_rows(text), path, title)


def _first_rows(text: str) -> str:
    lines = text.split("\n")
    if not all(line.startswith("|") for line in lines):
        return text
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + 1
        if number >= _HEADER_AND_ROW and size > MOST_OF_TABLE:
            return "\n".join(lines[:number])
    return text
