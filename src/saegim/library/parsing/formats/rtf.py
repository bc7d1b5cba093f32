"""Parse RTF with striprtf, which gives the cells of a row with a bar after each."""

import re
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from striprtf import striprtf

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import CellCount, table
from saegim.library.types import BlockKind, ParsedDocument
from saegim.text.analysis import normalise

# A cell of several paragraphs: the bar after it is on a later line.
_CELL_LINES = re.compile(r"\n(?=\|)")


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    data = file.read(limits.text_bytes + 1)
    if len(data) > limits.text_bytes:
        raise Unreadable(Reason.TOO_LARGE)
    try:
        # The package has no types.
        convert = cast("Callable[..., str]", cast("Any", striprtf).rtf_to_text)
        text = convert(data.decode("latin-1"), errors="replace")
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise Unreadable(Reason.CORRUPT) from error
    outline = Outline()
    _add(outline, normalise(text), CellCount(limits.cells))
    return [outline.document(outline.first_heading, metadata={"format": "rtf"})]


def _add(outline: Outline, text: str, cells: CellCount) -> None:
    """Add paragraphs; consecutive lines that end with a bar are the rows of a table."""
    plain: list[str] = []
    rows: list[list[str]] = []
    for line in [*_CELL_LINES.sub(" ", text).split("\n"), ""]:
        if line.rstrip().endswith("|"):
            _add_plain(outline, plain)
            rows.append(line.rstrip().removesuffix("|").split("|"))
            cells.take(len(rows[-1]))
            continue
        if rows:
            outline.add(BlockKind.TABLE, table(rows))
            rows.clear()
        # A paragraph is one line in RTF.
        plain += [line, ""]
    _add_plain(outline, plain)


def _add_plain(outline: Outline, lines: list[str]) -> None:
    add_lines(outline, "\n".join(lines))
    lines.clear()
