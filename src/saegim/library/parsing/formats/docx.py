"""Parse DOCX with python-docx: outline levels, list numbers, tables; macros never run."""

import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.exceptions import OpcError
from docx.opc.part import PartFactory, XmlPart
from docx.package import Package
from docx.parts.document import DocumentPart

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import open_office
from saegim.library.parsing.formats.word_styles import (
    Node,
    WordParagraphStyle,
    WordStyles,
    child,
    name_of,
    value,
)
from saegim.library.parsing.items import Items
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.numbering import ListCounters, parse_int
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import CellCount, table
from saegim.library.types import BlockKind, ParsedDocument

# Content types of the main part, with macros and templates.
_MAIN_PARTS = (
    CONTENT_TYPE.WML_DOCUMENT_MAIN,
    "application/vnd.ms-word.document.macroEnabled.main+xml",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
)
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# Deleted and moved text, field codes, ruby, and the older copy of a drawing.
_SKIPPED = {"del", "moveFrom", "rt", "pPr", "tblPr", "sdtPr", f"{_COMPATIBILITY}Fallback"}
_FAULTS = (KeyError, ValueError, AttributeError, TypeError, IndexError, SyntaxError, OpcError)


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    part = _document_part(file, limits)
    outline = Outline()
    reader = _DocxReader(outline, _styles(part), CellCount(limits.cells))
    reader.read(_body(part))
    title = reader.title or _title_property(part) or outline.first_heading
    return [outline.document(title, metadata={"format": "docx"})]


def _document_part(file: BinaryIO, limits: ParseLimits) -> DocumentPart:
    open_office(file, limits)
    file.seek(0)
    for content_type in _MAIN_PARTS:
        PartFactory.part_type_for[content_type] = DocumentPart
    try:
        part = cast("object", Package.open(file).main_document_part)
    except (*_FAULTS, zipfile.BadZipFile, zlib.error, OSError, EOFError) as error:
        raise Unreadable(Reason.CORRUPT) from error
    if not isinstance(part, DocumentPart):
        raise Unreadable(Reason.CORRUPT)
    return part


def _body(part: DocumentPart) -> Node:
    body = child(cast("Node", part.element), "body")
    if body is None:
        raise Unreadable(Reason.CORRUPT)
    return body


def _styles(part: DocumentPart) -> WordStyles:
    def element(relation: str) -> Node | None:
        try:
            related = part.part_related_by(relation)
        except (KeyError, ValueError):
            return None
        return cast("Node", related.element) if isinstance(related, XmlPart) else None

    return WordStyles(element(RELATIONSHIP_TYPE.STYLES), element(RELATIONSHIP_TYPE.NUMBERING))


def _title_property(part: DocumentPart) -> str | None:
    try:
        title = part.core_properties.title.strip()
    except _FAULTS:
        return None
    # The default title of python-docx and some exporters.
    return None if title in ("", "Word Document") else title


class _DocxReader:
    def __init__(self, outline: Outline, styles: WordStyles, cells: CellCount) -> None:
        self._outline = outline
        self._styles = styles
        self._cells = cells
        self._items = Items(outline)
        self._counters = ListCounters()
        self.title: str | None = None

    def read(self, body: Node) -> None:
        self._read(body)
        self._items.flush()

    def _read(self, parent: Node) -> None:
        for node in parent:
            match name_of(node):
                case "p":
                    self._paragraph(node)
                case "tbl":
                    self._items.flush()
                    self._table(node)
                case "sdt" if _is_contents(node):
                    continue
                case name if name in _SKIPPED:
                    continue
                case _:
                    self._read(node)

    def _paragraph(self, node: Node) -> None:
        shape = self._styles.shape(node)
        text = "".join(_words(node)).strip()
        if text and not shape.style.startswith("toc "):
            self._add(shape, text)
        for box in _boxes(node):
            self._items.flush()
            self._read(box)

    def _add(self, shape: WordParagraphStyle, text: str) -> None:
        label = self._label(shape)
        if shape.heading is not None:
            self._items.flush()
            self._outline.heading(shape.heading, f"{label} {text}" if label != "-" else text)
        elif shape.style == "title" and self.title is None:
            self._items.flush()
            self.title = text
        elif label:
            self._items.add(shape.list_level, label, text)
        else:
            self._items.flush()
            self._outline.add(BlockKind.PARAGRAPH, text)

    def _label(self, shape: WordParagraphStyle) -> str:
        levels = self._styles.lists.get(shape.list_name or "")
        if levels is None or shape.list_level not in levels:
            return ""
        return self._counters.label(shape.list_name or "", levels, shape.list_level)

    def _table(self, node: Node) -> None:
        """Read a table; a single column is a text box."""
        rows = _rows(node)
        self._cells.take(sum(map(len, rows)))
        if max(map(len, rows), default=0) > 1:
            self._outline.add(BlockKind.TABLE, table(rows))
        else:
            for row in (inner for inner in node if name_of(inner) == "tr"):
                for cell in (inner for inner in row if name_of(inner) == "tc"):
                    self._read(cell)
            self._items.flush()


def _is_contents(node: Node) -> bool:
    gallery = value(node, "sdtPr", "docPartObj", "docPartGallery") or ""
    return gallery.lower() == "table of contents"


def _words(node: Node) -> Iterator[str]:
    """Yield the visible text of a paragraph, without text boxes."""
    for inner in node:
        match name_of(inner):
            case "t":
                yield inner.text or ""
            case "tab":
                yield "\t"
            case "br" | "cr":
                yield "\n"
            case "noBreakHyphen":
                yield "-"
            case "r" if _is_hidden(inner):
                continue
            case "txbxContent" | "tbl":
                continue
            case name if name == f"{_MATH}t":
                yield inner.text or ""
            case name if name not in _SKIPPED:
                yield from _words(inner)
            case _:
                continue


def _is_hidden(run: Node) -> bool:
    hidden = child(run, "rPr", "vanish") is not None
    return hidden and value(run, "rPr", "vanish") not in ("0", "false")


def _boxes(node: Node) -> Iterator[Node]:
    for inner in node:
        name = name_of(inner)
        if name == "txbxContent":
            yield inner
        elif name not in _SKIPPED:
            yield from _boxes(inner)


def _rows(node: Node) -> list[list[str]]:
    """Return the cells of a table; vertically merged ones repeat in each row."""
    rows: list[list[str]] = []
    above: dict[int, str] = {}
    for row in (inner for inner in node if name_of(inner) == "tr"):
        cells: list[str] = []
        for cell in (inner for inner in row if name_of(inner) == "tc"):
            merged = child(cell, "tcPr", "vMerge")
            at, text = len(cells), _cell_text(cell)
            if merged is not None and value(cell, "tcPr", "vMerge") != "restart":
                text = above.get(at, "")
            above[at] = text
            span = parse_int(value(cell, "tcPr", "gridSpan")) or 1
            cells.extend([text, *[""] * (min(span, 50) - 1)])
        rows.append(cells)
    return rows


def _cell_text(node: Node) -> str:
    """Return a cell's paragraphs as lines, including nested tables."""
    if name_of(node) == "p":
        return "".join(_words(node))
    return "\n".join(_cell_text(inner) for inner in node if name_of(inner) not in _SKIPPED)
