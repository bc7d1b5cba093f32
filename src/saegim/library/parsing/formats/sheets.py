"""Parse XLSX, XLSB, XLS and ODS with calamine: values with sheet, row and column names."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice, pairwise
from typing import Any, BinaryIO

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import open_archive
from saegim.library.parsing.formats.cell_formats import CellFormats, cell_formats
from saegim.library.parsing.formats.records import documents_of, is_question
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import CellCount, table
from saegim.library.types import BlockKind, Locator, ParsedDocument

# Rows per block; a block is held in memory and sent as a whole.
_BLOCK_ROWS = 500
_HEADER_ROWS = 3
_COLUMNS = 200
_MIDNIGHT = time()
_AROUND_NUMBER = re.compile(r"^[-₩￦$€£¥]+|[%원]$")
_UNIT = re.compile(
    r"[(（［\[]?\s*(단위\s*[:：]\s*[^)）\]］]{1,20}|units?\s*[:：]\s*[^)）\]]{1,20})", re.IGNORECASE
)
_MERGED, _MERGED_CELLS = 20_000, 1_000

type _Rows = list[tuple[int, list[str]]]
"""Rows that are not empty, with their numbers."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The rows of a sheet: texts above the header, one row of column names, and the values."""

    above: _Rows
    header: list[str]
    body: _Rows


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    formats: Mapping[str, CellFormats] = {}
    if zipfile.is_zipfile(file):
        open_archive(file, limits)
        formats = cell_formats(file, limits)
    file.seek(0)
    cells = CellCount(limits.cells)
    try:
        workbook = CalamineWorkbook.from_filelike(file)
        sheets = [
            (
                each.name,
                _rows(workbook.get_sheet_by_name(each.name), cells, formats.get(each.name)),
            )
            for each in workbook.sheets_metadata
            if each.typ is SheetTypeEnum.WorkSheet and each.visible is SheetVisibleEnum.Visible
        ]
    except PasswordError as error:
        raise Unreadable(Reason.ENCRYPTED) from error
    except (CalamineError, OSError, ValueError) as error:
        raise Unreadable(Reason.CORRUPT) from error
    tables = [(name, table_of(rows)) for name, rows in sheets if rows]
    return _questions(tables, limits) or [_document(tables)]


def _questions(
    tables: Sequence[tuple[str, _Table]], limits: ParseLimits
) -> list[ParsedDocument] | None:
    """Return a document per row of a workbook that is one list of questions and answers."""
    if len(tables) != 1 or not any(map(is_question, tables[0][1].header)):
        return None
    header, body = tables[0][1].header, tables[0][1].body
    records = [dict(zip(header, row, strict=False)) for _, row in body]
    return documents_of(records, "sheet", limits.documents)


def _document(tables: Iterable[tuple[str, _Table]]) -> ParsedDocument:
    outline, count = Outline(), 0
    for name, each in tables:
        outline.heading(1, name)
        for number, row in each.above:
            outline.locator = Locator(sheet=name, row=number)
            outline.add(BlockKind.PARAGRAPH, " ".join(filter(None, row)))
        for number, rows in _blocks(each.body):
            outline.locator = Locator(sheet=name, row=number)
            outline.add(BlockKind.TABLE, table([each.header, *rows]))
        if each.header and not each.body:
            outline.add(BlockKind.TABLE, table([each.header]))
        count += len(each.body)
    return outline.document(metadata={"format": "sheet", "rows": str(count)})


def _blocks(body: _Rows) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield consecutive rows with the number of the first one."""
    block: list[list[str]] = []
    first = last = 0
    for number, row in body:
        if block and (number != last + 1 or len(block) >= _BLOCK_ROWS):
            yield first, block
            block = []
        if not block:
            first = number
        block.append(row)
        last = number
    if block:
        yield first, block


def table_of(rows: _Rows) -> _Table:
    """Find the header of a sheet: the first row with most of the columns, over the values."""
    width = max(sum(map(bool, row)) for _, row in islice(rows, 200))
    enough = max(2, (width + 1) // 2)
    at = next((at for at, (_, row) in enumerate(rows) if sum(map(bool, row)) >= enough), None)
    if at is None or width < 2:
        return _Table(rows, [], [])
    height = _header_height(rows[at : at + _HEADER_ROWS])
    header = _names([row for _, row in rows[at : at + height]])
    return _Table(rows[:at], _with_unit(header, rows[:at]), rows[at + height :])


def _with_unit(header: list[str], above: _Rows) -> list[str]:
    """Return the header with the unit that is noted above the table: it goes with every row."""
    found = next((unit for _, row in above for cell in row if (unit := _UNIT.search(cell))), None)
    if found is None or any(_UNIT.search(name) for name in header):
        return header
    return [f"{header[0]} ({found[1].strip()})".strip(), *header[1:]]


def _header_height(rows: _Rows) -> int:
    """Return how many rows name the columns: a name that spans columns repeats in its row."""
    height = 1
    while height < len(rows) and _is_group(rows[height - 1][1]) and _is_words(rows[height][1]):
        height += 1
    return height


def _is_group(row: Sequence[str]) -> bool:
    return any(one and one == other for one, other in pairwise(row))


def _is_words(row: Sequence[str]) -> bool:
    return not any(_is_number(cell) for cell in row if cell)


def _is_number(cell: str) -> bool:
    digits = _AROUND_NUMBER.sub("", cell).replace(",", "").replace(".", "", 1)
    return digits.isdecimal()


def _names(rows: Sequence[Sequence[str]]) -> list[str]:
    """Join the names above each other, each once."""
    width = max(map(len, rows))
    columns = ([row[at] if at < len(row) else "" for row in rows] for at in range(width))
    return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]


def _rows(sheet: CalamineSheet, cells: CellCount, formats: CellFormats | None) -> _Rows:
    """Return the rows of a sheet as texts; a merged cell repeats in all that it covers."""
    rows: _Rows = []
    origins = dict(_merged(sheet))
    spanning: dict[tuple[int, int], str] = {}
    left = (sheet.start or (0, 0))[1]
    for number, values in enumerate(sheet.iter_rows()):
        row = [cell_text(value) for value in values[:_COLUMNS]]
        if formats is not None:
            _apply(formats, number, left, values, row)
        for column in range(len(row)) if origins else ():
            origin = origins.get((number, column))
            if origin is None:
                continue
            if origin == (number, column):
                spanning[origin] = row[column]
            else:
                row[column] = spanning.get(origin, "")
        if any(row):
            cells.take(len(row))
            rows.append((number + 1, row))
    return rows


def _apply(
    formats: CellFormats, number: int, left: int, values: Sequence[Any], row: list[str]
) -> None:
    """Write the numbers of a row as their cells show them."""
    for column, value in enumerate(values[:_COLUMNS]):
        if isinstance(value, int | float) and not isinstance(value, bool):
            shown = formats.of(number, column + left)
            if shown is not None:
                row[column] = shown.text(value)


def _merged(sheet: CalamineSheet) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield each cell inside a merged one, with the first cell; columns count from the first used
    one."""
    left = (sheet.start or (0, 0))[1]
    for (top, first), (bottom, last) in islice(sheet.merged_cell_ranges or (), _MERGED):
        if (bottom - top + 1) * (last - first + 1) <= _MERGED_CELLS and first >= left:
            for row in range(top, bottom + 1):
                for column in range(first, last + 1):
                    yield (row, column - left), (top, first - left)


def cell_text(value: Any) -> str:
    """Return a value as people write it."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() else f"{value:.15g}"
        case datetime():
            return f"{value:%Y-%m-%d}" if value.time() == _MIDNIGHT else f"{value:%Y-%m-%d %H:%M}"
        case date():
            return value.isoformat()
        case time():
            return f"{value:%H:%M:%S}".removesuffix(":00")
        case timedelta():
            return str(value)
        case _:
            return str(value).strip()
