"""Makes a model's Markdown safe to render while it streams.

Removes images, HTML, links to hosts that are not allowed, and markers without evidence. Text is
sent as soon as later text cannot change its meaning, so the result does not depend on how the
stream was split. Code is unchanged apart from URLs, which some clients link even there.
"""

import html
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from markdown_it import MarkdownIt
from markdown_it.token import Token

from saegim.chat.output import markdown_patterns as patterns
from saegim.chat.types import Evidence

_PARSER = MarkdownIt("commonmark").disable(["html_block", "reference"])
# Longer lists and quotes count as text: parsing them again for each fence would be slow.
_MOST_LINES = 200
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
        if patterns.FENCE.search(line):
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
        self._paragraph = f"{self._paragraph}{text}"[-patterns.LONGEST_LABEL :]
        self.word = re.split(r"\s", f"{self.word}{text}"[-patterns.LONGEST_WORD :])[-1]

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
        return patterns.DEFINITION.search(self._paragraph) is not None


def _combine(left: str, right: str) -> bool:
    if left == "]":
        return right in "([:"
    return patterns.LEFT.match(left) is not None and patterns.RIGHT.match(right) is not None


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


_CONTROLS = {code: " " for code in range(32) if chr(code) not in "\n\t\r"}


@dataclass(frozen=True, slots=True)
class _Segment:
    """A part of a line; `complete` means that its end is known."""

    text: str
    complete: bool
    code: bool

    def is_open(self, match: re.Match[str]) -> bool:
        """Return whether the match may continue in text that has not arrived yet."""
        return match.end() == len(self.text) and not self.complete


def _match(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    """Match a pattern that is known to match at this position."""
    match = pattern.match(text, at)
    assert match is not None
    return match


class StreamSanitizer:
    """Sanitizes one answer.

    `cited` is the evidence whose markers were sent, in order; `unknown` counts the removed markers
    without evidence, `defused` the removed links, images, URLs and tags.
    """

    def __init__(
        self,
        evidence: Mapping[str, Evidence],
        links: Collection[str] = (),
        hosts: Collection[str] = (),
    ) -> None:
        self._evidence = evidence
        self._addresses = Addresses(links, hosts)
        self._blocks = MarkdownBlocks()
        self._pending = ""
        self._kind: LineKind | None = None
        self._output = SafeOutput()
        self._odd_ticks = False
        self._odd_ticks_in_line = False
        self.cited: dict[str, Evidence] = {}
        self.unknown = 0
        self.defused = 0

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that can be sent now."""
        return self._release(self._pending + piece, whole=False)

    def close(self) -> str:
        """Return the rest of the text at the end of the stream."""
        return self._release(self._pending, whole=True)

    def _release(self, text: str, *, whole: bool) -> str:
        carriage_return = "\r" if text.endswith("\r") and not whole else ""
        text = text.removesuffix(carriage_return)
        text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
        while text:
            line, newline, rest = text.partition("\n")
            complete = bool(newline) or whole
            left = self._take(line, complete)
            if not complete:
                text = left
                break
            self._end_line(newline)
            text = rest
        self._pending = text + carriage_return
        return self._output.drain()

    def _take(self, line: str, complete: bool) -> str:
        """Send what is certain of the current line; return the rest."""
        if self._kind is None:
            head = _match(patterns.HEAD, line, 0)
            known = head.end() < len(line)
            fence = patterns.FENCE.search(head.group()) is not None
            if not complete and (fence or not known):
                return line
            sample = line if fence or not known else f"{head.group()}x"
            self._kind = self._blocks.classify(sample)
            if self._kind is LineKind.FENCE:
                self._odd_ticks = False
                self._output.put(head.group())
                line = line[head.end() :]
        return self._scan(line, complete, code=self._kind is LineKind.CODE)

    def _end_line(self, newline: str) -> None:
        self._blocks.add(self._output.line)
        if not self._output.line.strip():
            self._odd_ticks = False
        self._output.end_line(newline)
        self._kind, self._odd_ticks_in_line = None, False

    def _scan(self, text: str, complete: bool, *, code: bool) -> str:
        """Send text up to the first undecided construct; return the rest."""
        segment = _Segment(text, complete, code)
        special = patterns.SPECIAL_IN_CODE if code else patterns.SPECIAL
        limit = len(text) if complete else _certain(text)
        at = 0
        while True:
            found = special.search(text, at)
            if found is None or found.start() >= limit:
                end = max(at, limit)
                self._output.put(text[at:end])
                return text[end:]
            self._output.put(text[at : found.start()])
            handle = getattr(self, f"_{found.lastgroup}")
            after: int | None = handle(segment, found.start())
            if after is None:
                return text[found.start() :]
            at = after

    # Each of these sends the construct at `at` and returns its end, or None if more text is needed.

    def _tick(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        run = _match(re.compile(r"\\?`+"), text, at)
        if segment.is_open(run):
            return None
        if self._odd_ticks or self._odd_ticks_in_line:
            self._output.put(run.group())
            return run.end()
        ticks = run.group().lstrip("\\")
        closer = re.compile(rf"(?<!`)`{{{len(ticks)}}}(?!`)").search(text, run.end())
        near = closer is not None and closer.start() - at <= patterns.LONGEST_SPAN
        undecided = closer is None or (closer.end() == len(text) and near)
        if not segment.complete and undecided and len(text) - at <= patterns.LONGEST_SPAN:
            return None
        if closer is None or not near or run.group() != ticks:
            self._odd_ticks = True
        content = "" if closer is None else text[run.end() : closer.start()]
        if closer is None or self._odd_ticks or "|" in content:
            self._odd_ticks_in_line = True
            self._output.put(run.group())
            return run.end()
        self._output.put(ticks)
        self._scan(content, True, code=True)
        self._output.put(ticks)
        return closer.end()

    def _bracket(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        image = text[at] == "!"
        start = at + image
        label = _match(patterns.LABEL, text, start)
        open_end = label["end"] is None and _unfinished(text, label.end(), start)
        if not segment.complete and (open_end or label.end() == len(text)):
            return None
        following = text[label.end() : label.end() + 1] if label["end"] else ""
        if following == "(":
            target = _match(patterns.DESTINATION, text, label.end())
            if target["end"]:
                return self._link(label["label"], target, image)
            if segment.is_open(target):
                return None
        if label["end"] and patterns.MARKERS.fullmatch(label[0]):
            self._output.put("!" if image else "")
            return self._markers(label, following)
        if image:
            self.defused += 1
        self._output.put("! [" if image else "[")
        return start + 1

    def _link(self, label: str, target: re.Match[str], image: bool) -> int:
        if not image and self._addresses.allows_destination(target["url"]):
            self._output.put("[")
            self._scan(label, True, code=False)
            self._output.emit(f"]{target.group()}")
            return target.end()
        self.defused += 1
        self._output.seam = True
        self._scan(label, True, code=False)
        self._output.seam = True
        return target.end()

    def _markers(self, label: re.Match[str], following: str) -> int:
        markers = ""
        for name in re.findall(patterns.MARK, label.group(), re.IGNORECASE):
            evidence = self._evidence.get(name.upper())
            if evidence is None:
                self.unknown += 1
            else:
                self.cited.setdefault(evidence.marker, evidence)
                markers += f"[{evidence.marker}]"
        self._output.put(markers)
        # Beside these a marker would be the text of a link.
        if markers and (following == "(" or (following == ":" and self._output.may_define())):
            self._output.emit(" ")
        self._output.seam = self._output.seam or not markers
        return label.end()

    def _close(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        if not segment.complete and (
            patterns.TARGET_BEGUN.match(text, at) if segment.code else at + 1 == len(text)
        ):
            return None
        following = text[at + 1 : at + 2]
        self._output.put("]")
        if segment.code:
            dangerous = patterns.TARGET_IN_CODE.match(text, at) is not None
        else:
            dangerous = following == "(" or (following == ":" and self._output.may_define())
        if dangerous:
            self.defused += 1
            self._output.emit(" ")
        return at + 1

    def _tag(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        following = text[at + 1 : at + 2]
        if not following and not segment.complete:
            return None
        if not re.match(r"[A-Za-z/!?]", following):
            self._output.put("<")
            return at + 1
        link, line_break = patterns.AUTOLINK.match(text, at), patterns.BREAK.match(text, at)
        if not segment.complete and (link is None or not link["end"]) and _unfinished_tag(text, at):
            return None
        if prompt_tag := patterns.PROMPT_TAG.match(text, at):
            self.defused += 1
            self._output.seam = True
            return prompt_tag.end()
        if link and link["end"] and self._addresses.allows_destination(link["url"]):
            self._output.put(link.group())
            return link.end()
        if line_break and re.search(r"[^\W\d_]|\|", self._output.line):
            self._output.put(line_break.group())
            return line_break.end()
        self.defused += 1
        self._output.put("‹")
        return at + 1

    def _entity(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        entity = patterns.ENTITY.match(text, at)
        if entity is None and not segment.complete and patterns.ENTITY_BEGUN.match(text, at):
            return None
        hidden = entity is not None and hides_character(entity.group())
        self.defused += hidden
        self._output.put("&amp;" if hidden else "&")
        return at + 1

    def _scheme(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        separator = _match(re.compile(r"\\?:(?:\\?/){2}"), text, at)
        run = _match(patterns.ADDRESS, text, separator.end())
        if segment.is_open(run):
            return None
        scheme = patterns.SCHEME.search(self._output.word)
        if scheme is None:
            self._output.put(separator.group())
            return separator.end()
        length = self._addresses.allowed_length(
            scheme.group().lower(), run.group(), local=segment.code
        )
        if length and separator.group() == "://":
            self._output.put(separator.group() + run.group()[:length])
            return separator.end() + length
        return self._broken(text, separator.end())

    def _broken(self, text: str, at: int) -> int:
        """Send a URL in a form that no renderer links; `at` is after its `://`."""
        self.defused += 1
        self._output.put("[://]")
        run = _match(patterns.RUN, text, at)
        broken = re.sub(r"(?<=[^\s.])\\?\.(?=[^\s.])", "[.]", run.group())
        broken = re.sub(r"\\?:(?:\\?/){2}", "[://]", broken)
        broken = patterns.ENTITY.sub(_spelled, broken)
        self._output.seam = True
        self._output.put(re.sub(r"(?<!\[)(?<!:)//", "[//]", broken))
        self._output.seam = True
        return run.end()

    def _www(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        dot = _match(re.compile(r"www\\?\.", re.IGNORECASE), text, at)
        run = _match(patterns.ADDRESS, text, dot.end())
        if segment.is_open(run):
            return None
        length = self._addresses.allowed_host(dot.group(), run.group())
        if length:
            self._output.put(text[at : dot.end() + length])
            return dot.end() + length
        if not is_host_letter(run.group()[:1]):
            self._output.put(dot.group())
            return dot.end()
        self.defused += 1
        self._output.put(f"{text[at : at + 3]}[.]")
        self._output.seam = True
        return dot.end()

    def _slashes(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        if segment.is_open(_match(patterns.ADDRESS, text, at)):
            return None
        if segment.code:
            dangerous = self._output.line.endswith(('"', "'", "=", "("))
        else:
            follows = self._output.line.endswith((":", "/"))
            dangerous = not follows and patterns.NETWORK_PATH.match(text, at) is not None
        if dangerous:
            self.defused += 1
            self._output.put(f"[{text[at : at + 2]}]")
            self._output.seam = True
        else:
            self._output.put(text[at : at + 2])
        return at + 2

    def _dot(self, segment: _Segment, at: int) -> int | None:
        text = segment.text
        dot = _match(re.compile(r"\\?\."), text, at)
        rest = _match(patterns.ADDRESS, text, dot.end())
        label = _match(re.compile(r"[^\W_](?:[^\W_]|-)*"), text, dot.end())
        if segment.is_open(rest):
            return None
        before = name_before(self._output.word)
        if dot.group() == "." and patterns.HOST.fullmatch(before):
            length = self._addresses.allowed_host(before, f".{rest.group()}")
            if length:
                self._output.put(text[at : at + length])
                return at + length
        after = text[label.end() : label.end() + 1]
        if breaks_dot(before, label.group(), after):
            self.defused += 1
            self._output.put("[.]")
            self._output.seam = True
            return dot.end()
        self._output.put(dot.group())
        return dot.end()


def _spelled(entity: re.Match[str]) -> str:
    """Escape an entity that encodes a part of a URL."""
    text = entity.group()
    return f"&amp;{text[1:]}" if hides_character(text) else text


def _certain(text: str) -> int:
    """Return where the last word, which may still grow, begins."""
    end = len(text)
    while end and "!" <= text[end - 1] <= "~":
        end -= 1
    return end


def _unfinished(text: str, end: int, start: int) -> bool:
    """Return whether a label without its closing bracket may continue."""
    span = text[end : end + 1] == "`" and "`" not in text[end + 1 :]
    return end == len(text) or (span and len(text) - start <= patterns.LONGEST_LABEL)


def _unfinished_tag(text: str, at: int) -> bool:
    return re.compile(r"<[^\s<>]{0,2000}(?: ?/?)?\Z").match(text, at) is not None
