"""Media types of readable files and their file extensions."""

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
    "application/hwp+zip": ".hwpx",
    "application/vnd.hancom.hwpx": ".hwpx",
}
# Types that say nothing about the content.
GENERIC_TYPES = frozenset({"", "text/plain", "application/octet-stream", "binary/octet-stream"})
READABLE_NAMES = frozenset({".txt", ".text", ".markdown", ".mdx", ".htm", *SUFFIXES.values()})
