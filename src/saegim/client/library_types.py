"""Types of the library: ingests, sources, documents, passages."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from saegim.client.types import Locator, Shape


class IngestedFile(Shape):
    """A file of an ingest: `stored` of its `passages` are stored, `embedded` were new."""

    file_id: UUID
    name: str
    size: int
    state: str
    documents: int
    passages: int
    stored: int
    embedded: int
    removed: int
    error: str | None = None
    message: str | None = None


class Ingest(Shape):
    """An ingest; `over` when all of its files are done."""

    ingest_id: UUID
    over: bool
    cancelled: bool
    files: list[IngestedFile]


class UnchangedFiles(Shape):
    """The names of files that need no upload."""

    unchanged: list[str]


class FailingItem(Shape):
    """An item of a source that could not be read."""

    key: str
    error: str


class Source(Shape):
    """A source of documents; the counts are of its last sync."""

    source_id: UUID
    kind: Literal["folder", "urls", "sitemap", "s3"]
    address: str
    collection: str
    type: str
    every_hours: float
    running: bool
    synced_at: datetime | None
    error: str | None
    documents: int
    listed: int
    changed: int
    unchanged: int
    failed: int
    removed: int
    failing: list[FailingItem] = Field(default_factory=list[FailingItem])


class Sources(Shape):
    """The sources of a tenant."""

    sources: list[Source]


class Document(Shape):
    """A document, by its ID in the source."""

    id: UUID
    document_id: str
    type: str
    title: str
    version: str
    has_original: bool = False


class DocumentCopy(Shape):
    """Another document with the same text, or nearly the same, that the user may read."""

    id: UUID
    document_id: str
    title: str
    collection: str
    is_exact: bool


class ListedDocument(Document):
    """A document in a list; `state` is `importing` or `failed` for a file that is not stored."""

    collection: str
    passages: int
    updated_at: datetime
    state: str = "ready"
    message: str | None = None
    source: str | None = None
    origin: str = "upload"
    uploaded_by: str | None = None
    first_seen_at: datetime | None = None
    last_seen_at: datetime | None = None
    changed_at: datetime | None = None
    is_stale: bool = False
    copies: tuple[DocumentCopy, ...] = ()


class Passage(Shape):
    """A passage and the headings above it."""

    passage_id: UUID
    document: Document
    path: list[str]
    text: str
    locator: Locator | None = None


class Lookup(Shape):
    """A document with its passages in order, and related documents."""

    document: Document
    passages: list[Passage]
    related: list[Document]


class FoundPassage(Passage):
    """A result of a search, with the score of each retriever."""

    score: float
    lexical: float | None
    dense: float | None
    reranked: float | None = None
    is_stale: bool = False
    changed_at: datetime | None = None
    copies: tuple[Document, ...] = ()


class SearchResult(Shape):
    """Results of a search, best first, and the components that were unavailable."""

    found: list[FoundPassage]
    degraded: list[str]
