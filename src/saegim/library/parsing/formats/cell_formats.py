"""Number formats of XLSX cells, which calamine does not read: percent, currency and units."""

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.etree import ElementTree

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import open_archive, read_part
from saegim.library.parsing.limits import ParseLimits

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STYLES, _BOOK, _LINKS = "xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_BUILT_IN = {9: "0%", 10: "0.00%"}
_CHUNK = 1 << 20
_LONGEST_TAG = 400
_MOST_ROWS, _MOST_COLUMNS, _MOST_FORMATS = 1 << 20, 200, 200
# Quoted text, an escaped character, a currency with its locale, a condition, space of a width.
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*].')
_DIGITS = re.compile(r"[#0?][#0?,.]*")
_BARE = re.compile(r"[₩$€£¥￦원%]")
_LETTERS = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What a format adds to a number."""

    before: str = ""
    after: str = ""
    percent: bool = False
    grouped: bool = False

    def text(self, value: float) -> str:
        """Return a number as the cell shows it, with all of its digits."""
        number = value * 100 if self.percent else value
        digits = f"{abs(number):.12g}"
        if self.grouped and digits.replace(".", "", 1).isdecimal():
            whole, point, rest = digits.partition(".")
            digits = f"{int(whole):,}{point}{rest}"
        sign = "-" if number < 0 else ""
        return f"{sign}{self.before}{digits}{'%' if self.percent else ''}{self.after}"


@dataclass(slots=True)
class CellFormats:
    """The formats of a sheet's cells: for each column a byte per row, 0 for none."""

    formats: list[NumberFormat] = field(default_factory=list[NumberFormat])
    columns: dict[int, bytearray] = field(default_factory=dict[int, bytearray])

    def of(self, row: int, column: int) -> NumberFormat | None:
        """Return the format of a cell, counted from 0."""
        known = self.columns.get(column)
        number = known[row] if known is not None and row < len(known) else 0
        return self.formats[number - 1] if number else None

    def add(self, row: int, column: int, number: int) -> None:
        known = self.columns.setdefault(column, bytearray())
        if len(known) <= row:
            known.extend(bytes(row + 1 - len(known)))
        known[row] = number


def number_format(code: str) -> NumberFormat | None:
    """Read the format for positive numbers; None if it adds nothing, or is one of dates."""
    literals: list[str] = []

    def kept(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return "\0"

    bare = _LITERAL.sub(kept, code).split(";", 1)[0]
    digits = _DIGITS.search(bare)
    if digits is None or _LETTERS.search(bare):
        return None
    texts = iter(literals)
    sides = [
        "".join(
            next(texts, "") if each == "\0" else each if _BARE.match(each) else "" for each in side
        ).strip()
        for side in (bare[: digits.start()], bare[digits.end() :])
    ]
    percent = "%" in bare
    before, after = (side.replace("%", "") if percent else side for side in sides)
    if not (before or after or percent):
        return None
    return NumberFormat(before, after, percent, "," in digits[0])


def cell_formats(file: BinaryIO, limits: ParseLimits) -> Mapping[str, CellFormats]:
    """Return the formats of each sheet that has any, by its name; none of other files."""
    try:
        with open_archive(file, limits) as archive:
            if not {_STYLES, _BOOK, _LINKS} <= set(archive.namelist()):
                return {}
            styles = dict(_styles(archive, limits))
            if not styles:
                return {}
            return {name: _cells(archive, path, styles) for name, path in _sheets(archive, limits)}
    except (Unreadable, ElementTree.ParseError, zipfile.BadZipFile, zlib.error, ValueError):
        # The values are readable without their formats.
        return {}


def _styles(archive: zipfile.ZipFile, limits: ParseLimits) -> Iterator[tuple[int, NumberFormat]]:
    """Yield the cell styles with a format that adds something."""
    root = ElementTree.fromstring(read_part(archive, _STYLES, limits))  # noqa: S314  read_part refused entities and depth
    codes = dict(_BUILT_IN)
    for each in root.iter(f"{_MAIN}numFmt"):
        codes[int(each.get("numFmtId", "0"))] = each.get("formatCode", "")
    for number, style in enumerate(root.iterfind(f"{_MAIN}cellXfs/{_MAIN}xf")):
        found = number_format(codes.get(int(style.get("numFmtId", "0")), ""))
        if found is not None and number < _MOST_FORMATS:
            yield number, found


def _sheets(archive: zipfile.ZipFile, limits: ParseLimits) -> Iterator[tuple[str, str]]:
    """Yield the name and the part of each sheet."""
    links = ElementTree.fromstring(read_part(archive, _LINKS, limits))  # noqa: S314  as above
    targets = {each.get("Id"): each.get("Target", "") for each in links}
    book = ElementTree.fromstring(read_part(archive, _BOOK, limits))  # noqa: S314  as above
    names = set(archive.namelist())
    for each in book.iter(f"{_MAIN}sheet"):
        target = targets.get(each.get(_RELATION), "")
        path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if path in names:
            yield each.get("name", ""), path


def _cells(archive: zipfile.ZipFile, path: str, styles: Mapping[int, NumberFormat]) -> CellFormats:
    """Find the cells of these styles, chunk by chunk: a sheet may have a million cells."""
    found = CellFormats(list(styles.values()))
    numbers = {str(style).encode(): at for at, style in enumerate(styles, start=1)}
    chosen = b"|".join(numbers)
    cell = re.compile(rb'<c\b(?=[^>]*\br="([A-Z]{1,3})(\d{1,7})")[^>]*\bs="(' + chosen + rb')"')
    with archive.open(path) as part:
        rest = b""
        while chunk := part.read(_CHUNK):
            data = rest + chunk
            end = 0
            for match in cell.finditer(data):
                row, column = int(match[2]) - 1, _column(match[1])
                if row < _MOST_ROWS and column < _MOST_COLUMNS:
                    found.add(row, column, numbers[match[3]])
                end = match.end()
            rest = data[max(end, len(data) - _LONGEST_TAG) :]
    return found


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1
