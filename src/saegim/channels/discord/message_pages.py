"""An answer as messages that Discord takes: 2,000 characters each, and no code block broken."""

import re
from collections.abc import Sequence

from saegim.channels.discord.language import Locale
from saegim.client import Citation
from saegim.locales import translate

LONGEST = 2_000
PERSONAL = frozenset({"memory", "turn"})
FENCE = "```"
CLOSE = f"\n{FENCE}"
_LANGUAGE = re.compile(r"[\w+#.-]{0,20}\n")


def size(text: str) -> int:
    """Characters as Discord counts them: those outside the basic plane are two."""
    return len(text) + sum(1 for letter in text if ord(letter) > 0xFFFF)


def split(text: str, most: int = LONGEST) -> list[str]:
    """Pages in order, cut at a paragraph, a line or a word where there is one. A code block that
    does not fit is closed at the end of its page and opened again, with its language, on the
    next."""
    pages: list[str] = []
    rest, reopened = text.strip("\n"), ""
    while size(closed(reopened + rest)) > most:
        room = most - size(reopened) - size(CLOSE)
        end = _cut(rest, room, inside=_open_language(reopened) is not None)
        page, rest = reopened + rest[:end], rest[end:]
        language = _open_language(page)
        reopened = "" if language is None else f"{FENCE}{language}\n"
        # In code an empty line may mean something; between pages it means nothing.
        rest = rest.lstrip("\n") if language is None else rest.removeprefix("\n")
        if page.strip():
            pages.append(closed(page.rstrip("\n")))
    last = closed(reopened + rest)
    return [*pages, last] if last.strip() else pages


def closed(page: str) -> str:
    """The page with an open code block closed."""
    return page if _open_language(page) is None else page + CLOSE


def footnotes(citations: Sequence[Citation], locale: Locale) -> str:
    """What the markers of an answer point at, in small print below it."""
    lines = [f"-# [{each.marker}] {_titled(each, locale)}" for each in citations]
    return "\n".join(["", "", *lines]) if lines else ""


def _titled(citation: Citation, locale: Locale) -> str:
    if citation.kind in PERSONAL:
        # Others read the channel too.
        return translate("what you told me before", locale)
    title = " ".join((citation.title or citation.document or citation.kind).split())
    # Between angle brackets Discord shows no preview of a link.
    return f"[{title}](<{citation.url}>)" if citation.url else title


def _open_language(page: str) -> str | None:
    """The language of the code block that is open at the end; None where none is."""
    parts = page.split(FENCE)
    if len(parts) % 2:
        return None
    found = _LANGUAGE.match(parts[-1])
    return found[0].strip() if found else ""


def _cut(rest: str, room: int, *, inside: bool) -> int:
    """Where a page ends: as late as it may, but not within a word, a fence or an empty block."""
    most = _reach(rest, room)
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
    # A block that would only be opened here begins on the next page.
    if opened > 0 and not rest[opened:end].removeprefix(FENCE).partition("\n")[2].strip():
        before_is_open = (rest[:opened].count(FENCE) % 2 == 1) != inside
        end = end if before_is_open else opened
    return end


def _reach(text: str, room: int) -> int:
    """How many letters of a text have room."""
    reach = min(len(text), room)
    while size(text[:reach]) > room:
        reach -= 1
    return reach
