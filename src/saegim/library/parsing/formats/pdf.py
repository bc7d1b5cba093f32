"""Parse PDF: sections come from bookmarks, or from larger type."""

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from itertools import dropwhile, groupby, islice, takewhile
from typing import Any, BinaryIO

from saegim.domain.errors import Unreadable
from saegim.library.parsing.file_dates import pdf_date
from saegim.library.parsing.formats.pdf_layout import (
    HEADING_SCALE,
    LineJoiner,
    PageLine,
    body_size,
    paragraphs,
    without_running_lines,
)
from saegim.library.parsing.formats.pdf_pages import PdfPageReader
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.ocr import Bitmap, TextRecognition
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import CellCount
from saegim.library.types import BlockKind, Locator, ParsedDocument

# The package has no types.
pdfium: Any = import_module("pypdfium2")
raw: Any = import_module("pypdfium2.raw")
# What the bindings raise for damaged pages.
_FAULTS = (
    pdfium.PdfiumError, AssertionError, ctypes.ArgumentError, IndexError, KeyError, OverflowError,
    TypeError, UnicodeError, ValueError,
)  # fmt: skip
_BOOKMARKS = 2_000
# 200 dots per inch.
_SCAN_SCALE = 200 / 72
_TITLE_SCALE = 1.3
_HEADING_LENGTH = 120
_HEADING_LEVELS = 4
_SENTENCE = re.compile(r"[.!?。,;:][\"'”’)\]]*\s*$")
_LETTER = re.compile(r"[^\W\d_]")
_NO_TITLE = re.compile(
    r"\s*(?:microsoft word|untitled|제목 ?없음|무제|document\d*\s*$"
    r"|.*\.(?:docx?|hwpx?|pptx?|indd|pdf)\s*$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Bookmark:
    level: int
    key: str
    page: int


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    document = _open(file, limits)
    pages, unread = _pages(document, CellCount(limits.cells))
    lines = without_running_lines(pages)
    if not any(line.text.strip() for line in lines):
        if unread:
            raise Unreadable(Reason.CORRUPT)
        return [_scanned(document, limits)]
    outline = Outline()
    _add(outline, lines, _levels(lines, _bookmarks(document)))
    metadata = {"format": "pdf", "pages": str(len(pages)), "unread_pages": ", ".join(unread)}
    title = _title(document, pages, outline)
    return [outline.document(title, metadata=metadata, modified_at=_modified(document))]


def _scanned(document: Any, limits: ParseLimits) -> ParsedDocument:
    """Return the recognised text of pictures of pages. Raises Unreadable without recognition."""
    try:
        recognition = TextRecognition(limits)
    except Unreadable as error:
        raise Unreadable(Reason.SCANNED) from error
    outline, unread = Outline(), list[str]()
    for number in range(len(document)):
        if not recognition.has_time:
            unread.append(str(number + 1))
            continue
        picture = document[number].render(scale=_SCAN_SCALE, grayscale=True)
        bitmap = Bitmap(picture.buffer, picture.width, picture.height, picture.stride)
        outline.locator = Locator(page=number + 1)
        add_lines(outline, recognition.of_bitmap(bitmap))
        picture.close()
    if not outline.blocks and not outline.sections:
        raise Unreadable(Reason.SCANNED)
    metadata = {"pages": str(len(document)), "unread_pages": ", ".join(unread)}
    return outline.document(metadata={"format": "pdf", "recognised": "true"} | metadata)


def _open(file: BinaryIO, limits: ParseLimits) -> Any:
    try:
        document = pdfium.PdfDocument(file)
        count = len(document)
    except pdfium.PdfiumError as error:
        locked = getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD
        raise Unreadable(Reason.ENCRYPTED if locked else Reason.CORRUPT) from error
    if not count:
        raise Unreadable(Reason.CORRUPT)
    if count > limits.pages:
        raise Unreadable(Reason.TOO_LARGE)
    return document


def _pages(document: Any, cells: CellCount) -> tuple[list[list[PageLine]], list[str]]:
    """Return the lines of every page, and the numbers of unreadable pages."""
    reader = PdfPageReader(cells)
    pages: list[list[PageLine]] = []
    unread: list[str] = []
    for number in range(len(document)):
        try:
            page = document[number]
            pages.append(reader.read(page, number))
            page.close()
        except _FAULTS:
            pages.append([])
            unread.append(str(number + 1))
    return pages, unread


def _bookmarks(document: Any) -> list[_Bookmark]:
    found: list[_Bookmark] = []
    try:
        for item in islice(document.get_toc(), _BOOKMARKS):
            target = item.get_dest()
            page = target.get_index() if target is not None else None
            if page is not None:
                found.append(_Bookmark(item.level + 1, _key(item.get_title()), page))
    except _FAULTS:
        return []
    return found


def _key(text: str) -> str:
    return "".join(text.split()).casefold()


def _levels(lines: Sequence[PageLine], bookmarks: Sequence[_Bookmark]) -> dict[int, int]:
    """Return the heading level of lines by position."""
    marked = {(mark.page, mark.key): mark.level for mark in bookmarks if mark.key}
    levels = {
        at: marked[line.page, _key(line.text)]
        for at, line in enumerate(lines)
        if (line.page, _key(line.text)) in marked
    }
    return levels if len(levels) * 2 >= len(marked) > 0 else _by_size(lines)


def _by_size(lines: Sequence[PageLine]) -> dict[int, int]:
    body = body_size(lines)
    large = {at: round(line.size, 1) for at, line in enumerate(lines) if _is_large(line, body)}
    sizes = sorted(set(large.values()), reverse=True)[:_HEADING_LEVELS]
    # If much of the text is large, size says nothing.
    if len(large) * 3 > len(lines) and len(lines) > 3:
        return {}
    return {at: sizes.index(size) + 1 for at, size in large.items() if size in sizes}


def _is_large(line: PageLine, body: float) -> bool:
    return (
        line.size >= body * HEADING_SCALE
        and len(line.text) <= _HEADING_LENGTH
        and _LETTER.search(line.text) is not None
        and not _SENTENCE.search(line.text)
    )


def _add(outline: Outline, lines: Sequence[PageLine], levels: dict[int, int]) -> None:
    """Add headings, which may wrap over lines, and the text and tables between them."""

    def group(at: int) -> tuple[int | None, int, bool]:
        return levels.get(at), lines[at].page if at in levels else -1, lines[at].is_table

    joiner = LineJoiner(lines)
    for (level, _, is_table), run in groupby(range(len(lines)), key=group):
        members = [lines[at] for at in run]
        if is_table:
            for line in members:
                outline.locator = Locator(page=line.page + 1)
                outline.add(BlockKind.TABLE, line.text)
        elif level is None:
            for page, texts in groupby(paragraphs(members, joiner), key=lambda each: each[0]):
                outline.locator = Locator(page=page + 1)
                add_lines(outline, "\n\n".join(text for _, text in texts))
        else:
            for _, text in paragraphs(members, joiner):
                outline.heading(level, text)


def _modified(document: Any) -> datetime | None:
    try:
        return pdf_date(document.get_metadata_value("ModDate"))
    except _FAULTS:
        return None


def _title(document: Any, pages: Sequence[Sequence[PageLine]], outline: Outline) -> str | None:
    """Return the title property, or the largest text on the first page."""
    try:
        title_property = document.get_metadata_value("Title")
    except _FAULTS:
        title_property = ""
    if title_property.strip() and not _NO_TITLE.match(title_property):
        return title_property
    first = next(lines for lines in pages if lines)
    largest = max(line.size for line in first)
    if largest < body_size(line for lines in pages for line in lines) * _TITLE_SCALE:
        return outline.first_heading
    head = dropwhile(lambda line: line.size < largest, first)
    return " ".join(
        line.text.strip() for line in takewhile(lambda line: line.size == largest, head)
    )
