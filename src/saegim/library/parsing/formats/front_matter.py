"""Parse the front matter of Markdown: id, type, title and others."""

import re
from dataclasses import dataclass, field

_FENCED = re.compile(
    r"\s*---[ \t]*\n(?P<inside>.{0,8000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL
)
_SCALAR = re.compile(r"([\w가-힣][\w가-힣 .-]{0,60}?)\s*:[ \t]*(.*)")
_NAMES = {
    "id": "id",
    "doc_id": "id",
    "slug": "id",
    "title": "title",
    "제목": "title",
    "type": "type",
    "종류": "type",
    "유형": "type",
}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    id: str | None = None
    title: str | None = None
    type: str | None = None
    others: dict[str, str] = field(default_factory=dict[str, str])


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return the single-line values of the front matter, and the text without it."""
    match = _FENCED.match(text)
    if match is None:
        return FrontMatter(), text
    values: dict[str, str] = {}
    others: dict[str, str] = {}
    for line in match["inside"].split("\n"):
        scalar = _SCALAR.fullmatch(line)
        if scalar is None:
            continue
        name, value = scalar[1].strip().lower(), scalar[2].strip().strip("\"'")
        known = _NAMES.get(name)
        if known is not None:
            values.setdefault(known, value)
        elif value:
            others[name] = value
    matter = FrontMatter(values.get("id"), values.get("title"), values.get("type"), others)
    return matter, text[match.end() :]
