"""Splits a parsed document into passages, the units that are searched.

A passage has 200 to 400 tokens of one section. Steps, tables and code stay whole, with the line
that introduces them, up to 800 tokens; larger ones are cut between steps, rows or lines, and a
table's header is repeated. A rest under 100 tokens joins its neighbour. The text is not changed;
headings belong to the section, not to the text.

Cuts depend only on nearby words, so that an edit changes only nearby passages: a border is a cut if
its key, a hash of what follows, is the lowest of all borders within 200 tokens. Sections do not
depend on each other, so short ones are not joined either.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import accumulate, islice, pairwise, takewhile

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import MAX_PASSAGES, Reason
from saegim.library.product_names import names_in
from saegim.library.types import (
    Block,
    BlockKind,
    Locator,
    ParsedDocument,
    ParsedSection,
    PassageDraft,
    Tags,
)
from saegim.text import tokens
from saegim.text.analysis import language, sentences

NAMES = 12

_NUMBERED_LINE = re.compile(r"^[ \t]*(?:(\d{1,3})[.)]\s|\((\d{1,3})\)\s)", re.MULTILINE)
_STAGE = re.compile(
    r"(?:(?<!\d)(\d{1,2})\s?단계(?!\s?(?:인증|로그인|검증|암호))|\bstep\s+(\d{1,2})\b)",
    re.IGNORECASE,
)
_STAGE_LINE = re.compile(
    r"^[ \t\W]*(?:\d{1,2}\s?단계|step\s+\d{1,2})\s*[:.)\-–]", re.IGNORECASE | re.MULTILINE
)
_CIRCLED = re.compile(r"①[^②]{1,1000}②")
_SEQUENCE = re.compile(
    r"(?:먼저|우선|첫째|처음에)[\s,].{1,600}?(?:그\s?다음|그런\s?다음|그\s?후|다음으로|이어서|둘째|마지막으로)"
    r"|\bfirst(?:ly)?\b[^.]{0,200}[.,;].{1,600}?\b(?:then|next|second(?:ly)?|after that|finally)\b",
    re.IGNORECASE | re.DOTALL,
)
_CONDITIONS = (
    *("if", "when", "unless", "whenever", "provided that", "in case", "as long as", "depending on"),
    "otherwise",
)
_CONDITION = re.compile(
    r"경우|(?<!무)조건|려면(?=[\s,])|(?:[않없있으하되켜끄넘다]|누르|나타나|나오|벗어나|보이|(?<=[가-힣])라)면(?=[\s,])|때에만|때에는"
    r"|(?:^|[\s.(])(?:단|다만|만약|만일),?\s|에 한하여|에 한해|이상이면|미만이면"
    rf"|\b(?:{'|'.join(_CONDITIONS)})\b",
    re.IGNORECASE | re.MULTILINE,
)
_TABLE = re.compile(r"^\|.+\|\n\|(?:\s*:?-{3,}:?\s*\|)+", re.MULTILINE)
_LETTERS = re.compile(r"[^\W\d_]")
_ENOUGH_LETTERS = 20


def tag(text: str, kinds: Collection[BlockKind], title: str | None, path: tuple[str, ...]) -> Tags:
    """Tag a passage by its text, the kinds of its blocks, and its headings."""
    above = " \n".join((title or "", *path))
    return Tags(
        has_steps=BlockKind.STEPS in kinds or _has_steps(text),
        has_conditions=_CONDITION.search(text) is not None,
        has_table=BlockKind.TABLE in kinds or _TABLE.search(text) is not None,
        language=language(text if _has_letters(text) else f"{text} {above}"),
        names=tuple(_names(text, title, path)),
    )


def _has_steps(text: str) -> bool:
    if _STAGE_LINE.search(text) or _CIRCLED.search(text) or _SEQUENCE.search(text):
        return True
    stages = {int(match[1] or match[2]) for match in _STAGE.finditer(text)}
    numbers = [int(match[1] or match[2]) for match in _NUMBERED_LINE.finditer(text)]
    counted = any(after == before + 1 for before, after in pairwise(numbers))
    return len(stages) > 1 or counted


def _has_letters(text: str) -> bool:
    return len(list(islice(_LETTERS.finditer(text), _ENOUGH_LETTERS))) == _ENOUGH_LETTERS


def _names(text: str, title: str | None, path: tuple[str, ...]) -> Iterator[str]:
    """Yield distinct names, those of the headings first: the subject is often named only there."""
    seen: set[str] = set()
    for name in names_in(title or "", *path, text=text):
        folded = name.casefold()
        if folded not in seen and len(seen) < NAMES:
            seen.add(folded)
            yield name


SMALLEST = 200
LARGEST = 400
HARD = 800
CRUMB = 100

_WHOLE = {BlockKind.STEPS, BlockKind.TABLE, BlockKind.CODE}
_INTRODUCED = _WHOLE | {BlockKind.LIST}
_INTRODUCTION = 40
_LONG_INTRODUCTION = 100
_REPEATED = 100
_ITEM = re.compile(
    r"^(?=(?:[\w.]{1,8}[.):]|[-*•·‣○●◦▪□■◆▶※])\s|[①-⑳]|\d{1,3}\s?단계|step\s\d|제\d+조)",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(r"(?<=\n)(?=.)", re.DOTALL)
_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+\n?")
_LAST_WORD = re.compile(r"\s\S*$")
# The cost of a cut before a unit, lowest first.
_BETWEEN_BLOCKS, _BETWEEN_LINES, _BETWEEN_SENTENCES, _AFTER_INTRODUCTION = range(4)


@dataclass(frozen=True, slots=True)
class _Unit:
    """The smallest part, which is never cut."""

    text: str
    kinds: frozenset[BlockKind]
    tokens: int
    cost: int = _BETWEEN_BLOCKS
    opens_block: bool = True
    lead_tokens: int = 0
    lead: str = ""
    """Repeated if a passage begins here: a table's header, a fence."""
    close: str = ""
    """Added if a passage ends here: a fence."""
    locator: Locator | None = None
    breaks: tuple[tuple[int, int], ...] = ()
    """Of what was joined to it: offset and page or row."""

    @property
    def key(self) -> tuple[int, bytes]:
        return self.cost, blake2b(self.text.encode(), digest_size=8).digest()


def split(document: ParsedDocument) -> list[PassageDraft]:
    """Split a document into passages in order; each character is in exactly one. Raises Unreadable
    above `MAX_PASSAGES`."""
    groups = [
        (number, group)
        for number, section in enumerate(document.sections)
        for group in _groups(_units(section))
    ]
    if len(groups) > MAX_PASSAGES:
        raise Unreadable(Reason.TOO_LONG)
    return [_draft(document, number, group) for number, group in groups]


def _draft(document: ParsedDocument, number: int, units: Sequence[_Unit]) -> PassageDraft:
    text = units[0].lead + units[0].text
    starts = [0]
    for unit in units[1:]:
        text = f"{text.rstrip()}\n\n{unit.text}" if unit.opens_block else text + unit.text
        starts.append(len(text) - len(unit.text))
    indent = len(text) - len(text.lstrip())
    text = text.strip("\n") + units[-1].close
    kinds = frozenset[BlockKind]().union(*(unit.kinds for unit in units))
    path = document.sections[number].path
    return PassageDraft(
        section=number,
        text=text.strip(),
        tokens=tokens.count(text.strip()),
        tags=tag(text, kinds, document.title, path),
        locator=_locator(units, [max(0, start - indent) for start in starts]),
    )


def _locator(units: Sequence[_Unit], starts: Sequence[int]) -> Locator | None:
    """Return the place of the first unit that has one, with the pages and tables after it."""
    first: Locator | None = None
    breaks: list[tuple[int, int]] = []
    number: int | None = None
    for unit, start in zip(units, starts, strict=True):
        if unit.locator is None or unit.locator.number is None:
            continue
        if first is None:
            first = unit.locator
        # Rows of one table follow each other.
        elif unit.opens_block if first.row is not None else unit.locator.number != number:
            breaks.append((start, unit.locator.number))
        number = unit.locator.number
        for offset, inner in unit.breaks:
            breaks.append((start + offset, inner))
            number = inner
    return first and replace(first, breaks=tuple(breaks))


@dataclass(frozen=True, slots=True)
class _SectionMeasures:
    """Start, key and lead tokens of each unit of a section."""

    starts: list[int]
    keys: list[tuple[int, bytes]]
    leads: list[int]

    def size(self, begin: int, end: int) -> int:
        """Return the tokens of a passage of these units."""
        return self.starts[end] - self.starts[begin] + self.leads[begin]

    def distance(self, first: int, second: int) -> int:
        return abs(self.starts[first] - self.starts[second])


def _groups(units: Sequence[_Unit]) -> Iterator[Sequence[_Unit]]:
    """Group the units of a section into passages."""
    starts = list(accumulate((unit.tokens for unit in units), initial=0))
    if starts[-1] <= LARGEST:
        yield from [units] if units else []
        return
    leads = [unit.lead_tokens for unit in units]
    measured = _SectionMeasures(starts, [unit.key for unit in units], leads)
    anchors = [at for at in range(1, len(units)) if _is_anchor(measured, at)]
    spans: list[tuple[int, int]] = []
    for first, end in pairwise([0, *anchors, len(units)]):
        begin = first
        while begin < end:
            cut = _cut(measured, begin, end)
            if spans and _should_join(measured, spans[-1], (begin, cut)):
                spans[-1] = (spans[-1][0], cut)
            else:
                spans.append((begin, cut))
            begin = cut
    for begin, end in spans:
        yield units[begin:end]


def _should_join(
    measured: _SectionMeasures, span: tuple[int, int], following: tuple[int, int]
) -> bool:
    """Return whether one of two neighbours is too small and both together fit."""
    sizes = measured.size(*span), measured.size(*following)
    most = HARD if max(sizes) > LARGEST else LARGEST + CRUMB
    return min(sizes) < CRUMB and sum(sizes) <= most


def _is_anchor(measured: _SectionMeasures, at: int) -> bool:
    """Return whether every other border within `SMALLEST` tokens has a higher key."""
    last = len(measured.keys)
    if min(measured.distance(0, at), measured.distance(at, last)) < SMALLEST:
        return False
    for others in (range(at - 1, 0, -1), range(at + 1, last)):
        for other in others:
            if measured.distance(at, other) >= SMALLEST:
                break
            if measured.keys[other] <= measured.keys[at]:
                return False
    return True


def _cut(measured: _SectionMeasures, begin: int, end: int) -> int:
    """Return the end of the passage that begins here, between two anchors."""
    if measured.size(begin, end) <= LARGEST:
        return end
    fitting = list(takewhile(lambda at: measured.size(begin, at) <= LARGEST, range(begin + 1, end)))
    large = [at for at in fitting if measured.size(begin, at) >= SMALLEST]
    balanced = [at for at in large if measured.distance(at, end) >= SMALLEST]
    if large:
        return min(balanced or large, key=lambda at: measured.keys[at])
    return fitting[-1] if fitting else begin + 1


def _units(section: ParsedSection) -> list[_Unit]:
    """Return the section's blocks, whole or in parts; an introduction joins its block."""
    units: list[_Unit] = []
    for block in section.blocks:
        parts = list(_parts(block))
        before = units[-1] if units else None
        if before is not None and _introduces(before, block):
            joined = _joined(before, parts[0])
            if len(parts) == 1 and joined.tokens <= HARD:
                units[-1] = joined
                continue
            parts[0] = replace(parts[0], cost=_AFTER_INTRODUCTION)
        units.extend(parts)
    return units


def _introduces(before: _Unit, block: Block) -> bool:
    if block.kind not in _INTRODUCED or before.kinds != frozenset({BlockKind.PARAGRAPH}):
        return False
    most = _LONG_INTRODUCTION if before.text.rstrip().endswith((":", "：")) else _INTRODUCTION
    return before.tokens <= most


def _joined(before: _Unit, unit: _Unit) -> _Unit:
    lead = f"{before.text.rstrip()}\n\n"
    number = None if unit.locator is None else unit.locator.number
    return replace(
        before,
        text=lead + unit.text,
        breaks=before.breaks if number is None else (*before.breaks, (len(lead), number)),
        kinds=before.kinds | unit.kinds,
        tokens=before.tokens + unit.tokens,
        close=unit.close,
    )


def _parts(block: Block) -> Iterator[_Unit]:
    """Yield the block as one unit if it fits, else in parts."""
    size = tokens.count(block.text) + 1
    if size <= (HARD if block.kind in _WHOLE else LARGEST):
        yield _Unit(block.text, frozenset({block.kind}), size, locator=block.locator)
        return
    divided = _DIVISIONS[block.kind](block.text)
    parts = [small for part in divided.parts for small in _small(part, block.kind)]
    lead_tokens = tokens.count(divided.lead)
    repeated = lead_tokens <= _REPEATED
    for number, text in enumerate(parts):
        inside = number > 0
        new_line = inside and parts[number - 1].endswith("\n")
        yield _Unit(
            text,
            frozenset({block.kind}),
            tokens.count(text),
            cost=_BETWEEN_LINES if new_line else _BETWEEN_SENTENCES if inside else _BETWEEN_BLOCKS,
            opens_block=not inside,
            lead=divided.lead if inside and repeated else "",
            lead_tokens=lead_tokens if inside and repeated else 0,
            close=divided.close if number < len(parts) - 1 else "",
            locator=block.locator and block.locator.below(number),
        )


@dataclass(frozen=True, slots=True)
class _SplitBlock:
    """The parts of a block's text, and what is repeated before and after inner parts."""

    parts: list[str]
    lead: str = ""
    close: str = ""


def _rows(text: str) -> _SplitBlock:
    """Split a table into rows; the header stays with the first row."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 3 or not _RULE.fullmatch(lines[1]):
        return _SplitBlock(lines)
    header = lines[0] + lines[1]
    return _SplitBlock([header + lines[2], *lines[3:]], lead=header)


def _items(text: str) -> _SplitBlock:
    parts = [part for part in _ITEM.split(text) if part]
    return _SplitBlock(parts if len(parts) > 1 else _LINE.split(text))


def _code_lines(text: str) -> _SplitBlock:
    """Split code into lines; the fences stay with the first and the last line."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 4 or not lines[0].startswith("```") or not lines[-1].startswith("```"):
        return _SplitBlock(lines)
    inner = [lines[0] + lines[1], *lines[2:-2], lines[-2] + lines[-1]]
    return _SplitBlock(inner, lead=lines[0], close=f"\n{lines[-1].strip()}")


def _prose(text: str) -> _SplitBlock:
    """Split text into sentences with the space after each."""
    starts: list[int] = []
    at = 0
    for sentence in sentences(text):
        at = text.index(sentence, at)
        starts.append(at)
        at += len(sentence)
    starts[:1] = [0]
    return _SplitBlock([text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)])


_DIVISIONS: dict[BlockKind, Callable[[str], _SplitBlock]] = {
    BlockKind.TABLE: _rows,
    BlockKind.STEPS: _items,
    BlockKind.LIST: _items,
    BlockKind.CODE: _code_lines,
    BlockKind.PARAGRAPH: _prose,
}


def _small(text: str, kind: BlockKind) -> Iterator[str]:
    """Yield a part if it fits, else its sentences, else its words."""
    if tokens.count(text) <= (HARD if kind in _WHOLE else LARGEST):
        yield text
        return
    for sentence in _prose(text).parts:
        if tokens.count(sentence) <= LARGEST:
            yield sentence
        else:
            yield from _words(sentence)


def _words(text: str) -> Iterator[str]:
    """Yield stretches of as many words as fit; a longer word is cut between characters."""
    at = 0
    while at < len(text):
        # A token rarely has more than eight characters; this avoids counting the whole rest.
        stretch = tokens.cut(text[at : at + 8 * LARGEST], LARGEST)
        if (
            at + len(stretch) < len(text)
            and (end := _LAST_WORD.search(stretch))
            and end.start() > 0
        ):
            stretch = stretch[: end.start() + 1]
        yield stretch
        at += len(stretch)
