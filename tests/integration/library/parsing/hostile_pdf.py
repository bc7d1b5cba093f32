"""PDF files that a reader should never meet."""

import zlib
from collections.abc import Iterator

from tests.integration.library.parsing.pdf_files import (
    Line,
    file_of,
    pdf,
    rewritten,
    stream,
)

CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]"
    b" /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> /Contents 4 0 R >>"
)
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
SHOW = b"BT /F1 12 Tf 50 700 Td (words of a page) Tj ET "
FORM = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>"
MEGABYTE = 1024 * 1024


def one_page(content: bytes, form: bytes = b"null", page: bytes = PAGE) -> bytes:
    return file_of([CATALOG, PAGES, page, content, FONT, form])


def bomb(size: int, layers: int = 1) -> bytes:
    data = b" " * size
    for _ in range(layers):
        data = zlib.compress(data, 9)
    names = " ".join(["/FlateDecode"] * layers)
    return stream(data, f"/Filter [{names}]")


type Made = Iterator[tuple[str, bytes]]


def hostile_pdfs() -> dict[str, Made]:
    """By family."""
    families = {
        "pdf-cycles": _cycles(),
        "pdf-bombs": _bombs(),
        "pdf-nonsense": _nonsense(),
        "pdf-encrypted": _encrypted(),
    }
    return {name: _named(made) for name, made in families.items()}


def _named(made: Made) -> Made:
    return ((f"{name}.pdf", data) for name, data in made)


def _encrypted() -> Made:
    good = pdf([[Line("비밀 문서입니다.")]])
    for algorithm in ("AES-256", "RC4-128", "AES-128", "RC4-40"):
        yield algorithm, rewritten(good, password="비밀번호", algorithm=algorithm)


def _cycles() -> Made:
    yield "pages-in-themselves", file_of([CATALOG, b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"])
    yield (
        "pages-in-a-ring",
        file_of(
            [
                CATALOG,
                b"<< /Type /Pages /Kids [3 0 R] /Count 9 >>",
                b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Parent 2 0 R /Count 9 >>",
            ]
        ),
    )
    yield "catalog-is-its-pages", file_of([b"<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] >>"])
    yield "form-draws-itself", one_page(stream(b"/X Do " + SHOW), stream(b"/X Do /X Do", FORM))
    yield (
        "contents-is-the-page",
        one_page(stream(SHOW), page=PAGE.replace(b"/Contents 4 0 R", b"/Contents 3 0 R")),
    )
    yield (
        "length-points-at-itself",
        one_page(b"<< /Length 4 0 R >>\nstream\n" + SHOW + b"\nendstream"),
    )
    yield "reference-to-a-reference", file_of([b"2 0 R", b"1 0 R"])
    yield (
        "bookmarks-in-a-ring",
        file_of(
            [
                b"<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>",
                PAGES,
                PAGE,
                stream(SHOW),
                FONT,
                b"null",
                b"<< /First 8 0 R /Last 8 0 R /Count 1 >>",
                b"<< /Title (a) /Dest [3 0 R /Fit] /Next 8 0 R /First 8 0 R /Parent 7 0 R >>",
            ]
        ),
    )
    shared = b" ".join([b"3 0 R"] * 50_000)
    yield (
        "one-page-fifty-thousand-times",
        file_of(
            [
                CATALOG,
                b"<< /Type /Pages /Count 50000 /Kids [" + shared + b"] >>",
                PAGE,
                stream(SHOW),
                FONT,
            ]
        ),
    )
    loop = pdf([[Line("글")]])
    start = loop.rindex(b"startxref")
    offset = loop[start:].split()[1]
    yield "xref-before-itself", loop.replace(b"/Root 1 0 R", b"/Prev %s /Root 1 0 R" % offset)


def _bombs() -> Made:
    """The slowest last."""
    yield "content-100-mb", one_page(bomb(100 * MEGABYTE))
    filters = f"/Filter [{'/ASCIIHexDecode ' * 17}]"
    yield "content-seventeen-filters", one_page(stream(SHOW, filters))
    nested = b"[" * 100_000 + b"]" * 100_000
    yield "arrays-in-arrays", one_page(stream(b"BT " + nested + b" TJ ET"))
    entries = b"<< /A " * 5_000 + b"1" + b" >>" * 5_000
    yield "dictionaries-in-dictionaries", file_of([CATALOG, entries])
    yield "strings-in-strings", one_page(stream(b"BT " + b"(" * 50_000 + b")" * 50_000 + b" Tj ET"))
    mapping = stream(b"1 beginbfrange <0000> <FFFFFF> <0000> endbfrange " * 2_000)
    font = b"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 6 0 R >>"
    yield "a-map-without-end", file_of([CATALOG, PAGES, PAGE, stream(SHOW), font, mapping])
    yield "run-lengths", one_page(stream(b"\x81 " * (2 * MEGABYTE), "/Filter /RunLengthDecode"))
    yield "lzw-of-zeros", one_page(stream(bytes(200_000), "/Filter /LZWDecode"))
    yield "content-twice-packed", one_page(bomb(60 * MEGABYTE, layers=2))
    text = b"BT /F1 9 Tf " + b"(words) Tj 0 -9 Td " * 300_000 + b"ET"
    packed = stream(zlib.compress(text), "/Filter /FlateDecode")
    yield "three-hundred-thousand-words", one_page(packed)


def _nonsense() -> Made:
    yield "kids-is-a-number", file_of([CATALOG, b"<< /Type /Pages /Kids 7 /Count 1 >>"])
    yield "a-billion-pages", file_of([CATALOG, b"<< /Type /Pages /Kids [] /Count 1000000000 >>"])
    yield "negative-length", one_page(b"<< /Length -5 >>\nstream\n" + SHOW + b"\nendstream")
    yield "length-of-gigabytes", one_page(b"<< /Length 9999999999 >>\nstream\nx\nendstream")
    yield "font-is-missing", one_page(stream(SHOW.replace(b"/F1", b"/F9")))
    yield "operators-without-operands", one_page(stream(b"BT Tf Tj TJ Td Tm cm Do ' \" ET " * 500))
    yield "unknown-filter", one_page(stream(SHOW, "/Filter /NoSuchDecode"))
    yield "no-catalog", file_of([b"<< /Type /Nothing >>"])
    yield "only-a-head", b"%PDF-1.7\n"
    yield "head-and-zeros", b"%PDF-1.7\n" + bytes(100_000)
    names = b"/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.alert(1)) >>] >> >>"
    action = b"/OpenAction << /S /Launch /F (/bin/sh) >>"
    catalog = b"<< /Type /Catalog /Pages 2 0 R " + action + names + b" >>"
    yield "javascript-and-launch", file_of([catalog, PAGES, PAGE, stream(SHOW), FONT, b"null"])
