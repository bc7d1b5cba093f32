"""Render rows of cells as a Markdown table."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import Reason

_SPACE = re.compile(r"\s+")
_COLUMNS = 200
_SPAN = 50


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell with its row and column span."""

    text: str
    down: int = 1
    across: int = 1


class CellCount:
    """Limits the cells of all tables of a file."""

    def __init__(self, most: int) -> None:
        self._left = most

    def take(self, cells: int) -> None:
        self._left -= cells
        if self._left < 0:
            raise Unreadable(Reason.TOO_LARGE)


def grid(rows: Iterable[Sequence[TableCell]]) -> list[list[str]]:
    """Return the rows with spanned cells repeated in each row they cover."""
    carried: dict[int, tuple[int, str]] = {}
    return [_row(cells, carried) for cells in rows]


def _row(cells: Sequence[TableCell], carried: dict[int, tuple[int, str]]) -> list[str]:
    row: list[str] = []

    def add_spanning() -> None:
        while (spanning := carried.pop(len(row), None)) is not None:
            rows_left, text = spanning
            if rows_left > 1:
                carried[len(row)] = (rows_left - 1, text)
            row.append(text)

    for cell in cells[:_COLUMNS]:
        add_spanning()
        if cell.down > 1:
            carried[len(row)] = (min(cell.down - 1, _SPAN), cell.text)
        row.extend([cell.text, *[""] * (min(cell.across, _SPAN) - 1)])
    add_spanning()
    return row


def table(rows: Iterable[Sequence[str]]) -> str:
    """Render rows with the first as header, without empty rows and columns."""
    cells = [[_cell(text) for text in row[:_COLUMNS]] for row in rows]
    cells = [row for row in cells if any(row)]
    width = max((len(row) for row in cells), default=0)
    cells = [row + [""] * (width - len(row)) for row in cells]
    used = [at for at in range(width) if any(row[at] for row in cells)]
    lines = [_line([row[at] for at in used]) for row in cells]
    if lines:
        lines.insert(1, _line(["---"] * len(used)))
    return "\n".join(lines)


def _cell(text: str) -> str:
    return _SPACE.sub(" ", text).strip().replace("|", "\\|")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
