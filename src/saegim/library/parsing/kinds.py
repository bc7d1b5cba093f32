"""Detect the kind of a file by its bytes, then by its name."""

import re
import zipfile
from enum import StrEnum
from pathlib import PurePath
from typing import BinaryIO

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import Reason


class FileKind(StrEnum):
    """The kinds of files; a value is the name of the module in `formats` that parses it."""

    PDF = "pdf"
    DOCX = "docx"
    HWPX = "hwpx"
    HTML = "html"
    MARKDOWN = "markdown"
    CSV = "csv_documents"
    JSON = "json_documents"
    KAKAOTALK = "kakaotalk"
    TEXT = "text"


_HEAD = 4096
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HWP3 = b"HWP Document File V3"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
# Pictures, archives, programs, media and databases, recognised to be refused clearly. No text
# begins with these, so that a damaged file is refused, too.
_MARKED = (
    b"{\\rtf", b"%!PS", b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"\x1f\x8b", b"\xfd7zXZ",
    b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd", b"\x7fELF", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe",
    b"\x00\x00\x01\x00", b"SQLite format 3\0",
)  # fmt: skip
# These may also begin a text, but binaries have control characters.
_FOREIGN = (
    b"GIF8", b"BM", b"RIFF", b"BZh", b"Rar!", b"MSCF", b"MZ", b"OggS", b"ID3", b"fLaC", b"wOFF",
    b"wOF2", b"PAR1", b"ARROW1",
)  # fmt: skip
# Files with these names hold no text, even if a damaged one looks like it.
_FOREIGN_NAMES = {
    ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".heic", ".tif", ".tiff", ".ico", ".mp3",
    ".mp4", ".m4a", ".mov", ".avi", ".mkv", ".wav", ".flac", ".ogg", ".zip", ".gz", ".7z", ".rar",
    ".tar", ".exe", ".dll", ".so", ".dylib", ".xlsx", ".xls", ".pptx", ".ppt",
}  # fmt: skip
_BINARY_NAMES = {".pdf", ".docx", ".docm", ".hwpx"}
_NAMED = {
    **dict.fromkeys((".md", ".markdown", ".mdx"), FileKind.MARKDOWN),
    **dict.fromkeys((".html", ".htm", ".xhtml"), FileKind.HTML),
    **dict.fromkeys((".csv", ".tsv"), FileKind.CSV),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), FileKind.JSON),
}
_MARKUP = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_XML = re.compile(r"\s*<(?:\?xml|svg|rss|urlset)\b", re.IGNORECASE)
_LIST = re.compile(r"""\s*(?:\[\s*\{\s*"|\{\s*"[^"\n]{1,80}"\s*:)""")


def of_bytes(file: BinaryIO, name: str) -> FileKind | None:
    """Return the kind of a binary file, or None for text. Raises Unreadable."""
    head = file.read(_HEAD)
    if not head:
        raise Unreadable(Reason.EMPTY)
    if b"%PDF-" in head[:1024]:
        return FileKind.PDF
    if head.startswith(_ZIP):
        return _of_archive(file)
    if head.startswith(_OLE):
        raise Unreadable(Reason.ENCRYPTED if _is_encrypted_package(file, head) else Reason.LEGACY)
    if head.startswith(_HWP3):
        raise Unreadable(Reason.LEGACY)
    suffix = PurePath(name).suffix.lower()
    foreign = head.startswith(_FOREIGN) and _is_binary(head)
    if foreign or head.startswith(_MARKED) or suffix in _FOREIGN_NAMES:
        raise Unreadable(Reason.UNSUPPORTED)
    if suffix in _BINARY_NAMES and _is_binary(head):
        raise Unreadable(Reason.CORRUPT)
    return None


def of_text(text: str, name: str, is_chat: bool) -> FileKind:
    """Return the kind of a text by its content, else by its name."""
    head = text[:_HEAD]
    if is_chat:
        return FileKind.KAKAOTALK
    if _MARKUP.match(head):
        return FileKind.HTML
    if (kind := _NAMED.get(PurePath(name).suffix.lower())) is not None:
        return kind
    if _XML.match(head):
        raise Unreadable(Reason.UNSUPPORTED)
    return FileKind.JSON if _LIST.match(head) else FileKind.TEXT


def _of_archive(file: BinaryIO) -> FileKind:
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise Unreadable(Reason.CORRUPT) from error
    if "[Content_Types].xml" in names and any(name.startswith("word/") for name in names):
        return FileKind.DOCX
    if "Contents/header.xml" in names or "Contents/content.hpf" in names:
        return FileKind.HWPX
    raise Unreadable(Reason.UNSUPPORTED)


def _is_encrypted_package(file: BinaryIO, head: bytes) -> bool:
    """Whether the directory of an OLE file names an encrypted package."""
    shift = int.from_bytes(head[30:32], "little")
    sector = int.from_bytes(head[48:52], "little")
    if shift not in (9, 12):
        return False
    file.seek((sector + 1) << shift)
    return _ENCRYPTED_PACKAGE in file.read(1 << 12)


def _is_binary(head: bytes) -> bool:
    odd = sum(byte < 9 or 13 < byte < 32 for byte in head)
    return b"\0" in head or odd * 50 > len(head)
