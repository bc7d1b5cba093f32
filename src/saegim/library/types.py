"""Values of the library: documents, sections, passages, search filters and results, ingests."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.domain.scope import Locale
from saegim.library.ranking import DEFAULT_WEIGHTS, RankingWeights


def in_context(text: str, path: tuple[str, ...], title: str | None) -> str:
    """Return a passage under its headings."""
    headings = [heading for heading in (title, *path) if heading]
    return "\n".join([" > ".join(dict.fromkeys(headings)), text]) if headings else text


STALE_MONTHS = 24
_SEPARATORS = re.compile(r"[\s_-]+")


class BlockKind(StrEnum):
    """The kind of a block; steps, tables and code are kept whole if possible."""

    PARAGRAPH = "paragraph"
    STEPS = "steps"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a text is in its file, counted from 1: a page, a slide, or the row of a sheet.

    `breaks` tells where in a longer text the next pages, slides or tables begin: offset and
    number."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    row: int | None = None
    breaks: tuple[tuple[int, int], ...] = ()

    @property
    def number(self) -> int | None:
        """The page, slide or row."""
        return next((each for each in (self.page, self.slide, self.row) if each is not None), None)

    @property
    def last(self) -> int | None:
        """The last page or slide of a text over several."""
        return self.breaks[-1][1] if self.breaks and self.row is None else None

    def at(self, text: str, offset: int) -> "Locator":
        """Return the place of a line of the text that begins here."""
        passed = [(start, number) for start, number in self.breaks if start <= offset]
        start, number = passed[-1] if passed else (0, self.number)
        if number is None:
            return self
        if self.page is not None:
            return Locator(page=number)
        if self.slide is not None:
            return Locator(slide=number)
        rows = _rows_before(text[start:], offset - start)
        return Locator(sheet=self.sheet, row=number + rows)

    def parts(self) -> dict[str, int | str]:
        """Return the parts that are set, by name."""
        values = {name: getattr(self, name) for name in ("page", "slide", "sheet", "row")}
        return {name: value for name, value in values.items() if value is not None}

    def below(self, rows: int) -> "Locator":
        """Return the locator of a row further down a sheet; elsewhere rows have none."""
        return self if self.row is None else replace(self, row=self.row + rows)


def _rows_before(text: str, offset: int) -> int:
    """Return how many rows of a table are before an offset, without its header."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    header = 2 if len(lines) > 1 and not lines[1].strip("|:- ") else 0
    before = sum(line.startswith("|") for line in text[:offset].splitlines())
    return max(0, before - header)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of text; the locator of a table is that of its first row below the header."""

    kind: BlockKind
    text: str
    locator: Locator | None = None


@dataclass(frozen=True, slots=True)
class ParsedSection:
    """The blocks under one heading; `path` is the heading with those above it."""

    path: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document of a file, in NFC. One file may have several documents (an FAQ list)."""

    title: str | None
    sections: tuple[ParsedSection, ...]
    outside_id: str | None = None
    type: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    modified_at: datetime | None = None
    """When the file says that it was changed."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of a passage, used as filters and hints."""

    has_steps: bool
    has_conditions: bool
    has_table: bool
    language: Locale
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassageDraft:
    """A passage before it is stored; `section` is the index of its section."""

    section: int
    text: str
    tokens: int
    tags: Tags
    locator: Locator | None = None


def lookup_key(outside_id: str) -> str:
    """Normalise a document's id: casefolded; spaces, dashes and underscores are equal."""
    return _SEPARATORS.sub("-", unicodedata.normalize("NFC", outside_id).casefold()).strip("-")


@dataclass(frozen=True, slots=True)
class Document:
    """A document. `modified_at` is its own date of change, if its file or source has one;
    `updated_at` is when its text last changed here."""

    id: UUID
    tenant: UUID
    collection: UUID
    outside_id: str
    type: str
    title: str | None
    version: str
    metadata: Mapping[str, str]
    updated_at: datetime
    has_original: bool = False
    modified_at: datetime | None = None

    @property
    def changed_at(self) -> datetime:
        return self.modified_at or self.updated_at


class DocumentState(StrEnum):
    READY = "ready"
    IMPORTING = "importing"
    FAILED = "failed"


class DocumentTrait(StrEnum):
    """What a list can be narrowed to: documents not changed for long, or with copies."""

    STALE = "stale"
    DUPLICATE = "duplicate"


class DocumentOrigin(StrEnum):
    """How a document came in: by an upload, or from a source of this kind."""

    UPLOAD = "upload"
    FOLDER = "folder"
    URLS = "urls"
    SITEMAP = "sitemap"
    S3 = "s3"


class DocumentSort(StrEnum):
    NEWEST = "newest"
    TITLE = "title"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class DocumentCopy:
    """A document with the same text as another, or with `is_exact` False nearly the same."""

    document: Document
    collection: str
    is_exact: bool


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document, or a file that is being imported or has failed, with its collection.

    `owner` is the member who alone can read it; `audience` the groups that can, empty for all;
    `added_by` the member who uploaded it. `error` of a stored document is that of the last sync.
    `copies` are those that the reader may read. `bytes` is the size of the file, or of the text if
    the original is not kept.
    """

    document: Document
    collection: str
    passages: int
    bytes: int | None = None
    audience: frozenset[str] = frozenset()
    owner: UUID | None = None
    source: str | None = None
    state: DocumentState = DocumentState.READY
    error: str | None = None
    origin: DocumentOrigin = DocumentOrigin.UPLOAD
    added_by: UUID | None = None
    first_seen_at: datetime | None = None
    last_seen_at: datetime | None = None
    is_stale: bool = False
    copies: tuple[DocumentCopy, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Documents whose title or id has these words, after the document `before` in the order.

    With `once`, of documents with the same text only the newest is listed."""

    words: str = ""
    before: UUID | None = None
    count: int = 50
    collection: UUID | None = None
    state: DocumentState | None = None
    kind: str | None = None
    sort: DocumentSort = DocumentSort.NEWEST
    only: DocumentTrait | None = None
    once: bool = False


@dataclass(frozen=True, slots=True)
class PassagePage:
    """Passages of a document in order, and how many it has in all."""

    passages: tuple["PassageLocation", ...]
    total: int


@dataclass(frozen=True, slots=True)
class OutlineSection:
    """A section of a document: its headings, and the position of its first passage."""

    path: tuple[str, ...]
    position: int
    passages: int


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit that is searched."""

    id: UUID
    document: UUID
    section: UUID
    ordinal: int
    text: str
    tokens: int
    tags: Tags
    locator: Locator | None = None


@dataclass(frozen=True, slots=True)
class PassageLocation:
    """A passage with its document and the headings above it."""

    passage: Passage
    document: Document
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Which passages a search may find; without collections, none."""

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
    """How many passages a search returns: FAQ entries, and all other types."""

    faq: int = 3
    other: int = 7

    @property
    def total(self) -> int:
        return self.faq + self.other


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How a tenant's results are ranked. A document that did not change for `stale_months` is
    stale; 0: none is."""

    weights: RankingWeights = DEFAULT_WEIGHTS
    counts: ResultCounts = ResultCounts()
    stale_months: int = STALE_MONTHS


@dataclass(frozen=True, slots=True)
class PassageSignals:
    """The score of each retriever (None if it did not find the passage) and the fused one.

    If there is a reranker, its score decides the order.
    """

    lexical: float | None = None
    dense: float | None = None
    score: float = 0.0
    reranked: float | None = None

    @property
    def order(self) -> float:
        return self.score if self.reranked is None else self.reranked


@dataclass(frozen=True, slots=True)
class FoundPassage(PassageLocation):
    """A search result, or a passage without scores that was opened.

    `copies` are other documents with the same text that the reader may read."""

    signals: PassageSignals = PassageSignals()
    copies: tuple[Document, ...] = ()
    is_stale: bool = False

    @classmethod
    def of(cls, place: PassageLocation, signals: PassageSignals | None = None) -> "FoundPassage":
        return cls(place.passage, place.document, place.path, signals or PassageSignals())


class FileState(StrEnum):
    """The state of a file of an ingest."""

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
    """A file of an ingest with its progress: `stored` of `passages`, `embedded` of them new."""

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
    document: UUID | None = None
    modified_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Ingest:
    """An upload of files into a collection."""

    id: UUID
    tenant: UUID
    collection: UUID
    type: str
    cancelled: bool
    files: tuple[IngestFile, ...]
    source: UUID | None = None
    added_by: UUID | None = None

    @property
    def over(self) -> bool:
        return all(file.state.over for file in self.files)


def entry_name(ingest: Ingest) -> str:
    """Return the name of the file of a single entry, which was typed in and not uploaded."""
    return f"{ingest.type}-{ingest.id.hex[-12:]}.json"
