"""Markdown of a streamed answer: blocks, addresses, and what was sent of each line."""

import html
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from markdown_it import MarkdownIt
from markdown_it.token import Token

from saegim.chat.output.markdown_patterns import (
    DEFINITION,
    LEFT,
    LONGEST_LABEL,
    LONGEST_WORD,
    RIGHT,
)

_PARSER = MarkdownIt("commonmark").disable(["html_block", "reference"])
# Longer lists and quotes count as text: parsing them again for each fence would be slow.
_MOST_LINES = 200
_FENCE = re.compile(r"`{3,}|~{3,}")
_ONLY_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[`~ \t]*\Z")
_OPENER = re.compile(r"(?P<before>[ \t>*+\-0-9.)]*)(?P<run>`{3,}|~{3,})")
_TASK_FENCE = re.compile(r"[ \t>*+\-0-9.)]*\[[ xX]\][ \t]*(?:`{3,}|~{3,})")
_CONTAINER = re.compile(r"[ \t]*(?:[>*+-]|\d+[.)])")
# After an empty line, a line that starts like this ends every list and quote.
_LEAVES_CONTAINERS = re.compile(r"[^\s>*+\-0-9]")


class LineKind(Enum):
    TEXT = "text"
    CODE = "code"
    FENCE = "fence"


@dataclass(frozen=True, slots=True)
class _OpenFence:
    run: str
    column: int
    top: bool
    quoted: bool

    def holds(self, line: str) -> bool:
        """Return whether the line is certainly content; False if only the parser can tell."""
        if self.quoted:
            return False
        if not line.strip():
            return True
        return (self.top or _indent(line) >= self.column) and not _ONLY_FENCE.match(line)

    def closes(self, line: str) -> bool | None:
        """Return whether a fence line closes this fence; None if parsers disagree."""
        run = line.strip(" >" if self.quoted else " ")
        if not run.startswith(self.run):
            return False
        pure = set(run) == {self.run[0]}
        near = _indent(line) - self.column <= 3 and (not self.top or _indent(line) <= 3)
        return True if pure and near else None


class MarkdownBlocks:
    """Classifies a line before it is sent, from the lines sent before.

    Parsers disagree on a fence whose list or quote ends before it is closed, and on some closing
    lines. After one of these, nothing counts as code.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._after_gap = False
        self._open: _OpenFence | None = None
        self._kind = LineKind.TEXT
        self._ambiguous = False

    def classify(self, line: str) -> LineKind:
        """Return the kind of the next line. Without a fence, its start plus a letter suffices."""
        self._kind = LineKind.TEXT if self._ambiguous else self._classified(line)
        return self._kind

    def add(self, line: str) -> None:
        """Add the line just classified, as it was sent."""
        self._after_gap = not line.strip()
        if self._ambiguous or (self._open is not None and self._open.top):
            return
        if self._kind is LineKind.FENCE and self._open is None and not self._lines:
            return
        if self._kind is LineKind.TEXT:
            self._ambiguous = self._opened_unseen(line)
        if len(self._lines) < _MOST_LINES:
            self._lines.append(line)

    def _opened_unseen(self, line: str) -> bool:
        """Return whether some parser sees a fence that was not classified: after a task's box,
        beyond the parsed lines, or because something before it was removed."""
        if _TASK_FENCE.match(line):
            return True
        full = len(self._lines) >= _MOST_LINES
        return _OPENER.match(line) is not None and (full or self._fence_of(line) is not None)

    def _classified(self, line: str) -> LineKind:
        if self._open is not None:
            return self._inside(self._open, line)
        if self._after_gap and _LEAVES_CONTAINERS.match(line):
            self._lines = []
        if len(self._lines) >= _MOST_LINES:
            return LineKind.TEXT
        if _FENCE.search(line):
            return self._opened(line)
        is_indented = _indent(line) >= 4 and not any(map(_CONTAINER.match, self._lines))
        if is_indented and _parsed([*self._lines, line])[-1].type == "code_block":
            return LineKind.CODE
        return LineKind.TEXT

    def _opened(self, line: str) -> LineKind:
        token, opener = self._fence_of(line), _OPENER.match(line)
        if token is None or opener is None:
            return LineKind.TEXT
        column = len(opener["before"].expandtabs(4))
        self._open = _OpenFence(token.markup, column, token.level == 0, ">" in opener["before"])
        return LineKind.FENCE

    def _inside(self, fence: _OpenFence, line: str) -> LineKind:
        if fence.holds(line):
            return LineKind.CODE
        token = self._fence_of(line)
        still = fence.top or (token is not None and (token.map or [0])[0] < len(self._lines))
        if still and not _ONLY_FENCE.match(line) and fence.quoted:
            return LineKind.CODE
        closes = fence.closes(line) if still and _ONLY_FENCE.match(line) else None
        if closes is None:
            self._ambiguous = True
            return LineKind.TEXT
        if not closes:
            return LineKind.CODE
        self._open = None
        if fence.top:
            self._lines = []
        return LineKind.FENCE

    def _fence_of(self, line: str) -> Token | None:
        """Return the fence that the line opens, closes or is inside of."""
        if len(self._lines) >= _MOST_LINES:
            return None
        last = len(self._lines)
        for token in _parsed([*self._lines, line]):
            if token.type == "fence" and token.map and token.map[0] <= last < token.map[1]:
                return token
        return None


def _parsed(lines: list[str]) -> list[Token]:
    return _PARSER.parse("\n".join(lines)) or [Token("empty", "", 0)]


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


class SafeOutput:
    """Collects the sanitized text; `seam` means something was removed at this position."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._paragraph = ""
        self.line = ""
        self.word = ""
        self.seam = False

    def put(self, text: str) -> None:
        """Add text; at a seam, a space separates characters that would combine to markup."""
        if not text:
            return
        if self.seam and _combine(self.line[-1:], text[0]):
            self.emit(" ")
        self.seam = False
        self.emit(text)

    def emit(self, text: str) -> None:
        """Add text unchanged."""
        self._pieces.append(text)
        self.line += text
        self._paragraph = f"{self._paragraph}{text}"[-LONGEST_LABEL:]
        self.word = re.split(r"\s", f"{self.word}{text}"[-LONGEST_WORD:])[-1]

    def end_line(self, newline: str) -> None:
        """End the line; an empty line ends the paragraph."""
        self._paragraph = f"{self._paragraph}{newline}" if self.line.strip() else ""
        self._pieces.append(newline)
        self.line, self.word, self.seam = "", "", False

    def drain(self) -> str:
        """Return the text added since the last call."""
        drained, self._pieces = "".join(self._pieces), []
        return drained

    def may_define(self) -> bool:
        """Return whether a colon here would complete a reference definition."""
        return DEFINITION.search(self._paragraph) is not None


def _combine(left: str, right: str) -> bool:
    if left == "]":
        return right in "([:"
    return LEFT.match(left) is not None and RIGHT.match(right) is not None


# Top-level domains that renderers link without a scheme: country codes and common generic ones.
_COUNTRY = (
    "a[cdefgilmnoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]"
    "|f[ijkmor]|g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]"
    "|l[abcikrstuvy]|m[acdeghklmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghklmnrstwy]|qa|r[eosuw]"
    "|s[abcdeghijklmnortuvxyz]|t[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]"
)
_GENERIC = (
    "com|net|org|edu|gov|mil|int|biz|info|name|pro|web|xxx|aero|asia|coop|museum|shop|app|dev|xyz"
    "|online|site|top|club|store|tech|cloud|live|page|link|click|blog|space|icu|work|zip|mov|рф"
    "|한국|中国|台湾|香港"
)
_TOP_LEVEL = re.compile(rf"(?:{_GENERIC}|{_COUNTRY}|xn--[a-z0-9-]+)\Z", re.IGNORECASE)
# File extensions and attribute names that are top-level domains too. `README.md` stays: a name of
# two labels without a path carries no data.
_SOFT = "md py rs sh pl cc ps so mk ml pm tf in is id to at as do no it my st ms name info"
SOFT = frozenset(_SOFT.split(" "))
_PRODUCTS = frozenset({"asp.net", "ado.net", "vb.net", "ml.net"})
# Characters that may follow a host up to the next space without changing the host.
_AFTER_HOST = re.compile(r"(?:[가-힣)\]}\"'*,;!?~_`|…]|\.(?!\w))*(?=[\s<]|\Z)")
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_PATH = re.compile(
    r"(?:(?!://|www\.)(?:[^\W_]|[/?=%.,:;@+$#-]|(?<=[^\W_])[_~]+(?=[^\W_])"
    r"|&(?!#?[A-Za-z0-9]+;)))*",
    re.IGNORECASE,
)
# No URL inside a URL: if the brackets turn out to be code, the inner one would become a link.
_DESTINATION = re.compile(
    r"(?P<url>https?://(?P<host>[A-Za-z0-9.-]+)(?::\d{1,5})?"
    r"(?:[/?#](?:(?!://|www\.)[^\s\\<>`()\[\]\"'|*])*)?)"
    r"(?:[ \t]+\"[^\"\\<>`\[\]()&|]*\")?",
    re.IGNORECASE,
)
# URLs of this length or longer are not allowed.
LONGEST = 2_000
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1"})


class Addresses:
    """Allowed links: `links` are full URLs, `hosts` allow every page of a host."""

    def __init__(self, links: Collection[str], hosts: Collection[str]) -> None:
        self._links = frozenset(links)
        self._hosts = frozenset(host.casefold() for host in hosts)

    def allows_destination(self, destination: str) -> bool:
        """Return whether the destination of a Markdown link is allowed."""
        stripped = destination.strip()
        if stripped in self._links:
            return True
        match = _DESTINATION.fullmatch(stripped)
        return match is not None and match["host"].casefold() in self._hosts

    def allowed_length(self, scheme: str, rest: str, local: bool = False) -> int:
        """Return the length of the allowed URL at the start of `rest`, which follows `scheme://`.

        0 means not allowed; `local` also allows this machine.
        """
        if len(rest) >= LONGEST:
            return 0
        for link in self._links:
            prefix = f"{scheme}://"
            tail = link[len(prefix) :]
            same = link.casefold().startswith(prefix) and rest.startswith(tail)
            if same and _AFTER_HOST.match(rest, len(tail)):
                return len(tail)
        host = _HOST.match(rest)
        if host is None or scheme not in ("http", "https"):
            return 0
        return self._host_length(host, rest, local)

    def allowed_host(self, before: str, rest: str) -> int:
        """Return how much of `rest` belongs to an allowed host that begins in `before`."""
        host = _HOST.match(before + rest)
        if host is None or len(rest) >= LONGEST:
            return 0
        return max(0, self._host_length(host, before + rest, False) - len(before))

    def _host_length(self, match: re.Match[str], text: str, local: bool) -> int:
        host = match.group()
        if host.casefold() not in self._hosts and not (local and host in LOCAL_HOSTS):
            return 0
        end = match.end()
        port = re.compile(r":\d{1,5}").match(text, end)
        end = port.end() if port else end
        if text[end : end + 1] in ("/", "?", "#"):
            path = _PATH.match(text, end)
            return path.end() if path else end
        return end if _AFTER_HOST.match(text, end) else 0


def name_before(word: str) -> str:
    """Return the end of the word that a renderer would read as the beginning of a URL."""
    start = len(word)
    while start and (is_host_letter(word[start - 1]) or word[start - 1] in "_@.+:/\\-"):
        start -= 1
    return word[start:]


def is_host_letter(character: str) -> bool:
    """Return whether renderers accept the character in a host: emoji, joiners, symbols too."""
    if not character or character.isascii():
        return character.isalnum() or character in ("$", "=", "^", "`", "~")
    return unicodedata.category(character)[0] not in "ZP"


def breaks_dot(before: str, label: str, after: str) -> bool:
    """Return whether the dot between a word and this label could make a link."""
    last = before[-1:]
    if not _TOP_LEVEL.match(label) or not is_host_letter(last):
        return False
    if re.search(r"[\w+-]@[\w.-]*\Z", before) and after != "@":
        return False
    has_path = after in ("/", "?", "#", ":", "@")
    alone = re.search(r"[./@:\\]", before) is None and not has_path
    if alone and (label.casefold() in SOFT or f"{before}.{label}".casefold() in _PRODUCTS):
        return False
    is_word = last.isalnum() and not last.isascii()
    return not (alone and is_word and label.casefold() not in ("com", "net"))


def hides_character(entity: str) -> bool:
    """Return whether an HTML entity encodes a character used in URLs."""
    shown = html.unescape(entity)
    return any(c.isascii() and (c.isalnum() or c in ":/.\\@-") for c in shown)
