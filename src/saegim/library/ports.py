"""Interfaces of parser and reranker, and the values that ingestion stores."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID

from saegim.library.duplicates import NO_TEXT, TextFingerprint
from saegim.library.types import Locator, ParsedDocument, PassageDraft


class Parser(Protocol):
    """Parses a file into structured text."""

    async def parse(self, file: Path, name: str) -> list[ParsedDocument]:
        """Return the documents of a file; `name` decides its format. Raises Unreadable."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentSource:
    source: UUID
    key: str
    file: UUID


@dataclass(frozen=True, slots=True)
class FileFingerprint:
    """What a document was made of: the hash of its file, and the number of documents in it."""

    digest: bytes
    documents: int


@dataclass(frozen=True, slots=True)
class NewDocument:
    collection: UUID
    outside_id: str
    type: str
    title: str | None
    version: str
    metadata: Mapping[str, str]
    content_hash: bytes
    from_file: FileFingerprint
    brought_by: DocumentSource | None = None
    text: TextFingerprint = NO_TEXT
    modified_at: datetime | None = None
    added_by: UUID | None = None


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document before its new passages are stored: whether it is unchanged, the ids of its
    sections in order, and the hashes of its passages."""

    id: UUID
    unchanged: bool
    sections: Sequence[UUID] = ()
    passages: Mapping[UUID, bytes] = field(default_factory=dict[UUID, bytes])


@dataclass(frozen=True, slots=True)
class CompleteDocument:
    """A document whose new passages are stored: section, position and locator of each kept
    passage, and the passages that it no longer has."""

    id: UUID
    new: NewDocument
    kept: Mapping[UUID, tuple[UUID, int, Locator | None]]
    removed: Collection[UUID]


@dataclass(frozen=True, slots=True)
class NewPassage:
    id: UUID
    document: UUID
    section: UUID
    ordinal: int
    content_hash: bytes
    draft: PassageDraft


class Reranker(Protocol):
    """Scores passages against a question; slower and better than the retrievers."""

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, in order; higher is better. Raises OptionalServiceDown."""
        ...
