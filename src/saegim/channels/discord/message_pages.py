"""Splits an answer into messages of at most 2,000 characters, without breaking code blocks."""

import re
from collections.abc import Sequence

from saegim.client import Citation
from saegim.domain.scope import Locale
from saegim.locales import translate
from saegim.locales.answer_notes import place_text

LONGEST = 2_000
PERSONAL = frozenset({"memory", "turn"})
FENCE = "```"
CLOSE = f"\n{FENCE}"
_LANGUAGE = re.compile(r"[\w+#.-]{0,20}\n")


def size(text: str) -> int:
    """Return the length as Discord counts it, in UTF-16 code units."""
    return len(text) + sum(1 for letter in text if ord(letter) > 0xFFFF)


def split(text: str, most: int = LONGEST) -> list[str]:
    """Split a text, preferably between paragraphs, lines or words. A code block that does not fit
    is closed at the end of a page and reopened, with its language, on the next."""
    pages: list[str] = []
    rest, reopened = text.strip("\n"), ""
    while size(closed(reopened + rest)) > most:
        length = most - size(reopened) - size(CLOSE)
        end = _cut(rest, length, inside=_open_language(reopened) is not None)
        page, rest = reopened + rest[:end], rest[end:]
        language = _open_language(page)
        reopened = "" if language is None else f"{FENCE}{language}\n"
        # Empty lines matter in code only.
        rest = rest.lstrip("\n") if language is None else rest.removeprefix("\n")
        if page.strip():
            pages.append(closed(page.rstrip("\n")))
    last = closed(reopened + rest)
    return [*pages, last] if last.strip() else pages


def closed(page: str) -> str:
    """Return the page with an open code block closed."""
    return page if _open_language(page) is None else page + CLOSE


def footnotes(citations: Sequence[Citation], locale: Locale) -> str:
    """Return the sources of an answer in small print."""
    lines = [f"-# [{each.marker}] {_titled(each, locale)}" for each in citations]
    return "\n".join(["", "", *lines]) if lines else ""


def _titled(citation: Citation, locale: Locale) -> str:
    if citation.team:
        return translate("Team memory", locale)
    if citation.kind in PERSONAL:
        # Other users read the channel, too.
        return translate("what you told me before", locale)
    title = " ".join((citation.title or citation.document or citation.kind).split())
    # Angle brackets suppress the link preview.
    name = f"[{title}](<{citation.url}>)" if citation.url else title
    return " · ".join(filter(None, (name, place_text(citation.locator, locale))))


def _open_language(page: str) -> str | None:
    """Return the language of the code block that is open at the end, or None."""
    parts = page.split(FENCE)
    if len(parts) % 2:
        return None
    language = _LANGUAGE.match(parts[-1])
    return language[0].strip() if language else ""


def _cut(rest: str, length: int, *, inside: bool) -> int:
    """Return the end of a page: as late as possible, but not within a word or a fence, and not
    just after a fence that opens a block."""
    most = _fitting(rest, length)
    end = max(
        (rest.rfind("\n\n", most // 2, most) if not inside else -1),
        rest.rfind("\n", most * 3 // 4, most),
    )
    if end <= 0:
        end = max(rest.rfind("\n", most // 2, most), rest.rfind(" ", most // 2, most))
    if end <= 0:
        end = most
    start = end
    while 0 < start < len(rest) and rest[start - 1] == "`" and rest[start] == "`":
        start -= 1
    end = start or end
    opened = rest.rfind(FENCE, 0, end)
    # A block that would only open here begins on the next page.
    if opened > 0 and not rest[opened:end].removeprefix(FENCE).partition("\n")[2].strip():
        before_is_open = (rest[:opened].count(FENCE) % 2 == 1) != inside
        end = end if before_is_open else opened
    return end


def _fitting(text: str, length: int) -> int:
    """Return how many characters of a text fit into a length that Discord counts."""
    count = min(len(text), length)
    while size(text[:count]) > length:
        count -= 1
    return count
