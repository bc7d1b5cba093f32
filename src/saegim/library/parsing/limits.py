"""Limits of one parse, and the reasons why a file is refused."""

from dataclasses import dataclass
from enum import StrEnum

MEGABYTE = 1024 * 1024


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
    cells: int = 1_000_000
    """Of all tables of a file."""


class Reason(StrEnum):
    """Stable error codes in `Unreadable.detail`."""

    EMPTY = "empty"
    MISSING = "missing"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    ENCRYPTED = "encrypted"
    CORRUPT = "corrupt"
    UNSAFE = "unsafe"
    UNSUPPORTED = "unsupported"
    LEGACY = "legacy"
    SCANNED = "scanned"
    PARSER_MISSING = "parser_missing"
