"""PDF files written by hand: Korean text, font sizes, bookmarks; no font is embedded."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from pypdf import PdfReader, PdfWriter


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    size: float = 11
    gap: float = 1.4
    """How far below the line before, in font sizes."""


def _to_unicode(pages: Sequence[Sequence[Line]]) -> bytes:
    """Every character is its own code, two bytes wide."""
    rows = sorted({ord(sign) >> 8 for lines in pages for line in lines for sign in line.text})
    ranges = "\n".join(f"<{row:02X}00> <{row:02X}FF> <{row:02X}00>" for row in rows)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n/CMapName /Saegim def\n"
        "/CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{len(rows)} beginbfrange\n{ranges}\nendbfrange endcmap end end"
    ).encode()


_FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /Batang /Encoding /Identity-H"
    b" /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>"
)
_CID_FONT = (
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Batang /DW 1000 /FontDescriptor 6 0 R"
    b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
)
_DESCRIPTOR = (
    b"<< /Type /FontDescriptor /FontName /Batang /Flags 4 /FontBBox [0 0 1000 1000]"
    b" /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>"
)


def stream(data: bytes, entries: str = "") -> bytes:
    return b"<< /Length %d %s >>\nstream\n" % (len(data), entries.encode()) + data + b"\nendstream"


def file_of(objects: Sequence[bytes], root: int = 1, trailer: str = "") -> bytes:
    """A PDF of numbered objects, with its cross-reference table."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets: list[int] = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        out += b"%010d 00000 n \n" % offset
    out += b"trailer\n<< /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        root,
        trailer.encode(),
        start,
    )
    return bytes(out)


def _content(lines: Sequence[Line]) -> bytes:
    out, y = ["BT"], 800.0
    for line in lines:
        y -= line.size * line.gap
        codes = line.text.encode("utf-16-be").hex().upper()
        out.append(f"/F1 {line.size} Tf 1 0 0 1 60 {y:.1f} Tm <{codes}> Tj")
    out.append("ET")
    return "\n".join(out).encode()


def pdf(pages: Sequence[Sequence[Line]]) -> bytes:
    """A PDF with these lines on its pages."""
    first = 7
    kids = " ".join(f"{first + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        _FONT,
        _CID_FONT,
        stream(_to_unicode(pages)),
        _DESCRIPTOR,
    ]
    for at, lines in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]"
            b" /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>" % (first + 2 * at + 1)
        )
        objects.append(stream(_content(lines)))
    return file_of(objects)


def rewritten(
    data: bytes,
    *,
    title: str | None = None,
    bookmarks: Sequence[tuple[str, int]] = (),
    password: str | None = None,
    owner_only: bool = False,
    algorithm: str = "AES-256",
) -> bytes:
    """The PDF with a title, bookmarks (title, page) or a password."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    if title:
        writer.add_metadata({"/Title": title})
    for name, page in bookmarks:
        writer.add_outline_item(name, page)
    if password:
        writer.encrypt("" if owner_only else password, password, algorithm=algorithm)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()
