"""Parse PPTX with python-pptx: a section per slide, lists, tables, charts and notes."""

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, cast

from pptx import Presentation
from pptx.exc import PythonPptxError
from pptx.shapes.base import BaseShape
from pptx.slide import Slide
from pptx.table import Table

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import open_office
from saegim.library.parsing.items import Items
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import CellCount, TableCell, grid, table
from saegim.library.types import BlockKind, Locator, ParsedDocument

_FAULTS = (
    PythonPptxError, AttributeError, IndexError, KeyError, NotImplementedError, SyntaxError,
    TypeError, ValueError,
)  # fmt: skip
_HANGUL = re.compile("[가-힣]")
_DEPTH = 20
# Placeholders that repeat on every slide: date, footer, slide number, header.
_REPEATED = {16, 15, 13, 14}


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    open_office(file, limits)
    file.seek(0)
    try:
        deck = Presentation(file)
        slides = list(deck.slides)
        title = deck.core_properties.title
    except (*_FAULTS, zipfile.BadZipFile, zlib.error, OSError, EOFError) as error:
        raise Unreadable(Reason.CORRUPT) from error
    if len(slides) > limits.pages:
        raise Unreadable(Reason.TOO_LARGE)
    outline = Outline()
    reader = _SlideReader(outline, CellCount(limits.cells))
    unread: list[str] = []
    for number, slide in enumerate(slides, 1):
        outline.locator = Locator(slide=number)
        try:
            reader.read(slide, number)
        except _FAULTS:
            unread.append(str(number))
    if unread and not outline.first_heading:
        raise Unreadable(Reason.CORRUPT)
    metadata = {"format": "pptx", "slides": str(len(slides)), "unread_slides": ", ".join(unread)}
    if title.strip() in ("", "PowerPoint Presentation", "PowerPoint 프레젠테이션"):
        title = reader.title
    return [outline.document(title, metadata=metadata)]


class _SlideReader:
    def __init__(self, outline: Outline, cells: CellCount) -> None:
        self._outline = outline
        self._cells = cells
        self._items = Items(outline)
        self.title: str | None = None

    def read(self, slide: Slide, number: int) -> None:
        heading = slide.shapes.title
        text = _text(heading) if heading is not None else ""
        self.title = self.title or text or None
        self._outline.heading(1, text or _untitled(slide, number))
        for shape in _ordered(slide.shapes):
            if heading is None or shape.shape_id != heading.shape_id:
                self._shape(shape, 0)
        notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        if notes is not None and notes.text.strip():
            korean = _HANGUL.search(notes.text) is not None
            self._outline.heading(2, "발표자 노트" if korean else "Notes")
            self._outline.add(BlockKind.PARAGRAPH, _clean(notes.text))

    def _shape(self, shape: Any, depth: int) -> None:
        if shape.is_placeholder and shape.placeholder_format.type in _REPEATED:
            return
        if depth < _DEPTH and hasattr(shape, "shapes"):
            for inner in _ordered(shape.shapes):
                self._shape(inner, depth + 1)
        elif getattr(shape, "has_table", False):
            self._table(shape.table)
        elif getattr(shape, "has_chart", False):
            self._chart(shape.chart)
        elif shape.has_text_frame:
            self._paragraphs(shape)

    def _paragraphs(self, shape: Any) -> None:
        """Add a text box; several paragraphs of a placeholder are its list."""
        paragraphs = [each for each in shape.text_frame.paragraphs if each.text.strip()]
        listed = len(paragraphs) > 1 and shape.is_placeholder
        for each in paragraphs:
            if listed or each.level:
                self._items.add(each.level, "-", _clean(each.text))
            else:
                self._items.flush()
                self._outline.add(BlockKind.PARAGRAPH, _clean(each.text))
        self._items.flush()

    def _table(self, content: Table) -> None:
        rows = [
            [
                TableCell(_clean(cell.text), cell.span_height, cell.span_width)
                for cell in row.cells
                if not cell.is_spanned
            ]
            for row in content.rows
        ]
        self._cells.take(sum(map(len, rows)))
        self._outline.add(BlockKind.TABLE, table(grid(rows)))

    def _chart(self, chart: Any) -> None:
        """Add the values of a chart as a table."""
        if chart.has_title and chart.chart_title.has_text_frame:
            self._outline.add(BlockKind.PARAGRAPH, chart.chart_title.text_frame.text)
        for plot in chart.plots:
            series = list(plot.series)
            labels = [str(label) for label in plot.categories]
            values = [[_number(value) for value in each.values] for each in series]
            rows = [["", *(str(each.name) for each in series)]]
            rows += [
                [label, *(column[at] if at < len(column) else "" for column in values)]
                for at, label in enumerate(labels)
            ]
            self._cells.take(sum(map(len, rows)))
            self._outline.add(BlockKind.TABLE, table(rows))


def _ordered(shapes: Iterable[BaseShape]) -> Iterator[BaseShape]:
    """Yield the shapes from top to bottom; those without a position of their own come first."""
    listed = list(shapes)
    order = sorted(range(len(listed)), key=lambda at: (_band(listed[at]), at))
    return (listed[at] for at in order)


def _band(shape: BaseShape) -> tuple[int, int]:
    # Half an inch: shapes beside each other are seldom exactly level.
    top, left = cast("int | None", shape.top), cast("int | None", shape.left)
    return (-1, 0) if top is None else (top // 457_200, left or 0)


def _untitled(slide: Slide, number: int) -> str:
    korean = any(_HANGUL.search(_text(shape)) for shape in slide.shapes if shape.has_text_frame)
    return f"슬라이드 {number}" if korean else f"Slide {number}"


def _text(shape: Any) -> str:
    return _clean(shape.text_frame.text) if shape.has_text_frame else ""


def _clean(text: str) -> str:
    return text.replace("\v", "\n").strip()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.15g}"
