"""Makes a model's Markdown safe to render while it streams.

Removes images, HTML, links to hosts that are not allowed, and markers without evidence. Text is
sent as soon as later text cannot change its meaning, so the result does not depend on how the
stream was split. Code is unchanged apart from URLs, which some clients link even there.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from saegim.chat.output import markdown_patterns as patterns
from saegim.chat.output.markdown_blocks import (
    Addresses,
    LineKind,
    MarkdownBlocks,
    SafeOutput,
    breaks_dot,
    hides_character,
    is_host_letter,
    name_before,
)
from saegim.chat.types import Evidence

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
