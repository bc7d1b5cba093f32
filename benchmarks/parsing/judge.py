"""Compare what was parsed with what was written: words, and the cells of tables."""

import re
from collections import Counter
from collections.abc import Sequence

from benchmarks.parsing.articles import BenchTable
from saegim.library.types import BlockKind, ParsedDocument
from saegim.text.analysis import normalise

_WORD = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")


def text_of(documents: Sequence[ParsedDocument]) -> str:
    """Returns titles, headings and blocks of documents."""
    parts: list[str] = []
    for document in documents:
        parts.append(document.title or "")
        for section in document.sections:
            parts += section.path
            parts += [block.text for block in section.blocks]
    return "\n".join(parts)


def words_found(reference: str, documents: Sequence[ParsedDocument]) -> tuple[int, int]:
    """Returns how many words of the reference were found, and how many it has."""
    wanted = Counter(_WORD.findall(normalise(reference)))
    found = Counter(_WORD.findall(text_of(documents)))
    return sum((wanted & found).values()), wanted.total()


def cells_found(
    tables: Sequence[BenchTable], documents: Sequence[ParsedDocument]
) -> tuple[int, int]:
    """Returns how many cells stand in their row and column, and how many there are.

    A table that goes on in another block, as after a page break, is one table."""
    parsed: list[list[list[str]]] = []
    for document in documents:
        for section in document.sections:
            for block in section.blocks:
                if block.kind is not BlockKind.TABLE:
                    continue
                rows = _rows(block.text)
                if parsed and parsed[-1][0] == rows[0] and parsed and _is_open(parsed, tables):
                    parsed[-1] += rows[1:]
                else:
                    parsed.append(rows)
    right = total = 0
    for number, table in enumerate(tables):
        rows = parsed[number] if number < len(parsed) else []
        for at, row in enumerate(table.rows):
            for column, text in enumerate(row):
                total += 1
                cell = rows[at][column] if at < len(rows) and column < len(rows[at]) else None
                right += cell == _plain(text)
    return right, total


def _is_open(parsed: Sequence[Sequence[object]], tables: Sequence[BenchTable]) -> bool:
    return len(parsed) <= len(tables) and len(parsed[-1]) < len(tables[len(parsed) - 1].rows)


def _rows(text: str) -> list[list[str]]:
    lines = text.split("\n")
    return [
        [_plain(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", line[1:-1])]
        for at, line in enumerate(lines)
        if at != 1
    ]


def _plain(text: str) -> str:
    return _SPACE.sub(" ", normalise(text)).strip()
