"""Headings and blocks in reading order to the sections of a document."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from saegim.domain.errors import Unreadable
from saegim.library.parsing.reasons import Reason
from saegim.library.types import Block, BlockKind, ParsedDocument, ParsedSection
from saegim.text.analysis import normalise

_HEADING_LENGTH = 300
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_LINE_ENDS = re.compile(r"[ \t\u00a0]+(?=\n|$)")
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"(\d{1,4})[.)]\s", re.ASCII)
# How much may stand between two steps of one list, such as a picture's caption or a code block.
_BETWEEN_STEPS = 2


def tidy(text: str) -> str:
    """Text in NFC without trailing spaces, doubled blank lines or blank ends."""
    return _BLANK_LINES.sub("\n\n", _LINE_ENDS.sub("", normalise(text))).strip("\n")


def heading_text(text: str) -> str:
    return _SPACE.sub(" ", normalise(text)).strip()[:_HEADING_LENGTH]


@dataclass(slots=True)
class Outline:
    """Collects a document top to bottom."""

    sections: list[ParsedSection] = field(default_factory=list[ParsedSection])
    first_heading: str | None = None
    _open: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    _blocks: list[Block] = field(default_factory=list[Block])

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What stands under the last heading so far."""
        return tuple(self._blocks)

    def heading(self, level: int, text: str) -> None:
        """Ends the section before it; an empty heading is none."""
        title = heading_text(text)
        if not title:
            return
        # A heading with nothing but a deeper heading under it lives on in that one's path.
        if self._blocks or not self._open or self._open[-1][0] >= level:
            self._close()
        self._open = [(above, name) for above, name in self._open if above < level]
        self._open.append((level, title))
        self.first_heading = self.first_heading or title

    def add(self, kind: BlockKind, text: str) -> None:
        """Puts a block under the last heading; blank text is none."""
        text = tidy(text)
        if text.strip():
            self._blocks.append(Block(kind, text))

    def document(
        self,
        title: str | None = None,
        *,
        outside_id: str | None = None,
        type: str | None = None,  # noqa: A002  the word of ParsedDocument
        metadata: Mapping[str, str] | None = None,
    ) -> ParsedDocument:
        """All that was collected; a document without any text is unreadable."""
        self._close()
        if not any(section.blocks for section in self.sections):
            raise Unreadable(Reason.EMPTY)
        return ParsedDocument(
            title=heading_text(title or "") or None,
            sections=tuple(self.sections),
            outside_id=heading_text(outside_id or "") or None,
            type=heading_text(type or "").lower() or None,
            metadata={
                heading_text(name): heading_text(value)
                for name, value in (metadata or {}).items()
                if value.strip()
            },
        )

    def _close(self) -> None:
        path = tuple(name for _, name in self._open)
        if self._blocks or path:
            self.sections.append(ParsedSection(path, tuple(_whole_lists(self._blocks))))
        self._blocks = []


def _whole_lists(blocks: list[Block]) -> Iterator[Block]:
    """Ordered lists that a picture or a code block interrupts become one block again."""
    at = 0
    while at < len(blocks):
        end = at + 1
        if blocks[at].kind is BlockKind.STEPS:
            while (following := _continuation(blocks, end)) is not None:
                end = following
        if end == at + 1:
            yield blocks[at]
        else:
            yield Block(BlockKind.STEPS, "\n\n".join(block.text for block in blocks[at:end]))
        at = end


def _continuation(blocks: list[Block], end: int) -> int | None:
    """Where the list of the block before `end` goes on to, with its next number, if it does."""
    last = _numbers(blocks[end - 1])
    for at in range(end, min(end + _BETWEEN_STEPS + 1, len(blocks))):
        if blocks[at].kind is BlockKind.STEPS:
            first = _numbers(blocks[at])
            return at + 1 if last and first and first[0] == last[-1] + 1 else None
    return None


def _numbers(block: Block) -> list[int]:
    """The numbers of a list's own steps, which stand at the line starts."""
    return [
        int(found[1])
        for line in block.text.split("\n")
        if (found := _NUMBER.match(line)) is not None
    ]
