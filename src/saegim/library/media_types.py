"""Media types of readable files and their file extensions."""

from pathlib import PurePosixPath

SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/json": ".json",
    "application/jsonl": ".jsonl",
    "application/x-ndjson": ".ndjson",
    "application/pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": ".xlsb",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/x-hwp": ".hwp",
    "application/haansofthwp": ".hwp",
    "application/vnd.hancom.hwp": ".hwp",
    "application/hwp+zip": ".hwpx",
    "application/vnd.hancom.hwpx": ".hwpx",
    "application/epub+zip": ".epub",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "message/rfc822": ".eml",
    "application/vnd.ms-outlook": ".msg",
    "application/zip": ".zip",
    "application/x-zip-compressed": ".zip",
}
# Types that say nothing about the content.
GENERIC_TYPES = frozenset({"", "text/plain", "application/octet-stream", "binary/octet-stream"})
_OTHER_NAMES = (".txt", ".text", ".markdown", ".mdx", ".htm", ".docm", ".pptm", ".xlsm")
_OTHER_TYPES = {
    ".txt": "text/plain; charset=utf-8",
    ".text": "text/plain; charset=utf-8",
    ".markdown": "text/markdown",
    ".htm": "text/html",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
}
# The first type of an extension is its usual one.
_TYPES = {suffix: name for name, suffix in reversed(SUFFIXES.items())} | _OTHER_TYPES
READABLE_NAMES = frozenset({*_OTHER_NAMES, *SUFFIXES.values()})


def media_type_of(name: str, declared: str | None = None) -> str:
    """Return the media type of a file: the declared one if it is known, else that of its name."""
    if declared in SUFFIXES:
        return declared
    return _TYPES.get(PurePosixPath(name).suffix.lower(), "application/octet-stream")
