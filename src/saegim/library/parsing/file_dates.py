"""Read when a file says that it was last changed: Office, OpenDocument and HWPX properties, PDF."""

import re
import zipfile
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import BinaryIO

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import read_part
from saegim.library.parsing.kinds import FileKind
from saegim.library.parsing.limits import ParseLimits

_PROPERTY_PARTS = {
    FileKind.DOCX: ("docProps/core.xml",),
    FileKind.PPTX: ("docProps/core.xml",),
    FileKind.SHEETS: ("docProps/core.xml", "meta.xml"),
    FileKind.HWPX: ("Contents/content.hpf",),
}
# dcterms:modified of Office, dc:date of OpenDocument, ModifiedDate of HWPX.
_DATE = re.compile(
    rb"""<(?:[\w.-]+:)?(?:modified|date)\b[^>]*>\s*([^<\s]{10,40})\s*<"""
    rb"""|name="ModifiedDate"[^>]*>\s*([^<\s]{10,40})\s*<"""
)
_PDF_DATE = re.compile(
    r"D?:?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?:([+-])(\d\d)'?(\d\d)?)?", re.ASCII
)


def modified_of(file: BinaryIO, kind: FileKind, limits: ParseLimits) -> datetime | None:
    """Return the date in the properties of an archive of XML; None if it has none."""
    parts = _PROPERTY_PARTS.get(kind, ())
    if not parts:
        return None
    file.seek(0)
    try:
        with zipfile.ZipFile(file) as archive:
            part = next((name for name in parts if name in archive.namelist()), None)
            found = None if part is None else _DATE.search(read_part(archive, part, limits))
    except (zipfile.BadZipFile, NotImplementedError, Unreadable, OSError, ValueError):
        return None
    return None if found is None else iso_date((found[1] or found[2]).decode("ascii", "replace"))


def iso_date(text: str) -> datetime | None:
    """Return the time of an ISO 8601 text; without a zone it is UTC."""
    try:
        return _in_utc(datetime.fromisoformat(text))
    except ValueError:
        return None


def mail_date(text: str) -> datetime | None:
    """Return the time of a Date header, or of the date that a MSG file has instead."""
    try:
        return _in_utc(parsedate_to_datetime(text))
    except (ValueError, TypeError):
        return iso_date(text.removesuffix(" UTC"))


def pdf_date(text: str) -> datetime | None:
    """Return the time of a PDF date such as D:20240131093000+09'00'."""
    match = _PDF_DATE.match(text.strip())
    if match is None:
        return None
    *numbers, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-offset if sign == "-" else offset)
        year, month, day, hour, minute, second = (int(each or 0) for each in numbers)
        return _in_utc(datetime(year, month, day, hour, minute, second, tzinfo=zone))
    except ValueError:
        return None


def _in_utc(time: datetime) -> datetime:
    try:
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except OverflowError:
        raise ValueError(time.year) from None
