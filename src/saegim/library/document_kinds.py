"""The kind of a document, as people tell files apart: by its type, address and file extension."""

import re
from collections.abc import Mapping

FAQ_KIND, PAGE_KIND, OTHER_KIND = "faq", "web_page", "other"
EXTENSIONS: Mapping[str, str] = {
    "pdf": "pdf",
    "word": "docx docm doc odt rtf",
    "hwp": "hwpx hwp",
    "slides": "pptx pptm ppt odp",
    "table": "csv tsv xlsx xlsm xlsb xls ods",
    "mail": "eml msg",
    "book": "epub",
    "archive": "zip",
    PAGE_KIND: "html htm xhtml",
    "markdown": "md markdown mdx",
    "text": "txt text log rst",
    "data": "json jsonl ndjson yaml yml toml xml",
    "code": "py js ts jsx tsx java kt go rs c h cc cpp cs rb php sh sql swift",
    "image": "png jpg jpeg webp gif",
}


def _ends(extensions: str) -> str:
    # A document of several in one file ends with its number.
    return rf".*\.({'|'.join(extensions.split())})(#[0-9]+)?$"


_KNOWN = _ends(" ".join(EXTENSIONS.values()))
_PATTERNS: dict[str, str] = {
    FAQ_KIND: "^faq ",
    **{kind: rf"^(?!faq ){_ends(extensions)}" for kind, extensions in EXTENSIONS.items()},
    OTHER_KIND: rf"^(?!faq )(?![a-z0-9_-]+ https?://)(?!{_KNOWN})",
}
_PATTERNS[PAGE_KIND] += rf"|^(?!faq )[a-z0-9_-]+ https?://(?!{_KNOWN})"
KINDS = tuple(_PATTERNS)


def kind_pattern(kind: str | None) -> str:
    """Return the regular expression that matches `type id` of the documents of a kind.

    Python and PostgreSQL read it alike; without a kind it matches all."""
    return "" if kind is None else _PATTERNS[kind]


def kind_of(type: str, outside_id: str) -> str:  # noqa: A002 - the API's word
    """Return the kind of a document."""
    described = f"{type} {outside_id}"
    kinds = (kind for kind in KINDS if re.match(_PATTERNS[kind], described, re.IGNORECASE))
    return next(kinds, OTHER_KIND)
