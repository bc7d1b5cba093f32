"""What the library needs from outside: parsers, a search index, a record of documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import UUID

from saegim.library.types import (
    ParsedDocument,
    Tags,
)


class Parser(Protocol):
    """Turns a file into text with structure."""

    async def parse(self, file: Path, name: str) -> list[ParsedDocument]:
        """The documents in a file, whose `name` tells its kind. Raises Unreadable."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """The source that a document comes from, under which key, and with which file."""

    source: UUID
    key: str
    file: UUID


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document that is about to be stored or brought up to date."""

    collection: UUID
    outside_id: str
    type: str
    title: str | None
    version: str
    metadata: Mapping[str, str]
    content_hash: bytes
    brought_by: DocumentSource | None = None


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What is stored of a document; `content_hash` is None until all of it is."""

    id: UUID
    content_hash: bytes | None


@dataclass(frozen=True, slots=True)
class NewPassage:
    """A passage with its vector, ready to be stored."""

    id: UUID
    section: UUID
    ordinal: int
    text: str
    content_hash: bytes
    tokens: int
    tags: Tags
    embedding: Sequence[float]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A document's final shape: which passages stand where, and which are gone."""

    kept: Mapping[UUID, tuple[UUID, int]]
    removed: frozenset[UUID]
    content_hash: bytes


class Reranker(Protocol):
    """Reads question and passages together, which is slower and better than either arm."""

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, higher is better, in order. Raises Degraded."""
        ...
