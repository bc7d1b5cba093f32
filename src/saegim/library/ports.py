"""Interfaces of parser and reranker, and the values that ingestion stores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import UUID

from saegim.library.types import ParsedDocument, PassageDraft


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
class NewDocument:
    collection: UUID
    outside_id: str
    type: str
    title: str | None
    version: str
    metadata: Mapping[str, str]
    content_hash: bytes
    brought_by: DocumentSource | None = None


@dataclass(frozen=True, slots=True)
class NewPassage:
    id: UUID
    section: UUID
    ordinal: int
    content_hash: bytes
    draft: PassageDraft


class Reranker(Protocol):
    """Scores passages against a question; slower and better than the retrievers."""

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, in order; higher is better. Raises OptionalServiceDown."""
        ...
