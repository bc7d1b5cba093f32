"""What the server says about the library: files on their way in, sources, documents, passages."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from saegim.client.types import Shape


class IngestedFile(Shape):
    """How far a file is: `stored` of `passages` are in, `embedded` of them were new."""

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


class Ingest(Shape):
    """Files on their way in; `over` when none of them is still on its way."""

    ingest_id: UUID
    over: bool
    cancelled: bool
    files: list[IngestedFile]


class FailingItem(Shape):
    """An item of a source that did not come in, and why."""

    key: str
    error: str


class Source(Shape):
    """Where documents come from by themselves; the counts are those of the last look."""

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
    """All sources of a tenant."""

    sources: list[Source]


class Document(Shape):
    """A document, by the id it has outside."""

    document_id: str
    type: str
    title: str
    version: str


class ListedDocument(Document):
    """A document in a list."""

    collection: str
    passages: int
    updated_at: datetime


class DocumentPage(Shape):
    """Some documents; `next_before` is where the next page starts."""

    documents: list[ListedDocument]
    next_before: UUID | None = None


class Passage(Shape):
    """A passage with its place."""

    passage_id: UUID
    document: Document
    path: list[str]
    text: str


class Lookup(Shape):
    """A document with its passages in order, and others that are related to it."""

    document: Document
    passages: list[Passage]
    related: list[Document]


class FoundPassage(Passage):
    """A passage that a search found, with its place and each arm's score."""

    score: float
    lexical: float | None
    dense: float | None
    reranked: float | None = None


class SearchResult(Shape):
    """What was found, best first, and which parts the search had to do without."""

    found: list[FoundPassage]
    degraded: list[str]
