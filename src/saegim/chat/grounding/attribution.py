"""Adds citation markers to an answer while it streams, and collects its values without a source.

Words are sent as they arrive. Only what may end a sentence is held back, and a code span or formula
until it closes. What the model wrote stays as it is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from saegim.chat.grounding.support import EvidenceSupport, values_of
from saegim.chat.output.markdown_patterns import MARK
from saegim.chat.types import MARKER, Evidence
from saegim.library.types import Locator
from saegim.text.analysis import ends_sentence, index_terms, sentences

_MARKERS = rf"\[{MARK}(?:[ \t]?[,;][ \t]?{MARK}){{0,9}}\]"
_ONE = re.compile(MARK, re.IGNORECASE)
_SPACED_MARKERS = re.compile(rf"[ \t]*{_MARKERS}", re.IGNORECASE)
_CLOSERS = r"[*_~\"'”’」』》)\]]"
# What may end a sentence: quotes and emphasis, markers, the stop, and markers behind it.
_END = re.compile(
    rf"(?P<closed>{_CLOSERS}*(?:[ \t]*{_MARKERS})*)[ \t\r]*"
    rf"(?P<stop>[.!?。！？…]*)(?P<quotes>{_CLOSERS}*)(?P<after>(?:[ \t]*{_MARKERS})*[ \t\r]*)",
    re.IGNORECASE,
)
_MARKER_BEGUN = re.compile(r"\[[MTF\d,; \t]{0,100}\Z", re.IGNORECASE)
_TEXT = re.compile(r"[^\s.!?。！？…*_~\"'”’」』》)\[\]`$\\]+")
# A code span or formula; "$5" is a price.
_LONGEST_SPAN = 400
_SPAN = re.compile(
    rf"(?P<ticks>`+)(?!`)(?:(?!`)[^\n]|(?!(?P=ticks)(?!`))`){{1,{_LONGEST_SPAN}}}(?P=ticks)(?!`)"
    rf"|\$\$[^$\n]{{1,{_LONGEST_SPAN}}}\$\$|\$(?=[^\s\d$])[^$\n]{{1,{_LONGEST_SPAN}}}\$"
    rf"|\\\((?:(?!\\\))[^\n]){{0,{_LONGEST_SPAN}}}\\\)|\\\[(?:(?!\\\])[^\n]){{0,{_LONGEST_SPAN}}}\\\]"
)
# The start of a line that does not show yet what the line is.
_ITEM = r"(?:[-+*]|\d{1,9}[.)])[ \t]+"
_HEAD_BEGUN = re.compile(rf"[ \t>]*(?:{_ITEM})?(?:[-+*_= \t]*|#*|`*|~*|\$*|\\\[?|\d*[.)]?)[ \t]*\Z")
_HEAD = re.compile(rf"(?:[ \t]*>)*[ \t]*(?:{_ITEM})?")
_FENCE = re.compile(rf"[ \t>]*(?:{_ITEM})?(?P<mark>`{{3,}}|~{{3,}}|\$\$|\\\[)")
_CLOSING = {"$$": "$$", "\\[": "\\]"}
_PLAIN_LINE = re.compile(
    rf"[ \t>]*(?:#{{1,6}}(?:[ \t]|\Z)|\|)|[ \t]*(?:[-_*=][ \t]*){{3,}}\Z"
    rf"|(?: {{4}}|\t)[ \t]*(?!{_ITEM}|[ \t])"
)
# A line that introduces what follows, and a bold name in place of a heading.
_INTRODUCES = re.compile(r"[:：]\W*\Z|\W*\*\*[^*\d]{1,30}\*\*\W*\Z")
# Enough text behind a closing quote to see that the sentence goes on: "…다." 라고 했다.
_LOOK_AHEAD = 4
_LONGEST_WORD = 300


@dataclass(slots=True)
class Attribution:
    """Attributes one answer: `feed` it pieces, then `close` it.

    `sentences` counts those that state something, `supported` those of them that have a marker and
    no value without a source. No marker is added behind the first that the model wrote. `unknown`
    are these values; code, formulas, cells, headings and introductions are not searched for them.
    """

    support: EvidenceSupport
    sentences: int = 0
    supported: int = 0
    unknown: list[str] = field(default_factory=list[str])
    _cites: bool = False
    """Whether the model cites by itself: then it knows what needs a source."""
    _pending: str = ""
    _sentence: str = ""
    _line: str | None = None
    """What was sent of a plain line; of another "" once its head is known."""
    _plain: bool = False
    _fence: str = ""
    _output: list[str] = field(default_factory=list[str])

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that can be sent now."""
        self._pending = self._advance(self._pending + piece, whole=False)
        return self._drain()

    def close(self, *, complete: bool = True) -> str:
        """Return the rest; a text that broke off is not judged where it ends."""
        rest, self._pending = self._pending, ""
        if complete:
            rest = self._advance(rest, whole=True)
        self._output.append(rest)
        return self._drain()

    def _drain(self) -> str:
        text = "".join(self._output)
        self._output.clear()
        return text

    def _advance(self, text: str, *, whole: bool) -> str:
        """Process what is certain of a text and return the rest."""
        while text or (whole and self._sentence):
            if self._line is None:
                if not whole and "\n" not in text and _HEAD_BEGUN.match(text):
                    return text
                text = self._begin_line(text)
            before = text
            text = self._pass_plain(text) if self._plain else self._take(text, whole=whole)
            if text == before:
                return text
        return text

    def _begin_line(self, text: str) -> str:
        """Decide what a line is, and send the head of a list item or quote."""
        start = text.partition("\n")[0]
        self._line = ""
        fence = _FENCE.match(start)
        self._plain = bool(self._fence or fence or _PLAIN_LINE.match(start))
        if self._plain:
            if fence and not self._fence:
                self._fence = fence["mark"]
                self._output.append(fence[0])
                return text[fence.end() :]
            return text
        head = _HEAD.match(text)
        assert head is not None
        self._output.append(head[0])
        return text[head.end() :]

    def _end_line(self, newline: str) -> None:
        self._output.append(newline)
        self._line, self._sentence, self._plain = None, "", False

    def _pass_plain(self, text: str) -> str:
        shown, newline, rest = text.partition("\n")
        self._output.append(shown)
        self._line = f"{self._line}{shown}"
        if newline:
            if self._fence and self._closes_fence(self._line):
                self._fence = ""
            elif not self._fence:
                self.support.note(*values_of(self._line))
            self._end_line(newline)
        return rest

    def _closes_fence(self, line: str) -> bool:
        if self._fence in _CLOSING:
            return _CLOSING[self._fence] in line
        closing = line.strip(" \t>\r")
        return closing.startswith(self._fence) and not closing.strip(self._fence[0])

    def _take(self, text: str, *, whole: bool) -> str:
        """Take the next words, span or end of a sentence of a line; return the rest."""
        if words := _TEXT.match(text):
            return self._say(text, words.end())
        if text[:1] in ("`", "$", "\\"):
            span = _SPAN.match(text)
            is_open = "\n" not in text and len(text) < _LONGEST_SPAN
            if not whole and is_open and (span is None or span.end() == len(text)):
                return text
            return self._say(text, span.end() if span else 1)
        return self._take_end(text, whole=whole)

    def _say(self, text: str, length: int) -> str:
        self._output.append(text[:length])
        self._sentence += text[:length]
        return text[length:]

    def _take_end(self, text: str, *, whole: bool) -> str:
        """Take what may end a sentence, as soon as what follows it is known."""
        end = _END.match(text)
        assert end is not None
        rest = text[end.end() :]
        if not whole and (not rest or _MARKER_BEGUN.match(rest)):
            return text
        if not end[0] and rest and rest[0] != "\n":
            # A bracket that is no marker, or a rare kind of space.
            return self._say(text, 1)
        quoted = bool(end["stop"] and end["quotes"])
        if not whole and quoted and len(rest) < _LOOK_AHEAD and "\n" not in rest:
            return text
        if not rest or rest[0] == "\n" or self._is_end(end, rest):
            self._finish(end)
        else:
            self._say(end[0], len(end[0]))
        if rest.startswith("\n"):
            self._end_line("\n")
            return rest[1:]
        return rest

    def _is_end(self, end: re.Match[str], rest: str) -> bool:
        if not end["stop"] or self._sentence.count("**") % 2 > end[0].count("**") % 2:
            return False
        mark = end["stop"] + end["quotes"].translate(_EMPHASIS)
        after = f"{' ' if end['after'] else ''}{rest[:_LOOK_AHEAD]}".partition("\n")[0]
        before = _SPACED_MARKERS.sub("", f"{self._sentence[-_LONGEST_WORD:]}{end['closed']}")
        return ends_sentence(before.rstrip(), mark, after)

    def _finish(self, end: re.Match[str]) -> None:
        """Send the end of a sentence, with a marker if it has none and its source is sure."""
        added = self._judge(f"{self._sentence}{end[0]}")
        self._sentence = ""
        at = end.end("closed")
        self._output.append(f"{end[0][: at - end.start()]}{added}{end[0][at - end.start() :]}")

    def _judge(self, text: str) -> str:
        """Count a whole sentence, and return the marker to add to it."""
        own = [name for part in _SPACED_MARKERS.findall(text) for name in _ONE.findall(part)]
        known = [name.upper() for name in own if self.support.has(name.upper())]
        text = _SPACED_MARKERS.sub("", text)
        prose = _SPAN.sub(" ", text)
        if not re.search(r"\w", prose) or self.support.is_about_text:
            return ""
        if _INTRODUCES.search(prose):
            self.support.note(*values_of(prose))
            return ""
        unknown = self.support.unknown(prose, known)
        self._cites = self._cites or bool(known)
        added = None if own or unknown or self._cites else self.support.source(text)
        self.unknown += unknown
        self.sentences += bool(known or added or unknown or self.support.states(text))
        self.supported += bool((known or added) and not unknown)
        return f" [{added}]" if added and not self.support.is_turn(added) else ""


_EMPHASIS = str.maketrans("", "", "*_~")


_TABLE_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")


def cited_place(evidence: Evidence, answer: str) -> Locator | None:
    """Return the place of the line that the answer repeats most of; the first if it is none.

    If sentences repeat lines of several pages or slides, it is the range of them. A sentence that
    repeats less than half as much as another one, as a heading does, does not widen it.
    """
    whole = evidence.locator
    if whole is None:
        return None
    lines = [(at, set(index_terms(line))) for at, line in _lines(evidence.text)]
    repeated = [
        _repeated_line(set(index_terms(sentence)), lines)
        for sentence in _cited_sentences(evidence.marker, answer)
    ]
    most = max(shared for shared, _ in repeated)
    at = sorted(at for shared, at in repeated if 2 * shared >= most) if most else [0]
    places = [whole.at(evidence.text, each) for each in at]
    first, last = places[0], places[-1].number or 0
    return first if last == (first.number or 0) else replace(first, breaks=((0, last),))


def _repeated_line(terms: set[str], lines: Sequence[tuple[int, set[str]]]) -> tuple[int, int]:
    """Return how many terms a sentence shares with the line it repeats, and its offset."""
    shared, at = max(((len(terms & words), -at) for at, words in lines), default=(0, 0))
    return shared, -at


def _cited_sentences(marker: str, answer: str) -> list[str]:
    """Return the sentence before each mark; the whole answer without one."""
    *before, _ = answer.split(f"[{marker}]")
    found = (sentences(MARKER.sub("", text).strip()) for text in before)
    return [each[-1] for each in found if each] or [answer]


def _lines(text: str) -> list[tuple[int, str]]:
    """Return the lines with their offsets, without the headers of tables."""
    found: list[tuple[int, str]] = []
    at = 0
    for line in text.splitlines(keepends=True):
        if _TABLE_RULE.fullmatch(line.strip()):
            found[-1:] = []
        else:
            found.append((at, line))
        at += len(line)
    return found
