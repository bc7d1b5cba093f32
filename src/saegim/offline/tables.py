"""Tables in Markdown: their rows as single lines, and the cells that a question names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_RULE = re.compile(r"\|?\s*:?-{2,}[\s:|-]*")
_CELL_BREAK = re.compile(r"(?<!\\)[|]")


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A table with its header and rows; the first cell of a row is its label."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def line(self, at: int) -> str:
        """Return a row on one line: its label, and each value with its column."""
        label, *values = self.rows[at]
        named = [
            f"{header} {value}" if header else value
            for header, value in zip(self.header[1:], values, strict=True)
            if value
        ]
        return f"{label}: {' · '.join(named)}" if label else " · ".join(named)

    def shown(self, rows: Sequence[int]) -> str:
        """Return the header and the given rows as Markdown."""
        lines = [self.header, tuple("---" for _ in self.header), *(self.rows[at] for at in rows)]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def split_tables(text: str) -> tuple[str, list[MarkdownTable]]:
    """Return the text without its tables, and the tables."""
    prose: list[str] = []
    tables: list[MarkdownTable] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].lstrip().startswith("|"):
            prose.append(lines[at])
            at += 1
            continue
        end = at
        while end < len(lines) and lines[end].lstrip().startswith("|"):
            end += 1
        table = _table(lines[at:end])
        if table is not None:
            tables.append(table)
        at = end
    return "\n".join(prose).strip(), tables


def _table(lines: Sequence[str]) -> MarkdownTable | None:
    rows = [_cells(line) for line in lines if not _RULE.fullmatch(line.strip())]
    if len(rows) < 2 or len(rows[0]) < 2:
        return None
    width = len(rows[0])
    padded = [(*row, *[""] * (width - len(row)))[:width] for row in rows]
    return MarkdownTable(padded[0], tuple(padded[1:]))


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(cell.strip().replace("\\|", "|") for cell in _CELL_BREAK.split(inner))
