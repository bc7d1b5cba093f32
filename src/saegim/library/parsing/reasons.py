"""Stable error codes in `Unreadable.detail`."""

from enum import StrEnum


class Reason(StrEnum):
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
