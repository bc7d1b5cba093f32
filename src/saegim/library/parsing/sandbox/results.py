"""Decode the output of the child, which is not trusted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from saegim.domain.errors import Unreadable
from saegim.library.parsing.reasons import Reason
from saegim.library.types import Block, BlockKind, ParsedDocument, ParsedSection
from saegim.text.analysis import normalise


class _WireModel(BaseModel, extra="forbid"):
    pass


class _Document(_WireModel):
    line: Literal["document"]
    title: str | None
    outside_id: str | None
    type: str | None
    metadata: dict[str, str]


class _Section(_WireModel):
    line: Literal["section"]
    path: tuple[str, ...]


class _Block(_WireModel):
    line: Literal["block"]
    kind: BlockKind
    text: str = Field(min_length=1)


class _Refusal(_WireModel):
    line: Literal["refusal"]
    reason: Reason


class _Crash(_WireModel):
    line: Literal["crash"]
    where: str = Field(max_length=300)


class _End(_WireModel):
    line: Literal["end"]


type _WireLine = Annotated[
    _Document | _Section | _Block | _Refusal | _Crash | _End, Field(discriminator="line")
]
_LINES: TypeAdapter[_WireLine] = TypeAdapter(_WireLine)


class ParserCrashed(Exception):
    """The child crashed; the text is the location, without any content."""


@dataclass(slots=True)
class _Documents:
    done: list[ParsedDocument] = field(default_factory=list[ParsedDocument])
    _document: _Document | None = None
    _sections: list[ParsedSection] = field(default_factory=list[ParsedSection])
    _path: tuple[str, ...] | None = None
    _blocks: list[Block] = field(default_factory=list[Block])

    def take(self, item: _Document | _Section | _Block) -> None:
        match item:
            case _Document():
                self.end()
                self._document = item
            case _Section():
                self._end_section()
                self._path = item.path
            case _Block():
                if self._path is None or normalise(item.text) != item.text:
                    raise Unreadable(Reason.CORRUPT)
                self._blocks.append(Block(item.kind, item.text))

    def _end_section(self) -> None:
        if self._document is None:
            raise Unreadable(Reason.CORRUPT)
        if self._path is not None:
            path = tuple(map(normalise, self._path))
            self._sections.append(ParsedSection(path, tuple(self._blocks)))
        self._path, self._blocks = None, []

    def end(self) -> None:
        if self._document is None:
            return
        self._end_section()
        item = self._document
        self.done.append(
            ParsedDocument(
                title=normalise(item.title) if item.title else None,
                sections=tuple(self._sections),
                outside_id=normalise(item.outside_id) if item.outside_id else None,
                type=normalise(item.type) if item.type else None,
                metadata={normalise(name): normalise(text) for name, text in item.metadata.items()},
            )
        )
        self._document, self._sections = None, []


def documents_of(output: bytes) -> list[ParsedDocument]:
    """Return the documents in the output. Raises Unreadable, ParserCrashed."""
    documents = _Documents()
    ended = False
    try:
        for item in _wire_lines(output):
            match item:
                case _Refusal(reason=reason):
                    raise Unreadable(reason)
                case _Crash(where=where):
                    raise ParserCrashed(where)
                case _End():
                    documents.end()
                    ended = True
                case _:
                    documents.take(item)
    except ValidationError as error:
        raise Unreadable(Reason.CORRUPT) from error
    if not ended or not documents.done:
        raise Unreadable(Reason.CORRUPT)
    return documents.done


def _wire_lines(output: bytes) -> Iterator[_WireLine]:
    start = 0
    while start < len(output):
        end = output.find(b"\n", start)
        end = len(output) if end < 0 else end
        yield _LINES.validate_json(output[start:end])
        start = end + 1
