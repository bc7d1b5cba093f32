"""Build the sections of a document from headings and blocks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import Reason
from saegim.library.types import Block, BlockKind, Locator, ParsedDocument, ParsedSection
from saegim.text.analysis import normalise

_HEADING_LENGTH = 300
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_LINE_ENDS = re.compile(r"[ \t\u00a0]+(?=\n|$)")
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"(\d{1,4})[.)]\s", re.ASCII)
# Blocks allowed between two steps of one list, such as a caption or code.
_BETWEEN_STEPS = 2


def tidy(text: str) -> str:
    """Normalise to NFC without trailing spaces, doubled blank lines or blank ends."""
    return _BLANK_LINES.sub("\n\n", _LINE_ENDS.sub("", normalise(text))).strip("\n")


def heading_text(text: str) -> str:
    return _SPACE.sub(" ", normalise(text)).strip()[:_HEADING_LENGTH]


@dataclass(slots=True)
class Outline:
    sections: list[ParsedSection] = field(default_factory=list[ParsedSection])
    first_heading: str | None = None
    locator: Locator | None = None
    """Of the blocks that are added next."""
    _open: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    _blocks: list[Block] = field(default_factory=list[Block])

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(self._blocks)

    def heading(self, level: int, text: str) -> None:
        """Start a section; an empty heading is ignored."""
        title = heading_text(text)
        if not title:
            return
        # A heading followed by a deeper one lives on in that one's path.
        if self._blocks or not self._open or self._open[-1][0] >= level:
            self._close()
        self._open = [(above, name) for above, name in self._open if above < level]
        self._open.append((level, title))
        self.first_heading = self.first_heading or title

    def add(self, kind: BlockKind, text: str) -> None:
        """Add a block under the current heading; blank text is ignored."""
        text = tidy(text)
        if text.strip():
            self._blocks.append(Block(kind, text, self.locator))

    def document(
        self,
        title: str | None = None,
        *,
        outside_id: str | None = None,
        type: str | None = None,  # noqa: A002  the word of ParsedDocument
        metadata: Mapping[str, str] | None = None,
        modified_at: datetime | None = None,
    ) -> ParsedDocument:
        """Return the document. Raises Unreadable without any text."""
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
            modified_at=modified_at,
        )

    def _close(self) -> None:
        path = tuple(name for _, name in self._open)
        if self._blocks or path:
            self.sections.append(ParsedSection(path, tuple(_join_lists(self._blocks))))
        self._blocks = []


def _join_lists(blocks: list[Block]) -> Iterator[Block]:
    """Join ordered lists that a picture or a code block interrupts."""
    at = 0
    while at < len(blocks):
        end = at + 1
        if blocks[at].kind is BlockKind.STEPS:
            while (following := _continuation(blocks, end)) is not None:
                end = following
        if end == at + 1:
            yield blocks[at]
        else:
            text = "\n\n".join(block.text for block in blocks[at:end])
            yield Block(BlockKind.STEPS, text, blocks[at].locator)
        at = end


def _continuation(blocks: list[Block], end: int) -> int | None:
    """Return the end of the block that continues the list before `end`, if any."""
    last = _numbers(blocks[end - 1])
    for at in range(end, min(end + _BETWEEN_STEPS + 1, len(blocks))):
        if blocks[at].kind is BlockKind.STEPS:
            first = _numbers(blocks[at])
            return at + 1 if last and first and first[0] == last[-1] + 1 else None
    return None


def _numbers(block: Block) -> list[int]:
    """Return the numbers of a list's own steps."""
    matches = (_NUMBER.match(line) for line in block.text.split("\n"))
    return [int(match[1]) for match in matches if match is not None]
