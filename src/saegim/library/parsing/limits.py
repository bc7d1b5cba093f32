"""Limits of one parse, and the reasons why a file is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from saegim.domain.scope import Locale
from saegim.locales import N_, translate

MEGABYTE = 1024 * 1024
# Of one document. A text file of 30 MB would have 40,000, a sheet of 100,000 rows has 8,000.
MAX_PASSAGES = 20_000


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Limits of one parse; a file beyond any of them is refused."""

    file_bytes: int = 200 * MEGABYTE
    text_bytes: int = 64 * MEGABYTE
    """Of a text file, which is read into memory."""
    memory_bytes: int = 512 * MEGABYTE
    cpu_seconds: int = 60
    wall_seconds: float = 60.0
    output_bytes: int = 64 * MEGABYTE
    entries: int = 10_000
    """Files inside an archive."""
    unpacked_bytes: int = 256 * MEGABYTE
    part_bytes: int = 64 * MEGABYTE
    """Of one unpacked XML part, whose tree takes ten times its size."""
    ratio: int = 200
    """Unpacked to packed size; office documents reach 20, zip bombs 1,000."""
    xml_depth: int = 200
    pages: int = 5_000
    documents: int = 100_000
    cells: int = 2_000_000
    """Of all tables of a file."""


class Reason(StrEnum):
    """Stable error codes in `Unreadable.detail`."""

    EMPTY = "empty"
    MISSING = "missing"
    TOO_LARGE = "too_large"
    TOO_LONG = "too_long"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    ENCRYPTED = "encrypted"
    CORRUPT = "corrupt"
    UNSAFE = "unsafe"
    UNSUPPORTED = "unsupported"
    LEGACY = "legacy"
    SCANNED = "scanned"
    NO_RECOGNITION = "no_recognition"
    UPLOAD_BROKE_OFF = "upload_broke_off"
    TAKEN = "taken"
    INTERNAL = "internal"


# What people read instead of the code.
REASON_TEXTS: Mapping[str, str] = {
    Reason.EMPTY: N_(
        "The file is empty. Check that it opens with text on your computer, and send it again."
    ),
    Reason.MISSING: N_("The file no longer exists."),
    Reason.TOO_LARGE: N_(
        "The file is too large, or holds too much text. Split it into smaller files."
    ),
    Reason.TOO_LONG: N_(
        "The document is too long. The limit is 20,000 passages, about 12 MB of plain text. "
        "Split it into smaller files."
    ),
    Reason.TIMEOUT: N_("Reading the file took too long. Split it into smaller files."),
    Reason.MEMORY: N_("Reading the file took too much memory. Split it into smaller files."),
    Reason.ENCRYPTED: N_("The file is protected by a password. Remove it and try again."),
    Reason.CORRUPT: N_(
        "The file is damaged. Open it in its program, save it again, and send the new file."
    ),
    Reason.UNSAFE: N_(
        "The file contains parts that are not safe to open. Save it as PDF and send that."
    ),
    Reason.UNSUPPORTED: N_(
        "This kind of file cannot be read. Readable: PDF, Word, Hangul (HWP, HWPX), PowerPoint, "
        "Excel, e-mail, EPUB, RTF, HTML, Markdown, text, CSV, JSON, and ZIP of these."
    ),
    Reason.LEGACY: N_(
        "The file has an old format. Save it as DOCX, PPTX, HWPX or PDF and try again."
    ),
    Reason.SCANNED: N_("The pages are pictures without text. Run text recognition (OCR) first."),
    Reason.NO_RECOGNITION: N_(
        "Pictures are read with Tesseract, which is not installed on the server. Install "
        "tesseract-ocr with its Korean data, or send a file with text."
    ),
    Reason.UPLOAD_BROKE_OFF: N_("The upload was interrupted. Send the file again."),
    Reason.TAKEN: N_(
        "Another source has already brought a document with this ID. "
        "Rename it, or remove the other."
    ),
    Reason.INTERNAL: N_(
        "The server could not import the file. An administrator can find out why and try again."
    ),
}


UNKNOWN_REASON = N_("The file could not be imported.")


def reason_text(error: str, locale: Locale) -> str:
    """Return the error of a file in words; details may follow its code."""
    code = error.partition(":")[0]
    return translate(REASON_TEXTS.get(code, UNKNOWN_REASON), locale)
