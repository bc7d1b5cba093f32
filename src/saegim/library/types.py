"""The library's words: what was ingested, its parts, and the unit that is searched."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.domain.scope import Locale
from saegim.library.ranking import DEFAULT_WEIGHTS, RankingWeights


def in_context(text: str, path: tuple[str, ...], title: str | None) -> str:
    """A passage as it is embedded: under its headings, which often name what it is about."""
    headings = [heading for heading in (title, *path) if heading]
    return "\n".join([" > ".join(dict.fromkeys(headings)), text]) if headings else text


_SEPARATORS = re.compile(r"[\s_-]+")


class BlockKind(StrEnum):
    """What a piece of a parsed document is; steps and tables are never cut in the middle."""

    PARAGRAPH = "paragraph"
    STEPS = "steps"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a document as its parser found it."""

    kind: BlockKind
    text: str


@dataclass(frozen=True, slots=True)
class ParsedSection:
    """What stands under one heading; `path` is that heading with those above it."""

    path: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A file's text, NFC throughout. One file may hold several documents (an FAQ list)."""

    title: str | None
    sections: tuple[ParsedSection, ...]
    outside_id: str | None = None
    type: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Tags:
    """What is known of a passage without reading it (LB2)."""

    has_steps: bool
    has_conditions: bool
    has_table: bool
    language: Locale
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassageDraft:
    """A passage before it is stored; `section` counts the document's sections from 0."""

    section: int
    text: str
    tokens: int
    tags: Tags


def lookup_key(outside_id: str) -> str:
    """How a document's id is compared: any case, and spaces, dashes and underscores alike (TN2)."""
    return _SEPARATORS.sub("-", unicodedata.normalize("NFC", outside_id).casefold()).strip("-")


@dataclass(frozen=True, slots=True)
class Document:
    """What was ingested."""

    id: UUID
    tenant: UUID
    collection: UUID
    outside_id: str
    type: str
    title: str | None
    version: str
    metadata: Mapping[str, str]
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document as a list shows it: with its collection's name and how many passages it has."""

    document: Document
    collection: str
    passages: int


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Which documents a list shows: those whose title or id has these words, before this one."""

    words: str = ""
    before: UUID | None = None
    count: int = 50


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document, by its heading."""

    id: UUID
    document: UUID
    ordinal: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit that is searched, with where it stands."""

    id: UUID
    document: UUID
    section: UUID
    ordinal: int
    text: str
    tokens: int
    tags: Tags


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Which passages may be found. Empty collections find nothing: default deny."""

    collections: frozenset[UUID]
    types: frozenset[str] = frozenset()
    without_types: frozenset[str] = frozenset()
    documents: frozenset[UUID] = frozenset()
    has_steps: bool | None = None
    has_conditions: bool | None = None
    has_table: bool | None = None
    language: Locale | None = None


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """How many passages a search gives: FAQ entries, and all other types (LB3)."""

    faq: int = 3
    other: int = 7

    @property
    def total(self) -> int:
        return self.faq + self.other


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How a tenant's passages are ranked and how many are given; the defaults until it is set."""

    weights: RankingWeights = DEFAULT_WEIGHTS
    counts: ResultCounts = ResultCounts()


@dataclass(frozen=True, slots=True)
class PassageSignals:
    """Why a passage was found: each arm's own score, and the fused one; None is not found by it.

    Where a reranker is configured, its score decides the order."""

    lexical: float | None
    dense: float | None
    score: float
    reranked: float | None = None

    @property
    def order(self) -> float:
        return self.score if self.reranked is None else self.reranked


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that a search found, with its document and its place."""

    passage: Passage
    document: Document
    path: tuple[str, ...]
    signals: PassageSignals


class FileState(StrEnum):
    """How far a file of an ingest is."""

    RECEIVING = "receiving"
    WAITING = "waiting"
    READING = "reading"
    STORING = "storing"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        return self in (FileState.DONE, FileState.FAILED, FileState.CANCELLED)


@dataclass(frozen=True, slots=True)
class IngestFile:
    """A file of an ingest, and how far it is: `stored` of `passages`, `embedded` of them anew."""

    id: UUID
    ingest: UUID
    name: str
    size: int
    state: FileState
    documents: int
    passages: int
    stored: int
    embedded: int
    removed: int
    error: str | None
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class Ingest:
    """Files on their way into a collection."""

    id: UUID
    tenant: UUID
    collection: UUID
    type: str
    cancelled: bool
    files: tuple[IngestFile, ...]
    source: UUID | None = None

    @property
    def over(self) -> bool:
        return all(file.state.over for file in self.files)


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """What tells a passage that is stored from one that is new."""

    id: UUID
    section: UUID
    ordinal: int
    content_hash: bytes
