"""Plain lines to blocks: numbered runs, bullets, tables of tabs or bars, articles of a rule."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import table
from saegim.library.types import BlockKind

_STEP = re.compile(
    r"(?P<before>[ \t]*(?:(?i:step)\s|\()?)"
    r"(?:(?P<circled>[①-⑳])|(?P<number>\d{1,3})(?P<after>[.)](?=\s|[^\W\d])|\s?단계(?=[\s.:)])|(?=[:\s])))"
)
# How far a step's own text may reach, so that a long text is not read again for every number.
_STEP_LINES = 60
_TAIL_LINES = 2
_BULLET = re.compile(r"[ \t]*[-*•·‣∙○●◦▪▫□■◆◇▶▷☐☑✓✔※–]\s*\S")
_BARS = re.compile(r"\s*\|.*\|\s*$")
_CHAPTER = re.compile(
    r"\s*(?:제\s?\d{1,4}\s?(?P<unit>[편장절관])(?:의\s?\d+)?)(?:\s+\S.{0,60})?\s*$"
)
_ARTICLE = re.compile(
    r"\s*(?P<head>제\s?\d{1,4}\s?조(?:의\s?\d{1,3})?\s?(?:\([^)\n]{1,60}\)|【[^】\n]{1,60}】))"
)
# Most lines begin like prose and hold no tab: one look is enough for them.
_PLAIN = re.compile(r"[ ]*[^\s\d(①-⑳Ss|제\-*•·‣∙○●◦▪▫□■◆◇▶▷☐☑✓✔※–][^\t]*$")
_LEVELS = {"편": 1, "장": 2, "절": 3, "관": 4}
_ARTICLE_LEVEL = 5
_SENTENCE_END = re.compile(r"[.!?。]\s*$")


@dataclass(frozen=True, slots=True)
class _Run:
    kind: BlockKind
    end: int


@dataclass(frozen=True, slots=True)
class _Marker:
    """How a step is numbered; a list within a step is numbered or indented otherwise."""

    style: str
    number: int


def add_lines(outline: Outline, text: str) -> None:
    """Puts the text under the outline's last heading, block by block."""
    lines = text.split("\n")
    at, start = 0, 0
    while at < len(lines):
        if _PLAIN.match(lines[at]):
            at += 1
            continue
        run = _run(lines, at)
        heads = _heads(outline, lines, at, start) if run is None else None
        if heads is not None:
            start = heads
            at = max(at + 1, heads)
        elif run is not None:
            _paragraph(outline, lines[start:at])
            _block(outline, run.kind, lines[at : run.end])
            at = start = run.end
        elif not lines[at].strip():
            _paragraph(outline, lines[start:at])
            at = start = at + 1
        else:
            at += 1
    _paragraph(outline, lines[start:])


def _heads(outline: Outline, lines: Sequence[str], at: int, start: int) -> int | None:
    """Opens the section that the line begins; where its text starts, or None."""
    line = lines[at]
    chapter = _CHAPTER.match(line)
    if chapter and not _SENTENCE_END.search(line):
        _paragraph(outline, lines[start:at])
        outline.heading(_LEVELS[chapter["unit"]], line)
        return at + 1
    article = _ARTICLE.match(line)
    if article:
        _paragraph(outline, lines[start:at])
        outline.heading(_ARTICLE_LEVEL, article["head"])
        return at
    return None


def _paragraph(outline: Outline, lines: Sequence[str]) -> None:
    outline.add(BlockKind.PARAGRAPH, "\n".join(lines))


def _block(outline: Outline, kind: BlockKind, lines: Sequence[str]) -> None:
    if kind is BlockKind.TABLE and "\t" in lines[0]:
        outline.add(kind, table([line.split("\t") for line in lines]))
    else:
        outline.add(kind, "\n".join(line for line in lines if line.strip()))


def _run(lines: Sequence[str], at: int) -> _Run | None:
    """The run of steps, bullets or rows that begins at a line, if one does."""
    line = lines[at]
    if (marker := _marker(line)) is not None:
        end = _steps_end(lines, at, marker)
        return _Run(BlockKind.STEPS, end) if end is not None else None
    for kind, matches in (
        (BlockKind.TABLE, _BARS.match),
        (BlockKind.LIST, _BULLET.match),
    ):
        if matches(line):
            end = at + 1
            while end < len(lines) and matches(lines[end]):
                end += 1
            return _Run(kind, end) if end - at > 1 else None
    return _tabbed(lines, at)


def _tabbed(lines: Sequence[str], at: int) -> _Run | None:
    tabs = lines[at].strip().count("\t")
    end = at
    while tabs and end < len(lines) and lines[end].strip().count("\t") == tabs:
        end += 1
    return _Run(BlockKind.TABLE, end) if end - at > 1 else None


def _marker(line: str) -> _Marker | None:
    found = _STEP.match(line)
    if found is None:
        return None
    if found["circled"]:
        return _Marker(found["before"] + "①", ord(found["circled"]) - ord("①") + 1)
    if not found["after"] and not found["before"].strip():
        return None
    return _Marker(found["before"] + "1" + found["after"].strip(), int(found["number"]))


def _steps_end(lines: Sequence[str], at: int, first: _Marker) -> int | None:
    """The end of the steps that count up from a line, with what belongs to each; None for one."""
    last, number, tail = at, first.number, _TAIL_LINES
    end = at + 1
    for index, line in _within(lines, at + 1):
        marker = _marker(line)
        if marker is not None and marker.style == first.style:
            if marker.number != number + 1:
                break
            tail = max(tail, index - last - 1)
            last, number, end = index, marker.number, index + 1
        elif index - last > _STEP_LINES:
            break
        elif index - last <= tail:
            end = index + 1
    return end if number > first.number else None


def _within(lines: Sequence[str], start: int) -> Iterator[tuple[int, str]]:
    """Lines that may belong to the steps before: after a blank line only a step or an indent."""
    blank = False
    for index in range(start, len(lines)):
        line = lines[index]
        if not line.strip():
            blank = True
            continue
        if blank and _marker(line) is None and not line.startswith((" ", "\t")):
            return
        if _CHAPTER.match(line) or _ARTICLE.match(line):
            return
        blank = False
        yield index, line


def begins_item(line: str) -> bool:
    """Whether a line is numbered or marked as an item, so that it never continues another."""
    return _marker(line) is not None or _BULLET.match(line) is not None
