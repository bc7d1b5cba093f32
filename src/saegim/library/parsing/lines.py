"""Split plain text into blocks: steps, bullets, tables, articles of a regulation."""

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
# The most lines of one step, so that long texts are not rescanned for every number.
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
# Fast path: most lines start like prose and have no tab.
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
    """The numbering of a step; a nested list differs in style or indent."""

    style: str
    number: int


def add_lines(outline: Outline, text: str) -> None:
    """Add the text to the outline, block by block."""
    lines = text.split("\n")
    at, start = 0, 0
    while at < len(lines):
        if _PLAIN.match(lines[at]):
            at += 1
            continue
        run = _run(lines, at)
        text_start = _add_heading(outline, lines, at, start) if run is None else None
        if text_start is not None:
            start = text_start
            at = max(at + 1, text_start)
        elif run is not None:
            _add_paragraph(outline, lines[start:at])
            _add_block(outline, run.kind, lines[at : run.end])
            at = start = run.end
        elif not lines[at].strip():
            _add_paragraph(outline, lines[start:at])
            at = start = at + 1
        else:
            at += 1
    _add_paragraph(outline, lines[start:])


def _add_heading(outline: Outline, lines: Sequence[str], at: int, start: int) -> int | None:
    """Add the heading in a line, if any; return where its text starts."""
    line = lines[at]
    chapter = _CHAPTER.match(line)
    if chapter and not _SENTENCE_END.search(line):
        _add_paragraph(outline, lines[start:at])
        outline.heading(_LEVELS[chapter["unit"]], line)
        return at + 1
    article = _ARTICLE.match(line)
    if article:
        _add_paragraph(outline, lines[start:at])
        outline.heading(_ARTICLE_LEVEL, article["head"])
        return at
    return None


def _add_paragraph(outline: Outline, lines: Sequence[str]) -> None:
    outline.add(BlockKind.PARAGRAPH, "\n".join(lines))


def _add_block(outline: Outline, kind: BlockKind, lines: Sequence[str]) -> None:
    if kind is BlockKind.TABLE and "\t" in lines[0]:
        outline.add(kind, table([line.split("\t") for line in lines]))
    else:
        outline.add(kind, "\n".join(line for line in lines if line.strip()))


def _run(lines: Sequence[str], at: int) -> _Run | None:
    """Return the run of steps, bullets or rows that starts at a line, if any."""
    line = lines[at]
    if (marker := _marker(line)) is not None:
        end = _steps_end(lines, at, marker)
        return _Run(BlockKind.STEPS, end) if end is not None else None
    for kind, matches in ((BlockKind.TABLE, _BARS.match), (BlockKind.LIST, _BULLET.match)):
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
    match = _STEP.match(line)
    if match is None:
        return None
    if match["circled"]:
        return _Marker(match["before"] + "①", ord(match["circled"]) - ord("①") + 1)
    if not match["after"] and not match["before"].strip():
        return None
    return _Marker(match["before"] + "1" + match["after"].strip(), int(match["number"]))


def _steps_end(lines: Sequence[str], at: int, first: _Marker) -> int | None:
    """Return the end of the steps that count up from a line; None if there is only one."""
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
    """Yield lines that may belong to the steps; after a blank line only steps or indents."""
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
    """Whether a line starts an item, so that it never continues another."""
    return _marker(line) is not None or _BULLET.match(line) is not None
