"""Parse CSV: one document per row of questions or titled texts, otherwise a table."""

import csv
import io
import re

from saegim.domain.errors import Unreadable
from saegim.library.parsing.formats.records import documents_of
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import CellCount, table
from saegim.library.types import BlockKind, ParsedDocument
from saegim.text.analysis import normalise

_FIELD_LENGTH = 4 * 1024 * 1024
_DELIMITERS = ",\t;|"
_QUOTED = re.compile(r'"[^"]*"')
# Rows per block; a block is held in memory and sent as a whole.
_BLOCK_ROWS = 2_000


def read(text: str, limits: ParseLimits) -> list[ParsedDocument]:
    rows = _rows(text, limits)
    if len(rows) < 2:
        raise Unreadable(Reason.EMPTY)
    names = [normalise(name).strip() for name in rows[0]]
    records = [dict(zip(names, row, strict=False)) for row in rows[1:]]
    documents = documents_of(records, "csv", limits.documents)
    if documents is not None:
        return documents
    outline = Outline()
    for at in range(1, len(rows), _BLOCK_ROWS):
        outline.add(BlockKind.TABLE, table([rows[0], *rows[at : at + _BLOCK_ROWS]]))
    return [outline.document(metadata={"format": "csv", "rows": str(len(rows) - 1)})]


def _rows(text: str, limits: ParseLimits) -> list[list[str]]:
    csv.field_size_limit(_FIELD_LENGTH)
    cells = CellCount(limits.cells)
    rows: list[list[str]] = []
    # Not by lines: a quoted field may contain line ends.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                cells.take(len(row))
                rows.append(row)
    except csv.Error as error:
        raise Unreadable(Reason.CORRUPT) from error
    return rows


def _delimiter(text: str) -> str:
    """Return the most frequent delimiter outside quotes in the first line."""
    head = _QUOTED.sub("", text[:20_000].lstrip().split("\n", 1)[0])
    counts = {sign: head.count(sign) for sign in _DELIMITERS}
    return max(counts, key=lambda sign: counts[sign])
