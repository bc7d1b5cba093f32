"""Parse PDF: sections come from bookmarks, or from larger type."""

import math
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, groupby, takewhile
from typing import BinaryIO, cast

from pypdf import PageObject, PdfReader, apply_configuration
from pypdf.errors import FileNotDecryptedError, PyPdfError
from pypdf.generic import Destination

from saegim.domain.errors import Unreadable
from saegim.library.parsing.formats.pdf_layout import (
    HEADING_SCALE,
    PageLine,
    body_size,
    paragraphs,
    without_running_lines,
)
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.outline import Outline
from saegim.library.types import ParsedDocument

# What pypdf raises for damaged files, beyond its own errors.
_FAULTS = (
    PyPdfError, ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError,
    OSError, RecursionError, TypeError, ValueError, struct.error, zlib.error,
)  # fmt: skip
_BOOKMARKS = 2_000
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
    with apply_configuration(jbig2dec_binary=None):
        reader = _open(file, limits)
        pages, unread = _pages(reader, limits.pages)
        lines = without_running_lines(pages)
        if not any(line.text.strip() for line in lines):
            raise Unreadable(Reason.CORRUPT if unread else Reason.SCANNED)
        outline = Outline()
        _add(outline, lines, _levels(lines, _bookmarks(reader)))
        metadata = {"format": "pdf", "pages": str(len(pages)), "unread_pages": ", ".join(unread)}
        return [outline.document(_title(reader, pages, outline), metadata=metadata)]


def _open(file: BinaryIO, limits: ParseLimits) -> PdfReader:
    try:
        reader = PdfReader(file, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable(Reason.ENCRYPTED)
        count = len(reader.pages)
    except FileNotDecryptedError as error:
        raise Unreadable(Reason.ENCRYPTED) from error
    except _FAULTS as error:
        raise Unreadable(Reason.CORRUPT) from error
    if count > limits.pages:
        raise Unreadable(Reason.TOO_LARGE)
    return reader


def _pages(reader: PdfReader, most: int) -> tuple[list[list[PageLine]], list[str]]:
    """Return the lines of every page, and the numbers of unreadable pages."""
    pages: list[list[PageLine]] = []
    unread: list[str] = []
    for number in range(min(len(reader.pages), most)):
        try:
            pages.append(_lines(reader.pages[number], number))
        except _FAULTS:
            pages.append([])
            unread.append(str(number + 1))
    return pages, unread


def _lines(page: PageObject, number: int) -> list[PageLine]:
    """Return a page's lines in content order, each with its largest type size."""
    lines: list[PageLine] = []
    text, size, height = "", 0.0, 0.0

    def visit(
        piece: str, at: list[float], within: list[float], _font: object, points: float
    ) -> None:
        nonlocal text, size, height
        for index, part in enumerate(piece.split("\n")):
            if index:
                if text.strip():
                    lines.append(PageLine(text.lstrip(), size, height, number))
                text, size = "", 0.0
            if part.strip():
                size = max(size, abs(points) * _scale(at) * _scale(within))
                height = within[5] * at[3] + within[4] * at[1] + at[5]
            text += part

    page.extract_text(visitor_text=visit)
    if text.strip():
        lines.append(PageLine(text.lstrip(), size, height, number))
    return lines


def _scale(matrix: list[float]) -> float:
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def _bookmarks(reader: PdfReader) -> list[_Bookmark]:
    try:
        return list(_flat(reader, cast("Sequence[object]", reader.outline), 1, [_BOOKMARKS]))
    except _FAULTS:
        return []


def _flat(
    reader: PdfReader, items: Sequence[object], level: int, left: list[int]
) -> Iterator[_Bookmark]:
    for item in items:
        if isinstance(item, list):
            yield from _flat(reader, cast("list[object]", item), level + 1, left)
        elif isinstance(item, Destination) and left[0] > 0:
            left[0] -= 1
            page = reader.get_destination_page_number(item)
            if page is not None:
                yield _Bookmark(level, _key(str(item.title or "")), page)


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
    """Add headings, which may wrap over lines, and the text between them."""

    def group(at: int) -> tuple[int | None, int]:
        return levels.get(at), lines[at].page if at in levels else -1

    for (level, _), run in groupby(range(len(lines)), key=group):
        texts = list(paragraphs([lines[at] for at in run]))
        if level is None:
            add_lines(outline, "\n\n".join(texts))
        else:
            for text in texts:
                outline.heading(level, text)


def _title(reader: PdfReader, pages: Sequence[Sequence[PageLine]], outline: Outline) -> str | None:
    """Return the title property, or the largest text on the first page."""
    try:
        title_property = str((reader.metadata and reader.metadata.title) or "")
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
