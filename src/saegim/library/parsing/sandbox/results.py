"""Decode the output of the child, which is not trusted."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, TypeAdapter, ValidationError

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import Reason
from saegim.library.types import Block, BlockKind, Locator, ParsedDocument, ParsedSection
from saegim.text.analysis import normalise

type _Position = Annotated[int, Field(ge=1, le=10_000_000)]


class _WireModel(BaseModel, extra="forbid"):
    pass


class _Document(_WireModel):
    line: Literal["document"]
    title: str | None
    outside_id: str | None
    type: str | None
    metadata: dict[str, str]
    modified: AwareDatetime | None = None


class _Section(_WireModel):
    line: Literal["section"]
    path: tuple[str, ...]


class _Block(_WireModel):
    line: Literal["block"]
    kind: BlockKind
    text: str = Field(min_length=1)
    page: _Position | None = None
    slide: _Position | None = None
    sheet: str | None = Field(None, max_length=300)
    row: _Position | None = None

    def block(self) -> Block:
        locator = Locator(self.page, self.slide, normalise(self.sheet or "") or None, self.row)
        return Block(self.kind, self.text, None if locator == Locator() else locator)


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
type _Sections = list[tuple[tuple[str, ...], list[Block]]]


class ParserCrashed(Exception):
    """The child crashed; the text is the location, without any content."""


def documents_of(output: bytes) -> list[ParsedDocument]:
    """Return the documents in the output. Raises Unreadable, ParserCrashed."""
    documents: list[tuple[_Document, _Sections]] = []
    ended = False
    try:
        for item in _wire_lines(output):
            ended = isinstance(item, _End)
            match item:
                case _Document():
                    documents.append((item, []))
                case _Section() if documents:
                    documents[-1][1].append((item.path, []))
                case _Block() if documents and documents[-1][1] and _is_normal(item.text):
                    documents[-1][1][-1][1].append(item.block())
                case _Refusal():
                    raise Unreadable(item.reason)
                case _Crash():
                    raise ParserCrashed(item.where)
                case _ if not ended:
                    raise Unreadable(Reason.CORRUPT)
                case _:
                    continue
    except ValidationError as error:
        raise Unreadable(Reason.CORRUPT) from error
    if not ended or not documents:
        raise Unreadable(Reason.CORRUPT)
    return [_parsed(item, sections) for item, sections in documents]


def _is_normal(text: str) -> bool:
    return normalise(text) == text


def _parsed(item: _Document, sections: _Sections) -> ParsedDocument:
    return ParsedDocument(
        title=normalise(item.title or "") or None,
        sections=tuple(
            ParsedSection(tuple(map(normalise, path)), tuple(blocks)) for path, blocks in sections
        ),
        outside_id=normalise(item.outside_id or "") or None,
        type=normalise(item.type or "") or None,
        metadata={normalise(name): normalise(text) for name, text in item.metadata.items()},
        modified_at=item.modified,
    )


def _wire_lines(output: bytes) -> Iterator[_WireLine]:
    start = 0
    while start < len(output):
        end = output.find(b"\n", start)
        end = len(output) if end < 0 else end
        yield _LINES.validate_json(output[start:end])
        start = end + 1
