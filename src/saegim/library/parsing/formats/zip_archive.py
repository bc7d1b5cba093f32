"""Parse the files of a ZIP archive; archives inside it are not opened."""

import zipfile
import zlib
from typing import BinaryIO

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import open_archive
from saegim.library.parsing.inner_files import InnerFiles
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.types import ParsedDocument

_UTF8 = 0x800
_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


def read(file: BinaryIO, limits: ParseLimits, inner: InnerFiles) -> list[ParsedDocument]:
    if inner.in_archive:
        raise Unreadable(Reason.UNSAFE)
    archive = open_archive(file, limits)
    inner = inner.inside(inner.name, in_archive=True)
    for entry in sorted(archive.infolist(), key=lambda each: each.filename):
        path = _name(entry)
        hidden = any(part.startswith((".", "__MACOSX")) for part in path.split("/"))
        if entry.is_dir() or hidden:
            continue
        try:
            data = archive.read(entry)
        except _FAULTS as error:
            raise Unreadable(Reason.CORRUPT) from error
        inner.add(path, data)
    if not inner.documents:
        raise Unreadable(inner.reason or Reason.EMPTY)
    return inner.documents


def _name(entry: zipfile.ZipInfo) -> str:
    """Return an entry's path; Korean Windows writes it in its own encoding."""
    if entry.flag_bits & _UTF8:
        return entry.filename
    try:
        raw = entry.filename.encode("cp437")
        return raw.decode("utf-8") if _is_utf8(raw) else raw.decode("cp949")
    except UnicodeError:
        return entry.filename


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
