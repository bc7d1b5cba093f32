"""Read the lines and the ruled tables of a PDF page with PDFium."""

import ctypes
import math
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from typing import Any

from saegim.library.parsing.formats.pdf_layout import PageLine
from saegim.library.parsing.tables import CellCount, TableCell, grid, table

# The package has no types.
raw: Any = import_module("pypdfium2.raw")
# Lines closer than this are one; a border drawn as a thin box has two edges.
_NEAR = 3.0
_SHORTEST = 4.0
# The share of a letter's height that is a gap between words.
_GAP, _MIXED_GAP = 0.12, 0.25
# A page with more lines than this holds drawings.
_MOST_RULES = 1_500
_MOST_CELLS = 5_000
# A line end inside a number or a date, or before the last syllable of a cell.
_BROKEN = re.compile(r"(?<=[-./,])\n(?=\d)|(?<=[가-힣])\n(?=[가-힣]$)")
_MOST_OBJECTS = 20_000
# PDFium's own marks: a soft hyphen at the end of a line, and characters without Unicode.
_NO_TEXT = {0xFFFE, 0xFFFF, 0x0000}


@dataclass(frozen=True, slots=True)
class _Rule:
    """A horizontal or vertical line: where it is, and from where to where it goes."""

    at: float
    start: float
    end: float

    def crosses(self, other: "_Rule") -> bool:
        return (
            self.start - _NEAR <= other.at <= self.end + _NEAR
            and other.start - _NEAR <= self.at <= other.end + _NEAR
        )

    def covers(self, at: float, middle: float) -> bool:
        return abs(self.at - at) <= _NEAR and self.start <= middle <= self.end


@dataclass(slots=True)
class _Rules:
    across: list[_Rule] = field(default_factory=list[_Rule])
    down: list[_Rule] = field(default_factory=list[_Rule])

    def add(self, one: tuple[float, float], other: tuple[float, float]) -> None:
        (x0, y0), (x1, y1) = one, other
        if abs(y0 - y1) <= 1 and abs(x0 - x1) >= _SHORTEST:
            self.across.append(_Rule(y0, min(x0, x1), max(x0, x1)))
        elif abs(x0 - x1) <= 1 and abs(y0 - y1) >= _SHORTEST:
            self.down.append(_Rule(x0, min(y0, y1), max(y0, y1)))


@dataclass(slots=True)
class PageTable:
    """A table of a page: its columns' borders from left, its rows' borders from top, the rows and
    columns that each cell covers, and its text."""

    columns: list[float]
    rows: list[float]
    spans: dict[tuple[int, int], tuple[int, int]]
    texts: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])

    def holds(self, x: float, y: float) -> bool:
        return (
            self.columns[0] - _NEAR <= x <= self.columns[-1] + _NEAR
            and self.rows[-1] - _NEAR <= y <= self.rows[0] + _NEAR
        )

    def add(self, line: "_TextLine") -> None:
        """Put the letters of a line into the cells they are in."""
        cell = None
        written: set[tuple[int, int]] = set()
        for letter, (x, y) in zip(line.letters, line.origins, strict=True):
            if not letter.isspace() or cell is None:
                cell = self._cell(x, y)
            before = self.texts.get(cell, "")
            if before and cell not in written:
                before += "\n"
            written.add(cell)
            self.texts[cell] = before + letter

    def cells(self) -> list[list[str]]:
        """Return the texts of all rows."""
        rows: list[list[TableCell]] = [[] for _ in self.rows[1:]]
        for (row, column), (down, across) in sorted(self.spans.items()):
            text = _BROKEN.sub("", self.texts.get((row, column), "").strip())
            rows[row].append(TableCell(text, down, across))
        return grid(rows)

    def continues(self, before: "PageTable") -> bool:
        """Whether it has the columns of a table on the page before."""
        return len(self.columns) == len(before.columns) and all(
            abs(one - other) <= _NEAR
            for one, other in zip(self.columns, before.columns, strict=True)
        )

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        """Return the cell at a position: the first one that covers it."""
        column = min(max(bisect(self.columns, x + 0.5) - 1, 0), len(self.columns) - 2)
        below = sum(1 for border in self.rows if border > y + 0.5)
        row = min(max(below - 1, 0), len(self.rows) - 2)
        for (top, left), (down, across) in self.spans.items():
            if top <= row < top + down and left <= column < left + across:
                return top, left
        return row, column


@dataclass(frozen=True, slots=True)
class _TextLine:
    line: PageLine
    letters: list[str]
    origins: list[tuple[float, float]]


class PdfPageReader:
    """Reads pages in order; a table that goes on after a page break gets the header again."""

    def __init__(self, cells: CellCount) -> None:
        self._cells = cells
        self._last: tuple[PageTable, list[str]] | None = None

    def read(self, page: Any, number: int) -> list[PageLine]:
        """Return a page's lines in content order, each table in place of the lines inside it."""
        text = page.get_textpage()
        tables = list(_tables(page))
        lines: list[PageLine | PageTable] = []
        for each in _lines(text, number):
            holder = next((one for one in tables if one.holds(*each.origins[0])), None)
            if holder is None:
                lines.append(each.line)
                continue
            if not holder.texts:
                lines.append(holder)
            holder.add(each)
        text.close()
        return list(self._shown(lines, number))

    def _shown(self, lines: Sequence[PageLine | PageTable], number: int) -> Iterator[PageLine]:
        before, self._last = self._last, None
        for at, line in enumerate(lines):
            if isinstance(line, PageLine):
                yield line
                continue
            rows = line.cells()
            self._cells.take(sum(map(len, rows)))
            if at == 0 and before is not None and line.continues(before[0]):
                rows = [before[1], *(row for row in rows if row != before[1])]
            if at == len(lines) - 1:
                self._last = line, rows[0]
            yield PageLine(table(rows), 0.0, line.rows[0], number, is_table=True)


def _lines(page: Any, number: int) -> Iterator[_TextLine]:
    """Yield the lines of a page."""
    handle: Any = page.raw
    spaces = _Spaces(handle, page.count_chars())
    letters, places, origins = list[str](), list[int](), list[tuple[float, float]]()
    size = 0.0
    for at in range(spaces.count + 1):
        code = raw.FPDFText_GetUnicode(handle, at) if at < spaces.count else 10
        if code == 32 and (not places or not spaces.separates(at)):
            continue
        letter, origin = _letter(code), _origin(handle, at) if code not in (10, 13) else (0.0, 0.0)
        # PDFium does not always end a line where the next one begins further down.
        lower = bool(places) and not letter.isspace() and abs(origin[1] - origins[0][1]) > size
        if (code in (10, 13) or lower) and places:
            if spaces.ends_line(places[-1]):
                letters.append(" ")
                origins.append(origins[-1])
            text = "".join(letters)
            yield _TextLine(PageLine(text, size, origins[0][1], number), letters, origins)
            letters, places, origins = [], [], []
        if code not in (10, 13) and (places or not letter.isspace()):
            size = size if places else _size(handle, at)
            letters.append(letter)
            places.append(at)
            origins.append(origin)


class _Spaces:
    """Tells spaces between words from those that are not there.

    Some programs draw spaces apart from the words, so that they come in another order, and PDFium
    adds spaces where there is a gap: also between two fonts, or between Hangul and digits."""

    def __init__(self, handle: Any, count: int) -> None:
        self.count = count
        self._handle = handle
        self._drawn: defaultdict[int, list[float]] = defaultdict(list)
        for at in range(count):
            if raw.FPDFText_GetUnicode(handle, at) == 32:
                box = _box(handle, at)
                if raw.FPDFText_IsGenerated(handle, at) != 1 and box.right > box.left:
                    self._drawn[round(_origin(handle, at)[1])].append(box.left)

    def separates(self, at: int) -> bool:
        """Whether a space stands between the letters before and after it."""
        following = raw.FPDFText_GetUnicode(self._handle, at + 1) if at + 1 < self.count else 10
        if following in (10, 13):
            return False
        before, after = _box(self._handle, at - 1), _box(self._handle, at + 1)
        if after.left < before.left:
            return True
        if raw.FPDFText_IsGenerated(self._handle, at) != 1:
            box = _box(self._handle, at)
            if before.left <= box.left <= after.right:
                return True
        if self._is_drawn(at - 1, before.right - 1.5, after.left + 0.5):
            return True
        mixed = _is_hangul(self._handle, at - 1) != _is_hangul(self._handle, at + 1)
        gap = (_MIXED_GAP if mixed else _GAP) * abs(before.top - before.bottom)
        return after.left - before.right >= gap

    def ends_line(self, at: int) -> bool:
        """Whether a space is drawn after the last letter of a line."""
        box = _box(self._handle, at)
        return self._is_drawn(at, box.right - 1.0, box.right + 0.3 * abs(box.top - box.bottom))

    def _is_drawn(self, at: int, left: float, right: float) -> bool:
        y = round(_origin(self._handle, at)[1])
        return any(
            left <= x <= right for line in range(y - 1, y + 2) for x in self._drawn.get(line, ())
        )


def _box(handle: Any, at: int) -> Any:
    box = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(handle, at, box)
    return box


def _is_hangul(handle: Any, at: int) -> bool:
    return 0xAC00 <= raw.FPDFText_GetUnicode(handle, at) <= 0xD7A3


def _letter(code: int) -> str:
    if code in _NO_TEXT:
        # One character each, so that positions stay right.
        return "-" if code == 0xFFFE else " "
    return chr(code) if code < 0xD800 or 0xE000 <= code <= 0x10FFFF else " "


def _origin(handle: Any, at: int) -> tuple[float, float]:
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(handle, at, x, y)
    return x.value, y.value


def _size(handle: Any, at: int) -> float:
    """Return the size at which a character is drawn."""
    matrix = raw.FS_MATRIX()
    scale = 1.0
    if raw.FPDFText_GetMatrix(handle, at, matrix):
        scale = math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
    return raw.FPDFText_GetFontSize(handle, at) * scale


def _tables(page: Any) -> Iterator[PageTable]:
    rules = _rules(page)
    if len(rules.across) + len(rules.down) > _MOST_RULES:
        return
    for across, down in _connected(rules):
        columns = _positions([rule.at for rule in down])
        rows = _positions([rule.at for rule in across])[::-1]
        if len(columns) >= 3 and len(rows) >= 3 and len(columns) * len(rows) <= _MOST_CELLS:
            yield PageTable(columns, rows, _spans(_Rules(across, down), columns, rows))


def _rules(page: Any) -> _Rules:
    """Return the straight lines and the edges of the boxes that are drawn on a page."""
    rules = _Rules()
    paths = page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1)
    for _, path in zip(range(_MOST_OBJECTS), paths, strict=False):
        handle: Any = path.raw
        count = raw.FPDFPath_CountSegments(handle)
        if count < 2 or count > 200:
            continue
        matrix = path.get_matrix()
        points: list[tuple[float, float]] = []
        for at in range(count):
            segment = raw.FPDFPath_GetPathSegment(handle, at)
            x, y = ctypes.c_float(), ctypes.c_float()
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            if raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO:
                _add_all(rules, points)
                points = []
            points.append(matrix.on_point(x.value, y.value))
            if raw.FPDFPathSegment_GetClose(segment) and points:
                points.append(points[0])
        _add_all(rules, points)
        if len(rules.across) + len(rules.down) > 4 * _MOST_RULES:
            return rules
    return rules if len(rules.across) + len(rules.down) > 4 * _MOST_RULES else _joined(rules)


def _add_all(rules: _Rules, points: Sequence[tuple[float, float]]) -> None:
    for one, other in pairwise(points):
        rules.add(one, other)


def _joined(rules: _Rules) -> _Rules:
    return _Rules(list(_join(rules.across)), list(_join(rules.down)))


def _join(rules: Sequence[_Rule]) -> Iterator[_Rule]:
    """Join lines that continue each other: many programs draw the borders of each cell."""
    open_rule: _Rule | None = None
    for rule in sorted(rules, key=lambda each: (round(each.at / _NEAR), each.start)):
        if (
            open_rule is not None
            and abs(open_rule.at - rule.at) <= _NEAR
            and rule.start <= open_rule.end + _NEAR
        ):
            open_rule = _Rule(open_rule.at, open_rule.start, max(open_rule.end, rule.end))
            continue
        if open_rule is not None:
            yield open_rule
        open_rule = rule
    if open_rule is not None:
        yield open_rule


def _connected(rules: _Rules) -> Iterator[tuple[list[_Rule], list[_Rule]]]:
    """Yield groups of lines that cross each other."""
    left_across, left_down = list(rules.across), list(rules.down)
    while left_across:
        across, down = [left_across.pop()], list[_Rule]()
        waiting = [(across[0], True)]
        while waiting:
            rule, is_across = waiting.pop()
            others = left_down if is_across else left_across
            crossing = [other for other in others if rule.crosses(other)]
            others[:] = [other for other in others if other not in crossing]
            (down if is_across else across).extend(crossing)
            waiting += [(other, not is_across) for other in crossing]
        if down:
            yield across, down


def _positions(values: Sequence[float]) -> list[float]:
    """Return the different positions, from the lowest."""
    positions: list[float] = []
    for value in sorted(values):
        if not positions or value - positions[-1] > _NEAR:
            positions.append(value)
    return positions


def _spans(
    rules: _Rules, columns: Sequence[float], rows: Sequence[float]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the rows and columns that each cell covers; two without a border between are one."""
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    taken: set[tuple[int, int]] = set()
    for row in range(len(rows) - 1):
        for column in range(len(columns) - 1):
            if (row, column) in taken:
                continue
            across, down = _span(rules, columns, rows, row, column)
            taken |= {(row + y, column + x) for y in range(down) for x in range(across)}
            spans[row, column] = down, across
    return spans


def _span(
    rules: _Rules, columns: Sequence[float], rows: Sequence[float], row: int, column: int
) -> tuple[int, int]:
    """Return how many columns and rows a cell covers."""
    y = (rows[row] + rows[row + 1]) / 2
    across = 1
    while column + across < len(columns) - 1 and not any(
        rule.covers(columns[column + across], y) for rule in rules.down
    ):
        across += 1
    x = (columns[column] + columns[column + across]) / 2
    down = 1
    while row + down < len(rows) - 1 and not any(
        rule.covers(rows[row + down], x) for rule in rules.across
    ):
        down += 1
    return across, down
