"""Adds citation markers to an answer while it streams. The model's own markers stay in
place unless they are refuted.

Words are sent as they arrive. Only what may end a sentence is held back: its punctuation, spaces
and markers, and the rows of tables.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from saegim.chat.grounding.support import EvidenceSupport, Verdict
from saegim.chat.grounding.words import quantities_of
from saegim.chat.output.markdown_patterns import MARK
from saegim.text.analysis import ends_sentence

_MARKERS = rf"\[(?:\?|{MARK}(?:[ \t]?[,;][ \t]?{MARK}){{0,9}})\]"
_ONE = re.compile(MARK, re.IGNORECASE)
_SPACED_MARKERS = re.compile(rf"[ \t]*{_MARKERS}", re.IGNORECASE)
_CLOSERS = r"[*_~\"'”’」』》)\]]"
# What may end a sentence: quotes and emphasis, markers, the stop, and markers behind it.
_END = re.compile(
    rf"(?P<closed>{_CLOSERS}*)(?P<own>(?:[ \t]*{_MARKERS})*)(?P<gap>[ \t\r]*)"
    rf"(?P<stop>[.!?。！？…]*)(?P<quotes>{_CLOSERS}*)(?P<own_after>(?:[ \t]*{_MARKERS})*)"
    r"(?P<space>[ \t\r]*)",
    re.IGNORECASE,
)
_MARKER_BEGUN = re.compile(r"\[[MTF\d,;? \t]{0,100}\Z", re.IGNORECASE)
_TEXT = re.compile(r"[^\s.!?。！？…*_~\"'”’」』》)\[\]`$\\]+")
# What opens a formula, and what closes it; "$5" is a price.
_FORMULA = re.compile(r"\$\$|\$(?=[^\s\d$])|\\[\[(]")
_CLOSES = {"$$": "$$", "$": "$", "\\[": "\\]", "\\(": "\\)"}
# The start of a line that does not show yet what the line is.
_ITEM = r"(?:[-+*]|\d{1,9}[.)])[ \t]+"
_HEAD_BEGUN = re.compile(rf"[ \t>]*(?:{_ITEM})?(?:[-+*_= \t]*|#*|`*|~*|\d*[.)]?)[ \t]*\Z")
_HEAD = re.compile(rf"(?:[ \t]*>)*[ \t]*(?:{_ITEM})?")
_FENCE = re.compile(rf"[ \t>]*(?:{_ITEM})?(`{{3,}}|~{{3,}})")
_PLAIN_LINE = re.compile(r"[ \t>]*#{1,6}(?:[ \t]|\Z)|[ \t]*(?:[-_*=][ \t]*){3,}\Z")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*(?![-+*][ \t]|\d{1,9}[.)][ \t]|[ \t])")
_TABLE = re.compile(r"[ \t>]*\|")
_TABLE_RULE = re.compile(r"[ \t>|:-]*\Z")
_ROW_END = re.compile(r"[ \t]*\|?[ \t]*\Z")
# The line before a list or table introduces it.
_LIST = re.compile(r"\n\s*(?:(?:[-+*]|\d{1,9}[.)])[ \t]|\|)")
_LIST_BEGUN = re.compile(r"\n\s*(?:[-+*]|\d{1,9}[.)]?)?\Z")
# A bold name in place of a heading.
_LABEL = re.compile(r"\W*\*\*[^*\d]{1,30}\*\*\W*\Z")
# A number or name: without one an item of a list is too short to be judged.
_DETAIL = re.compile(r"\d|(?<=[\w,:] )[A-Z][a-z]")
# Enough text behind a closing quote to see that the sentence goes on: "…다." 라고 했다.
_LOOK_AHEAD = 4


@dataclass(slots=True)
class _Line:
    """What is known of the current line."""

    plain: bool = False
    """Whether it passes unchanged: code, a heading, a rule."""
    table: bool = False
    item: bool = False
    formula: bool = False
    ticks: str = ""
    """The backticks of an open code span, or what closes an open formula."""
    text: str = ""
    """All of it, if it is plain."""


@dataclass(slots=True)
class Attribution:
    """Attributes one answer: `feed` it pieces, then `close` it.

    `marks_unsupported`: statements that nothing supports get `[?]`, never introductions, cells,
    formulas or code. `sentences` counts those that need support, `unsupported` those that are
    marked or have an invented number where no mark may be.
    """

    support: EvidenceSupport
    marks_unsupported: bool = True
    sentences: int = 0
    supported: int = 0
    unsupported: int = 0
    _pending: str = ""
    _sentence: str = ""
    _line: _Line | None = None
    _fence: str = ""
    _in_table: bool = False
    _inside: list[str] = field(default_factory=list[str])
    _numbers: set[float] = field(default_factory=set[float])
    """Those of the answer so far, except of marked sentences."""
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
            line = self._line
            assert line is not None
            before = text
            if line.plain:
                text = self._pass_plain(line, text)
            elif line.table:
                text = self._take_row(text, whole=whole)
            else:
                text = self._take_text(line, text, whole=whole)
            if text == before:
                return text
        return text

    def _begin_line(self, text: str) -> str:
        """Decide what a line is, and send the head of a list item or quote."""
        start = text.partition("\n")[0]
        self._line = line = _Line()
        was_table, self._in_table = self._in_table, False
        fence = _FENCE.match(start)
        if self._fence or fence is not None:
            line.plain = True
            if not self._fence and fence is not None:
                self._fence = fence[1]
                # The opening line must not be read as the closing one.
                line.text = "\0"
        elif _PLAIN_LINE.match(start) or _INDENTED.match(start):
            line.plain = True
        elif _TABLE.match(start):
            self._in_table = True
            line.table, line.plain = was_table, not was_table
        else:
            head = _HEAD.match(text)
            assert head is not None
            line.item = bool(head[0].strip(" \t>"))
            self._output.append(head[0])
            return text[head.end() :]
        return text

    def _end_line(self, newline: str) -> None:
        self._output.append(newline)
        self._line, self._sentence, self._inside = None, "", []

    def _pass_plain(self, line: _Line, text: str) -> str:
        shown, newline, rest = text.partition("\n")
        self._output.append(shown)
        line.text += shown
        if not newline:
            return ""
        closing = line.text.strip(" \t>")
        if not self._fence:
            pass
        elif self._fence in _CLOSES.values():
            self._fence = "" if self._fence in line.text else self._fence
        elif closing.startswith(self._fence) and not closing.strip(self._fence[0]):
            self._fence = ""
        self._end_line(newline)
        return rest

    def _take_row(self, text: str, *, whole: bool) -> str:
        row, newline, rest = text.partition("\n")
        if not newline and not whole:
            return text
        if _TABLE_RULE.match(row):
            self._output.append(row)
        else:
            self._output.append(self._row(row))
        self._end_line(newline)
        return rest

    def _row(self, row: str) -> str:
        own = [name for part in _SPACED_MARKERS.findall(row) for name in self._names(part)]
        markers, refuted = self._judge(_SPACED_MARKERS.sub("", row), own, may_mark=False)
        row = _without(row, refuted)
        end = _ROW_END.search(row)
        assert end is not None
        return f"{row[: end.start()]}{_spaced(markers)}{row[end.start() :]}"

    def _take_text(self, line: _Line, text: str, *, whole: bool) -> str:
        """Take the next words, code span, formula or end of a sentence; return the rest."""
        if line.ticks.startswith("`"):
            return self._take_code(line, text)
        if line.ticks:
            return self._take_formula(line, text, whole=whole)
        if words := _TEXT.match(text):
            self._say(words[0])
            return text[words.end() :]
        if text.startswith("`"):
            ticks = text[: len(text) - len(text.lstrip("`"))]
            if ticks == text and not whole:
                return text
            line.ticks = ticks
            self._say(ticks)
            return text[len(ticks) :]
        if text in ("$", "\\") and not whole:
            return text
        if opened := _FORMULA.match(text):
            line.ticks, line.formula = _CLOSES[opened[0]], True
            self._output.append(opened[0])
            return text[opened.end() :]
        return self._take_end(line, text, whole=whole)

    def _take_code(self, line: _Line, text: str) -> str:
        """Pass a code span; an odd backtick ends with its line."""
        ends = [at for at in (text.find("`"), text.find("\n")) if at >= 0]
        at = min(ends, default=len(text))
        self._say(text[:at])
        if text[at : at + 1] == "\n":
            line.ticks = ""
        elif at < len(text):
            ticks = text[at : len(text) - len(text[at:].lstrip("`"))]
            self._say(ticks)
            line.ticks = "" if len(ticks) >= len(line.ticks) else line.ticks
            at += len(ticks)
        return text[at:]

    def _take_formula(self, line: _Line, text: str, *, whole: bool) -> str:
        """Pass a formula, which is no part of its sentence; `$$` and `\\[` may span lines."""
        inside, newline, rest = text.partition("\n")
        at = inside.find(line.ticks)
        if at >= 0:
            end = at + len(line.ticks)
            self._output.append(text[:end])
            line.ticks = ""
            return text[end:]
        if newline:
            self._output.append(inside)
            if line.ticks not in ("$$", "\\]"):
                line.ticks = ""
                return f"\n{rest}"
            self._fence = line.ticks
            self._end_line("\n")
            return rest
        kept = 0 if whole or not inside.endswith(line.ticks[0]) else 1
        self._output.append(inside[: len(inside) - kept])
        return inside[len(inside) - kept :]

    def _take_end(self, line: _Line, text: str, *, whole: bool) -> str:
        """Take what may end a sentence, as soon as what follows it is known."""
        end = _END.match(text)
        assert end is not None
        rest = text[end.end() :]
        if not whole and (not rest or _MARKER_BEGUN.match(rest)):
            return text
        if not end[0] and rest and rest[0] != "\n":
            # A bracket that is no marker, or a rare kind of space.
            self._say(rest[0])
            return rest[1:]
        quoted = bool(end["stop"] and end["quotes"])
        if not whole and quoted and len(rest) < _LOOK_AHEAD and "\n" not in rest:
            return text
        if not whole and not line.item and _LIST_BEGUN.match(rest):
            return text
        if not rest or rest[0] == "\n" or self._is_end(end, rest):
            self._finish(line, end, introduces=not line.item and _LIST.match(rest) is not None)
        else:
            self._continue(end)
        if rest.startswith("\n"):
            self._end_line("\n")
            return rest[1:]
        return rest

    def _is_end(self, end: re.Match[str], rest: str) -> bool:
        if not end["stop"]:
            return False
        mark = end["stop"] + end["quotes"].translate(_EMPHASIS)
        space = " " if end["own_after"] or end["space"] else ""
        after = f"{space}{rest[:_LOOK_AHEAD]}".partition("\n")[0]
        return ends_sentence(f"{self._sentence}{end['closed']}".rstrip(), mark, after)

    def _finish(self, line: _Line, end: re.Match[str], *, introduces: bool) -> None:
        """Send the end of a sentence with its markers."""
        own, inside = self._names(end["own"] + end["own_after"]), self._inside
        text = f"{self._sentence}{end['closed']}{end['stop']}{end['quotes']}"
        too_short = line.item and not _DETAIL.search(text)
        may_mark = not (introduces or line.formula or too_short)
        markers, refuted = self._judge(text, [*own, *inside], may_mark=may_mark)
        self._sentence, self._inside = "", []
        if not markers:
            self._output.append(_without(end[0], refuted))
            return
        before = f"{end['closed']}{_without(end['own'], refuted)}"
        mark = f"{end['stop']}{end['quotes']}"
        after = _without(end["own_after"], refuted)
        closing = f"{end['gap']}{mark}{after}" if mark else f"{after}{end['gap']}"
        self._output.append(f"{before}{_spaced(markers)}{closing}{end['space']}")

    def _continue(self, end: re.Match[str]) -> None:
        """Send what turned out to be inside a sentence."""
        self._inside += self._names(end["own"] + end["own_after"])
        self._output.append(_without(end[0]))
        self._sentence += _SPACED_MARKERS.sub("", end[0])

    def _judge(
        self, text: str, own: Sequence[str], *, may_mark: bool
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Count a whole sentence and return the markers to add to it and those to remove."""
        if not text.strip() or _LABEL.match(text):
            return (), ()
        judged = self.support.judge(text, own, self._numbers)
        unsupported = judged.verdict is Verdict.UNSUPPORTED
        if judged.verdict is not Verdict.FREE:
            self.sentences += 1
            self.supported += judged.verdict is Verdict.SUPPORTED
        if unsupported and self.marks_unsupported:
            self.unsupported += may_mark or judged.invents
            if may_mark:
                return ("?",), ()
        if not unsupported:
            self._numbers |= {each.number for each in quantities_of(text)}
        # Who reads the answer has the earlier turns before them.
        added = [each for each in judged.markers if each not in own and not each.startswith("T")]
        return added, judged.refuted

    def _say(self, text: str) -> None:
        self._output.append(text)
        self._sentence += text

    def _names(self, text: str) -> list[str]:
        """Return the markers in a text that stand for evidence."""
        return [name for name in map(str.upper, _ONE.findall(text)) if self.support.has(name)]


_EMPHASIS = str.maketrans("", "", "*_~")


def _spaced(markers: Sequence[str]) -> str:
    return f" {''.join(f'[{marker}]' for marker in markers)}" if markers else ""


def _without(text: str, refuted: Sequence[str] = ()) -> str:
    """Remove refuted markers, and the mark of unsupported sentences, which a model imitates."""

    def kept(match: re.Match[str]) -> str:
        names = _ONE.findall(match[0])
        left = [name for name in names if name.upper() not in refuted]
        if len(left) == len(names) > 0:
            return match[0]
        return f"{match[0].partition('[')[0]}[{', '.join(left)}]" if left else ""

    return _SPACED_MARKERS.sub(kept, text)
