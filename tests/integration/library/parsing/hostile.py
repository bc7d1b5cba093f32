"""Two hundred files that mean harm, or are only broken, in a folder.

Each is a case that a parser has met before: cut off, mislabelled, packed to burst, nested without
end, full of entities, encrypted, too large, or of no kind at all.
"""

import json
import os
import random
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tests.integration.library.parsing.hostile_pdf import hostile_pdfs
from tests.integration.library.parsing.more_office_files import (
    deck_pptx,
    eml,
    epub,
    rtf,
    sales_xlsx,
)
from tests.integration.library.parsing.office_files import (
    guide_docx,
    guide_hwpx,
    hwpx,
    hwpx_paragraph,
    unzipped,
    zipped,
)
from tests.integration.library.parsing.ole_files import hwp, msg, ole
from tests.integration.library.parsing.pdf_files import Line, pdf
from tests.integration.library.parsing.test_kakaotalk import PC_KOREAN
from tests.integration.library.parsing.test_markup import GUIDE, PAGE
from tests.integration.library.parsing.test_records import FAQ

MEGABYTE = 1024 * 1024
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SUFFIXES = (
    ".md", ".html", ".txt", ".pdf", ".docx", ".hwpx", ".hwp", ".pptx", ".xlsx", ".xls", ".eml",
    ".msg", ".epub", ".rtf", ".zip", ".csv", ".json", ".bin", "",
)  # fmt: skip
PACKED = (".pdf", ".docx", ".hwpx", ".hwp", ".pptx", ".xlsx", ".msg", ".epub", ".zip")


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file on disk, and the family of trouble that it is of."""

    family: str
    path: Path


type _Made = tuple[str, bytes]


def write_hostile_files(folder: Path, each: int | None = None) -> list[Hostile]:
    """Writes all of them, or the first few of each family; the same bytes each time."""
    families = {
        "empty": _empty(),
        "random": _random(),
        "truncated": _truncated(),
        "flipped": _flipped(),
        "mislabelled": _mislabelled(),
        "foreign": _foreign(),
        "bomb": _bombs(),
        "nested": _nested(),
        "entities": _entities(),
        "macros": _macros(),
        "encrypted": _encrypted(),
        "huge": _huge(),
        "text": _texts(),
        **hostile_pdfs(),
    }
    found: list[Hostile] = []
    for family, made in families.items():
        for number, (name, data) in enumerate(islice(made, each)):
            path = folder / f"{family}-{number:02}-{name}"
            path.write_bytes(data)
            found.append(Hostile(family, path))
    found += [Hostile("sparse", path) for path in islice(_sparse(folder), each)]
    found += [Hostile("irregular", path) for path in islice(_irregular(folder), each)]
    return found


def _good() -> dict[str, bytes]:
    lines = [Line("설치 안내", 20), *(Line(f"{n}. 순서를 따릅니다.") for n in range(1, 9))]
    return {
        ".pdf": pdf([lines]),
        ".docx": guide_docx(),
        ".hwpx": guide_hwpx(),
        ".hwp": hwp(["제1장 총칙", "글", [("가", 0, 0, 1, 1), ("나", 0, 1, 1, 1)]]),
        ".pptx": deck_pptx(),
        ".xlsx": sales_xlsx(),
        ".eml": eml("제목", "글", {"표.xlsx": sales_xlsx()}),
        ".msg": msg("제목", "글", attachments={"표.xlsx": sales_xlsx()}),
        ".epub": epub({"a.xhtml": "<h1>가</h1><p>글</p>"}),
        ".rtf": rtf("글", rows=[["가", "나"], ["1", "2"]]),
        ".zip": zipped({"a.docx": guide_docx(), "b.txt": "글"}),
        ".md": GUIDE.encode(),
        ".html": PAGE.encode("cp949"),
        ".csv": FAQ.encode("utf-16"),
        ".json": b'[{"question": "\xec\x99\x9c?", "answer": "\xea\xb7\xb8\xeb\x83\xa5"}]',
        ".txt": PC_KOREAN.encode(),
    }


def _empty() -> Iterator[_Made]:
    for suffix in SUFFIXES:
        yield f"nothing{suffix}", b""
    yield "blank.txt", b" \n\t"
    yield "mark.md", b"\xef\xbb\xbf"
    yield "mark.txt", b"\xff\xfe"


def _random() -> Iterator[_Made]:
    dice = random.Random(7)
    for suffix in SUFFIXES:
        yield f"small{suffix}", dice.randbytes(50)
        yield f"large{suffix}", dice.randbytes(MEGABYTE)


def _truncated() -> Iterator[_Made]:
    good = _good()
    for share in (0.9, 0.1, 0.3, 0.5, 0.7, 0.98):
        for suffix in PACKED:
            yield f"cut{suffix}", good[suffix][: int(len(good[suffix]) * share)]
    for suffix in (".md", ".html", ".csv", ".json", ".txt", ".eml", ".rtf"):
        yield f"cut{suffix}", good[suffix][: len(good[suffix]) // 2]


def _flipped() -> Iterator[_Made]:
    dice = random.Random(11)
    good = _good()
    for count in (20, 1, 5, 100, 500):
        for suffix in PACKED:
            data = bytearray(good[suffix])
            for _ in range(count):
                data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
            yield f"flipped{suffix}", bytes(data)


def _mislabelled() -> Iterator[_Made]:
    kinds = _good()
    for kind, data in kinds.items():
        for suffix in (".pdf", ".docx", ".txt", ".json"):
            if suffix != kind:
                yield f"{kind[1:]}-called{suffix}", data


def _foreign() -> Iterator[_Made]:
    heads = {
        "png": b"\x89PNG\r\n\x1a\n",
        "jpg": b"\xff\xd8\xff\xe0\0\x10JFIF",
        "gif": b"GIF89a",
        "exe": b"MZ\x90\0",
        "elf": b"\x7fELF\x02\x01\x01",
        "gz": b"\x1f\x8b\x08\0",
        "7z": b"7z\xbc\xaf\x27\x1c",
        "rar": b"Rar!\x1a\x07\x01\0",
        "rtf": b"{\\rtf1\\ansi",
        "sqlite": b"SQLite format 3\0",
        "mp4": b"\0\0\0\x18ftypmp42",
        "hwp": OLE,
        "doc": OLE,
    }
    for name, head in heads.items():
        yield f"{name}.txt", head + bytes(2_000)
    yield "sheet.xlsx", zipped({"[Content_Types].xml": "<a/>", "xl/workbook.xml": "<a/>"})
    yield "book.epub", zipped({"mimetype": "application/epub+zip"})


def _bombs() -> Iterator[_Made]:
    word, hangul = unzipped(guide_docx()), unzipped(guide_hwpx())
    spaces = b" " * (100 * MEGABYTE)
    yield "document.docx", zipped(word | {"word/document.xml": spaces})
    yield "section.hwpx", zipped(hangul | {"Contents/section0.xml": spaces})
    yield "picture.docx", zipped(word | {"word/media/a.bmp": spaces})
    yield (
        "many.docx",
        zipped(word | {f"word/media/{n}.bmp": spaces[: 10 * MEGABYTE] for n in range(30)}),
    )
    yield "entries.docx", zipped(word | {f"word/a/{number}": "" for number in range(12_000)})
    yield (
        "entries.hwpx",
        zipped(hangul | {f"Contents/section{n}.xml": "<a/>" for n in range(1, 9_000)}),
    )
    # An honest ratio, but a tree of a hundred times its size.
    elements = b"<hs:sec xmlns:hs='s' xmlns:hp='p'>" + b"<hp:p><hp:t/></hp:p>" * 1_500_000
    yield "elements.hwpx", zipped(hangul | {"Contents/section0.xml": elements + b"</hs:sec>"})
    cells = "<hp:tc><hp:cellSpan colSpan='99999' rowSpan='99999'/></hp:tc>" * 50
    rows = f"<hp:tr>{cells}</hp:tr>" * 400
    yield "spans.hwpx", hwpx(hwpx_paragraph("", inside=f"<hp:tbl>{rows}</hp:tbl>"))
    yield "lying-sizes.docx", _lying(zipped(word | {"word/document.xml": spaces}))
    yield "same-name-twice.docx", _twice(word)


def _lying(data: bytes) -> bytes:
    """A zip whose directory claims a hundred bytes for every part."""
    out, at = bytearray(data), 0
    while (at := out.find(b"PK\x01\x02", at)) >= 0:
        out[at + 24 : at + 28] = struct.pack("<I", 100)
        at += 46
    return bytes(out)


def _twice(parts: dict[str, bytes]) -> bytes:
    """Two parts of one name: readers differ in which they take."""
    return zipped(parts | {"word/documenX.xml": "<other/>"}).replace(b"documenX", b"document")


def _nested() -> Iterator[_Made]:
    inner = guide_docx()
    for _ in range(20):
        inner = zipped({"inner.zip": inner})
    yield "twenty-deep.zip", inner
    yield "twenty-deep.docx", inner
    yield "in-a-document.docx", zipped(unzipped(guide_docx()) | {"word/embeddings/a.zip": inner})
    yield "in-a-document.hwpx", zipped(unzipped(guide_hwpx()) | {"BinData/a.zip": inner})
    yield "way-out.docx", zipped(unzipped(guide_docx()) | {"../../../../tmp/saegim-escaped": "x"})


def _entities() -> Iterator[_Made]:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
    kinds = {
        "laughs": laughs,
        "file": '<!ENTITY l9 SYSTEM "file:///etc/passwd">',
        "network": '<!ENTITY l9 SYSTEM "http://127.0.0.1:9/x">',
        "parameter": '<!ENTITY % p SYSTEM "http://127.0.0.1:9/x"> %p;',
        "quadratic": f'<!ENTITY l9 "{"a" * 100_000}">',
    }
    for name, inside in kinds.items():
        declared = f'<?xml version="1.0"?><!DOCTYPE x [{inside}]>'
        text = "&l9;" * (1_000 if name == "quadratic" else 1)
        document = f"{declared}<document><body><p>{text}</p></body></document>"
        yield f"{name}.docx", zipped(unzipped(guide_docx()) | {"word/document.xml": document})
        yield f"{name}.hwpx", hwpx(hwpx_paragraph(text), declaration=declared)
        yield f"{name}.html", f"{declared}<html><body><p>{text}</p></body></html>".encode()
    wide = "<?xml version='1.0' encoding='utf-16'?><!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"
    yield "wide.docx", zipped(unzipped(guide_docx()) | {"word/styles.xml": wide.encode("utf-16")})
    outside = '<?xml version="1.0"?><!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd"><x/>'
    yield "outside.docx", zipped(unzipped(guide_docx()) | {"docProps/core.xml": outside})


def _macros() -> Iterator[_Made]:
    parts = unzipped(guide_docx())
    types = parts["[Content_Types].xml"]
    macro = types.replace(
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        b"application/vnd.ms-word.document.macroEnabled.main+xml",
    )
    code = {"word/vbaProject.bin": OLE + b"AutoOpen Shell calc"}
    yield "macro.docm", zipped(parts | {"[Content_Types].xml": macro} | code)
    yield "macro.docx", zipped(parts | code)
    relations = parts["word/_rels/document.xml.rels"].replace(
        b"</Relationships>",
        b'<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        b'relationships/attachedTemplate" TargetMode="External" Target="http://127.0.0.1:9/a"/>'
        b"</Relationships>",
    )
    yield "template.docx", zipped(parts | {"word/_rels/document.xml.rels": relations})
    yield "script.html", b"<html><script>while(1);</script><body onload=alert(1)><p>hello</p>"
    yield (
        "formula.csv",
        '질문,답변\n=cmd|\' /C calc\'!A0,"=HYPERLINK(""http://127.0.0.1"")"\n'.encode(),
    )


def _encrypted() -> Iterator[_Made]:
    yield "word.docx", ole({"EncryptionInfo": b"x", "EncryptedPackage": b"x" * 9_000})
    yield "secret.hwp", hwp(["비밀"], password=True)
    yield "hangul.hwpx", hwpx("x", manifest="<manifest><encryption-data/></manifest>")
    data = bytearray(guide_docx())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := data.find(mark, at + 1)) >= 0:
            data[at + place] |= 1
    yield "zip.docx", bytes(data)


def _huge() -> Iterator[_Made]:
    yield "line.txt", "한 줄로 이어지는 글 ".encode() * 400_000
    yield "lists.html", b"<ul><li>a" * 5_000
    yield "nested.json", b"[" * 500_000
    yield "field.csv", b"a,b\n1," + b"x" * (10 * MEGABYTE)
    yield "word.txt", "가".encode() * (5 * MEGABYTE)
    yield "word.md", b"a" * (20 * MEGABYTE)
    yield "lines.txt", b"1. a\n" * 1_000_000
    yield "too-much.txt", b"text \n" * (12 * MEGABYTE)
    yield "divs.html", b"<div>" * 200_000
    yield "tables.html", b"<table><tr><td>a" * 2_000
    yield "cells.html", b"<table>" + (b"<tr>" + b"<td>a" * 1_000) * 500
    yield "spans.html", b"<table>" + b"<tr><td rowspan=65000 colspan=999>a<td>b" * 3_000
    yield "attributes.html", b"<p " + b"a=1 " * 500_000 + b">text</p>"
    yield "quotes.md", b"> " * 20_000 + b"text"
    yield "stars.md", b"*a **b " * 50_000
    yield "brackets.md", b"[" * 100_000
    yield "links.md", b"[a](" * 100_000
    yield "list.md", b"".join(b"  " * n + b"- a\n" for n in range(1_500))
    yield "table.md", b"|a|b|\n|-|-|\n" + b"|1|2|\n" * 300_000
    yield "objects.json", b'{"a":' * 500 + b"1" + b"}" * 500
    yield "number.json", b"[" + b"9" * 100_000 + b"]"
    yield "records.json", b"[" + b",".join([b'{"q":"a","a":"b"}'] * 150_000) + b"]"
    yield "columns.csv", b",".join([b"a"] * 300_000) + b"\n" + b",".join([b"1"] * 300_000)
    yield "rows.csv", b"a,b,c\n" + b"1,2,3\n" * 500_000
    yield "quote.csv", b'a,b\n"' + b"x\n" * 500_000


def _texts() -> Iterator[_Made]:
    yield "surrogates.json", b'[{"question": "\\ud800 lone", "answer": "\\udfff \\u0000 text"}]'
    yield "controls.txt", b"a\x1b[2J\x07b\x00c text \x9b31m" * 10 + b"plain words " * 100
    yield "directions.txt", "\u202e거꾸로\u202c 글 \u2066x\u2069 ".encode() * 100
    yield "zalgo.txt", ("e" + "\u0301" * 5_000).encode() * 20
    yield "half.md", "끊긴 글".encode()[:-1] * 100
    yield "mixed.txt", "가나다".encode() + "라마바".encode("cp949") + b"\xff\xfe\x80"
    yield (
        "dates.txt",
        b"--------------- 2024\xeb\x85\x84 99\xec\x9b\x94 99\xec\x9d\xbc ---------------\n" * 500,
    )
    yield "clock.txt", "[가] [오후 99:99] 말\n".encode() * 1_000
    yield "room.txt", "방 님과 카카오톡 대화\n저장한 날짜 : 없음\n".encode()
    yield "names.txt", f"[{'가' * 50_000}] [오후 3:05] 말\n".encode() * 5
    yield "matter.md", b"---\n" + b"a: b\n" * 100_000 + b"---\ntext"
    yield "charset.html", b'<html><meta charset="idna"><body>text</body></html>'
    yield "charset.htm", b'<html><meta charset="unicode_escape"><body>\\x41 \\ud800</body></html>'
    yield "codec.html", b'<html><meta charset="zlib_codec"><body>text</body></html>'


def _sparse(folder: Path) -> Iterator[Path]:
    for name, size in (
        ("half-gigabyte.txt", 500),
        ("half-gigabyte.pdf", 500),
        ("half-gigabyte.docx", 500),
        ("half-gigabyte.bin", 500),
        ("zeros.txt", 150),
        ("zeros.pdf", 150),
    ):
        path = folder / f"sparse-{name}"
        with path.open("wb") as file:
            file.write(b"%PDF-1.7\n" if name.endswith(".pdf") else b"")
            file.truncate(size * MEGABYTE)
        yield path


def _irregular(folder: Path) -> Iterator[Path]:
    pipe, link, inside = folder / "pipe.txt", folder / "endless.txt", folder / "folder.md"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    inside.mkdir()
    yield from (pipe, link, inside, folder / "not-there.pdf")


def main(folder: Path, each: int | None) -> None:
    """Writes the files and prints one line for each."""
    for file in write_hostile_files(folder, each):
        told = {"family": file.family, "path": str(file.path)}
        sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None)
