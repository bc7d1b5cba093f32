"""Check zip archives before unpacking them, and refuse XML with entities."""

import zipfile
import zlib
from typing import BinaryIO, NoReturn
from xml.parsers import expat

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import MEGABYTE, ParseLimits, Reason

_ENCRYPTED = 0x1
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# The ratio applies from this size on; only large parts can be bombs.
_RATIO_FROM = MEGABYTE
_CHUNK = 64 * 1024
_SNIFFED = 4096
_XML_NAMES = (".xml", ".rels", ".vml")
_BEFORE_MARKUP = b" \t\r\n\xfe\xff"


def open_archive(file: BinaryIO, limits: ParseLimits) -> zipfile.ZipFile:
    """Open an archive whose directory stays within the limits. Raises Unreadable.

    Nested archives are never opened. No more is unpacked than the directory states."""
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise Unreadable(Reason.CORRUPT) from error
    entries = archive.infolist()
    if len(entries) > limits.entries:
        raise Unreadable(Reason.TOO_LARGE)
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise Unreadable(Reason.ENCRYPTED)
    if any(entry.compress_type not in _METHODS for entry in entries):
        raise Unreadable(Reason.UNSUPPORTED)
    if any(_is_bomb(entry, limits) for entry in entries):
        raise Unreadable(Reason.UNSAFE)
    if len({entry.filename for entry in entries}) < len(entries):
        raise Unreadable(Reason.UNSAFE)
    if sum(entry.file_size for entry in entries) > limits.unpacked_bytes:
        raise Unreadable(Reason.TOO_LARGE)
    return archive


def _is_bomb(entry: zipfile.ZipInfo, limits: ParseLimits) -> bool:
    return entry.file_size > _RATIO_FROM and entry.file_size > entry.compress_size * limits.ratio


def looks_like_xml(archive: zipfile.ZipFile, name: str) -> bool:
    """Whether the first bytes of a part may be XML, in UTF-8 or UTF-16."""
    try:
        with archive.open(name) as part:
            start = part.read(_SNIFFED)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        raise Unreadable(Reason.CORRUPT) from error
    if not start:
        return False
    text = start.replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").lstrip(_BEFORE_MARKUP)
    return not text or text.startswith(b"<")


def read_part(archive: zipfile.ZipFile, name: str, limits: ParseLimits) -> bytes:
    """Unpack and check one XML part."""
    data = read_bytes(archive, name, limits)
    check_xml(data, limits)
    return data


def read_bytes(archive: zipfile.ZipFile, name: str, limits: ParseLimits) -> bytes:
    """Unpack one part that is not read as XML."""
    entry = archive.getinfo(name)
    if entry.file_size > limits.part_bytes:
        raise Unreadable(Reason.TOO_LARGE)
    try:
        return archive.read(entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        raise Unreadable(Reason.CORRUPT) from error


def open_office(file: BinaryIO, limits: ParseLimits) -> zipfile.ZipFile:
    """Open an Office file and check all of its XML: content types, not names, decide what its
    library parses."""
    archive = open_archive(file, limits)
    for name in archive.namelist():
        if name.lower().endswith(_XML_NAMES) or looks_like_xml(archive, name):
            read_part(archive, name, limits)
    return archive


def check_xml(data: bytes, limits: ParseLimits) -> None:
    """Raise Unreadable for XML with a document type, and so entities, or nested too deep."""
    depth = 0

    def refuse(*_: object) -> NoReturn:
        raise Unreadable(Reason.UNSAFE)

    def start(_name: str, _attributes: object) -> None:
        nonlocal depth
        depth += 1
        if depth > limits.xml_depth:
            raise Unreadable(Reason.UNSAFE)

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        for at in range(0, len(data), _CHUNK):
            parser.Parse(data[at : at + _CHUNK], False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Unreadable(Reason.CORRUPT) from error
