"""Parse HWPX (OWPML), zipped XML, with the standard library after checking it."""

import re
import zipfile
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import BinaryIO
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import open_archive, read_part
from saegim.library.parsing.formats.hwpx_styles import HwpxParagraphStyle, HwpxStyles, inside, local
from saegim.library.parsing.items import Items
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.numbering import Level, ListCounters, int_or_1
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import CellCount, TableCell, grid, table
from saegim.library.types import BlockKind, ParsedDocument

_SECTION = re.compile(r"Contents/section(\d{1,5})\.xml", re.IGNORECASE)
# Page headers and footers, hidden comments, and field parameters.
_SKIPPED = {"header", "footer", "hiddenComment", "parameters", "secPr", "colPr", "linesegarray"}
_SPACES = {"tab": "\t", "lineBreak": "\n", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    archive = open_archive(file, limits)
    names = archive.namelist()
    manifest = "META-INF/manifest.xml"
    if manifest in names and b"encryption-data" in read_part(archive, manifest, limits):
        raise Unreadable(Reason.ENCRYPTED)
    sections = sorted(filter(_SECTION.fullmatch, names), key=_number)
    if not sections:
        raise Unreadable(Reason.CORRUPT)
    outline = Outline()
    styles = HwpxStyles.of(_tree(archive, "Contents/header.xml", limits))
    reader = _HwpxReader(outline, styles, CellCount(limits.cells))
    for name in sections:
        reader.read(_top_paragraphs(read_part(archive, name, limits)))
    title = _title_property(_tree(archive, "Contents/content.hpf", limits))
    return [outline.document(title or outline.first_heading, metadata={"format": "hwpx"})]


def _number(name: str) -> int:
    match = _SECTION.fullmatch(name)
    return int(match[1]) if match else 0


def _tree(archive: zipfile.ZipFile, name: str, limits: ParseLimits) -> Element:
    """Return an XML part; an empty element if there is none."""
    if name not in archive.namelist():
        return Element("none")
    data = read_part(archive, name, limits)
    return ElementTree.fromstring(data)  # noqa: S314  read_part refused entities and depth


def _title_property(package: Element) -> str | None:
    title = next(inside(package, "title"), None)
    return (title.text or "").strip() or None if title is not None else None


def _top_paragraphs(data: bytes) -> Iterator[Element]:
    """Yield a section's paragraphs one by one, freeing each before the next."""
    depth = 0
    events = ElementTree.iterparse(BytesIO(data), ("start", "end"))  # noqa: S314  as above
    for event, element in events:
        depth += 1 if event == "start" else -1
        if event == "end" and depth == 1:
            yield element
            element.clear()


class _HwpxReader:
    def __init__(self, outline: Outline, styles: HwpxStyles, cells: CellCount) -> None:
        self._outline = outline
        self._styles = styles
        self._cells = cells
        self._items = Items(outline)
        self._counters = ListCounters()
        self._outline_list = ""
        self._plain: list[str] = []

    def read(self, paragraphs: Iterable[Element]) -> None:
        for paragraph in paragraphs:
            if local(paragraph) == "p":
                self._paragraph(paragraph)
        self._flush()

    def _flush(self) -> None:
        self._items.flush()
        add_lines(self._outline, "\n".join(self._plain))
        self._plain.clear()

    def _paragraph(self, paragraph: Element) -> None:
        for properties in inside(paragraph, "secPr"):
            self._outline_list = properties.get("outlineShapeIDRef", "")
        text = "".join(_words(paragraph)).strip()
        if text:
            self._add(self._styles.shape(paragraph), text)
        elif self._plain:
            self._plain.append("")
        for inner in _objects(paragraph):
            self._flush()
            if local(inner) == "tbl":
                self._table(inner)
            else:
                self.read(inner)

    def _add(self, shape: HwpxParagraphStyle, text: str) -> None:
        if shape.heading is not None:
            self._flush()
            label = self._label(self._outline_list, shape.heading - 1)
            self._outline.heading(shape.heading, f"{label} {text}")
        elif shape.list_name is not None:
            if self._plain:
                self._flush()
            self._items.add(shape.level, self._item_label(shape), text)
        else:
            self._items.flush()
            self._plain.append(text)

    def _label(self, name: str, level: int) -> str:
        levels = self._styles.lists.get(name, {})
        return self._counters.label(name, levels, level) if level in levels else ""

    def _item_label(self, shape: HwpxParagraphStyle) -> str:
        if shape.is_bullet:
            return "-"
        name = shape.list_name or ""
        undefined = {shape.level: Level(f"^{shape.level + 1}.", "DIGIT")}
        return self._label(name, shape.level) or self._counters.label(name, undefined, shape.level)

    def _table(self, node: Element) -> None:
        """Read a table; a single column is a text box."""
        rows = [[cell for cell in row if local(cell) == "tc"] for row in node if local(row) == "tr"]
        self._cells.take(sum(map(len, rows)))
        if max(map(len, rows), default=0) > 1:
            cells = grid([[_cell(cell) for cell in row] for row in rows])
            self._outline.add(BlockKind.TABLE, table(cells))
            return
        for row in rows:
            for cell in row:
                for inner in cell:
                    self.read(inner)


def _words(node: Element) -> Iterator[str]:
    """Yield the text of a paragraph, without tables, text boxes and notes."""
    for inner in node:
        name = local(inner)
        if name in _SPACES:
            yield _SPACES[name]
        elif name == "t":
            yield inner.text or ""
            for mark in inner:
                yield _SPACES.get(local(mark), "")
                yield mark.tail or ""
        elif name == "script" and local(node) == "equation":
            yield inner.text or ""
        elif name in ("run", "ctrl", "equation"):
            yield from _words(inner)


def _objects(node: Element) -> Iterator[Element]:
    """Yield tables and the paragraph lists of text boxes and notes in a paragraph."""
    for inner in node:
        name = local(inner)
        if name in ("tbl", "subList"):
            yield inner
        elif name not in _SKIPPED:
            yield from _objects(inner)


def _cell(node: Element) -> TableCell:
    span = next((inner for inner in node if local(inner) == "cellSpan"), None)
    text = "\n".join("".join(_words(paragraph)) for paragraph in inside(node, "p"))
    if span is None:
        return TableCell(text)
    return TableCell(text, int_or_1(span.get("rowSpan"), 5), int_or_1(span.get("colSpan"), 5))
