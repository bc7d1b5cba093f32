"""Detect the kind of a file by its bytes, then by its name."""

import re
import zipfile
from enum import StrEnum
from pathlib import PurePath
from typing import BinaryIO

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits, Reason


class FileKind(StrEnum):
    """The kinds of files; a value is the name of the module in `formats` that parses it."""

    PDF = "pdf"
    DOCX = "docx"
    HWPX = "hwpx"
    HWP = "hwp"
    PPTX = "pptx"
    SHEETS = "sheets"
    EPUB = "epub"
    RTF = "rtf"
    EML = "eml"
    MSG = "msg"
    ZIP = "zip_archive"
    PICTURE = "picture"
    HTML = "html"
    MARKDOWN = "markdown"
    CSV = "csv_documents"
    JSON = "json_documents"
    KAKAOTALK = "kakaotalk"
    TEXT = "text"


CONTAINERS = frozenset({FileKind.EML, FileKind.MSG, FileKind.ZIP})
"""Kinds whose files hold other files."""

_HEAD = 4096
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HWP3 = b"HWP Document File V3"
# Streams of an OLE file that tell its kind; the other kinds are old or not documents.
_OLE_STREAMS = {
    "FileHeader": FileKind.HWP,
    "Workbook": FileKind.SHEETS,
    "Book": FileKind.SHEETS,
    "__properties_version1.0": FileKind.MSG,
}
_HWP_FLAGS_AT, _HWP_PASSWORD = 36, 0x2
# Parts of an archive that tell its kind.
_ARCHIVE_PARTS = {
    "word/": FileKind.DOCX,
    "ppt/": FileKind.PPTX,
    "xl/": FileKind.SHEETS,
}
_MIME_TYPES = {
    b"application/epub+zip": FileKind.EPUB,
    b"application/hwp+zip": FileKind.HWPX,
    b"application/vnd.oasis.opendocument.spreadsheet": FileKind.SHEETS,
}
_MIME_PART = "mimetype"
# Pictures, archives, programs, media and databases, recognised to be refused clearly. No text
# begins with these, so that a damaged file is refused, too.
_MARKED = (
    b"%!PS", b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"\x1f\x8b", b"\xfd7zXZ",
    b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd", b"\x7fELF", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe",
    b"\x00\x00\x01\x00", b"SQLite format 3\0",
)  # fmt: skip
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"GIF8", b"BM", b"RIFF")
# These may also begin a text, but binaries have control characters.
_FOREIGN = (
    b"GIF8", b"BM", b"RIFF", b"BZh", b"Rar!", b"MSCF", b"MZ", b"OggS", b"ID3", b"fLaC", b"wOFF",
    b"wOF2", b"PAR1", b"ARROW1",
)  # fmt: skip
# Files with these names hold no text, even if a damaged one looks like it.
_FOREIGN_NAMES = {
    ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".heic", ".tif", ".tiff", ".ico", ".mp3",
    ".mp4", ".m4a", ".mov", ".avi", ".mkv", ".wav", ".flac", ".ogg", ".gz", ".7z", ".rar",
    ".tar", ".exe", ".dll", ".so", ".dylib", ".ppt", ".doc",
}  # fmt: skip
_BINARY_NAMES = {
    ".pdf", ".docx", ".docm", ".hwpx", ".hwp", ".pptx", ".pptm", ".xlsx", ".xlsm", ".xlsb", ".xls",
    ".ods", ".epub", ".msg", ".zip",
}  # fmt: skip
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
_MESSAGE = re.compile(
    rb"(?:[A-Za-z][A-Za-z0-9-]{1,60}:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){3}", re.DOTALL
)
_MESSAGE_HEADER = re.compile(
    rb"^(?:message-id|mime-version|received):", re.IGNORECASE | re.MULTILINE
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
        return _of_ole(file)
    if head.startswith(_HWP3):
        raise Unreadable(Reason.LEGACY)
    suffix = PurePath(name).suffix.lower()
    if head.startswith(b"{\\rtf"):
        return FileKind.RTF
    if _is_message(head, suffix):
        return FileKind.EML
    if head.startswith(_PICTURES) and _is_binary(head):
        return FileKind.PICTURE
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
            mime_type = _mime_type(archive) if _MIME_PART in names else b""
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise Unreadable(Reason.CORRUPT) from error
    if "[Content_Types].xml" in names:
        for folder, kind in _ARCHIVE_PARTS.items():
            if any(name.startswith(folder) for name in names):
                return kind
        raise Unreadable(Reason.UNSUPPORTED)
    if "Contents/header.xml" in names or "Contents/content.hpf" in names:
        return FileKind.HWPX
    if mime_type:
        if (kind := _MIME_TYPES.get(mime_type)) is None:
            raise Unreadable(Reason.UNSUPPORTED)
        return kind
    return FileKind.ZIP


def _mime_type(archive: zipfile.ZipFile) -> bytes:
    with archive.open(_MIME_PART) as part:
        return part.read(100).strip()


def _of_ole(file: BinaryIO) -> FileKind:
    from saegim.library.parsing.ole import OleStreams  # noqa: PLC0415  only these files need it

    streams = OleStreams(file)
    if "EncryptedPackage" in streams:
        raise Unreadable(Reason.ENCRYPTED)
    kind = next((kind for name, kind in _OLE_STREAMS.items() if name in streams), None)
    if kind is None:
        raise Unreadable(Reason.LEGACY)
    if kind is FileKind.HWP:
        flags = streams.read("FileHeader", ParseLimits())[_HWP_FLAGS_AT : _HWP_FLAGS_AT + 1]
        if flags and flags[0] & _HWP_PASSWORD:
            raise Unreadable(Reason.ENCRYPTED)
    return kind


def _is_message(head: bytes, suffix: str) -> bool:
    """Whether a file begins with the headers of a message."""
    if _MESSAGE.match(head.removeprefix(b"\xef\xbb\xbf").lstrip()) is None:
        return False
    return suffix == ".eml" or _MESSAGE_HEADER.search(head) is not None


def _is_binary(head: bytes) -> bool:
    odd = sum(byte < 9 or 13 < byte < 32 for byte in head)
    return b"\0" in head or odd * 50 > len(head)
