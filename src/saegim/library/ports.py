"""What the library needs from outside: parsers, a search index, a record of documents."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Caller
from saegim.domain.seen import Seen
from saegim.domain.tenancy import CollectionAccess
from saegim.library.index_ports import IndexPointer, Place, Serving
from saegim.library.types import (
    Document,
    FileState,
    Ingest,
    IngestFile,
    ListedDocument,
    ParsedDocument,
    Ranking,
    Sought,
    StoredPassage,
    Tags,
)


class Parser(Protocol):
    """Turns a file into text with structure."""

    async def parse(self, file: Path, name: str) -> list[ParsedDocument]:
        """The documents in a file, whose `name` tells its kind. Raises Unreadable."""
        ...


@dataclass(frozen=True, slots=True)
class BroughtBy:
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
    brought_by: BroughtBy | None = None


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


class RankingStore(Protocol):
    """Keeps how each tenant ranks."""

    async def ranking(self, tenant: UUID) -> Ranking:
        """What is set, the defaults for the rest."""
        ...

    async def set_ranking(
        self, tenant: UUID, ranking: Ranking, seen: Seen | None = None
    ) -> Ranking:
        """Ranks like this from the next search on; defaults are not kept and follow releases.
        Raises Changed where another was seen."""
        ...


class Reranker(Protocol):
    """Reads question and passages together, which is slower and better than either arm."""

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, higher is better, in order. Raises Degraded."""
        ...


class IngestStore(Protocol):
    """Keeps ingests, their files and how far they are. All methods raise StoreUnavailable."""

    async def create(
        self,
        tenant: UUID,
        ingest: UUID,
        collection: UUID,
        type: str,  # noqa: A002 - the API's word
        source: UUID | None = None,
    ) -> None:
        """Opens an ingest. Raises NotFound for a collection that is not the tenant's."""
        ...

    async def add_file(
        self, tenant: UUID, ingest: UUID, name: str, media_type: str | None = None
    ) -> UUID:
        """A file that is about to be received; the same name again replaces the first."""
        ...

    async def add_part(self, tenant: UUID, file: UUID, part: int, content: bytes) -> None:
        """The next part of a file's content."""
        ...

    async def abandon(self, tenant: UUID, file: UUID) -> None:
        """Removes what came of a file whose upload broke off."""
        ...

    async def sweep(self, tenant: UUID, before: datetime, most: int) -> int:
        """Removes uploads of which nothing came since; tells how many. While others are under
        way, queues the next sweep."""
        ...

    async def enqueue(self, tenant: UUID, file: UUID) -> None:
        """Marks a file as received and queues its job, in one transaction."""
        ...

    async def find(self, tenant: UUID, ingest: UUID) -> Ingest:
        """An ingest with its files. Raises NotFound."""
        ...

    async def file(self, tenant: UUID, file: UUID) -> tuple[Ingest, IngestFile] | None:
        """A file with the ingest it belongs to; None if it is gone."""
        ...

    async def fetch(self, tenant: UUID, file: UUID, to: Path) -> None:
        """Writes a file's content to disk."""
        ...

    async def progress(
        self, tenant: UUID, file: UUID, state: FileState, counts: Mapping[str, int]
    ) -> bool:
        """Notes how far a file is; tells whether its ingest was cancelled."""
        ...

    async def is_current(self, tenant: UUID, brought_by: BroughtBy) -> bool:
        """Whether a source's file is still the one that brings its item."""
        ...

    async def finish(self, tenant: UUID, file: UUID, state: FileState, error: str | None) -> None:
        """Ends a file and forgets its content."""
        ...

    async def cancel(self, tenant: UUID, ingest: UUID) -> None:
        """Asks for an ingest to be stopped. Raises NotFound."""
        ...


class CollectionRules(Protocol):
    """Who may bring documents in."""

    def may_write(self, caller: Caller, collection: CollectionAccess) -> bool:
        """Whether the caller may bring documents into a collection, and see how that goes."""
        ...


class DocumentStore(Protocol):
    """Keeps documents, sections and passages. Every change is noted for the index to follow."""

    async def open(self, tenant: UUID, new: NewDocument) -> KnownDocument:
        """The document of this collection and outside id, made if it is new.

        Raises Conflict where a source brings one that did not come from it."""
        ...

    async def passages_of(self, tenant: UUID, document: UUID) -> list[StoredPassage]:
        """What is stored of a document's passages."""
        ...

    async def arrange_sections(
        self, tenant: UUID, document: UUID, paths: Sequence[tuple[str, ...]]
    ) -> list[UUID]:
        """The ids of the document's sections, in order; those that were there keep theirs."""
        ...

    async def add_passages(
        self, tenant: UUID, document: UUID, embedder: str, passages: Sequence[NewPassage]
    ) -> None:
        """Stores a batch in one transaction, with the job that tells the index.

        Raises EmbedderChanged where the tenant's index is not made with `embedder` any more."""
        ...

    async def settle(
        self, tenant: UUID, document: UUID, new: NewDocument, shape: Arrangement
    ) -> None:
        """Puts kept passages in their place and removes the others, in one transaction."""
        ...

    async def remove(self, caller: Caller, document: UUID) -> None:
        """Removes a document, at once for every search. Raises NotFound."""
        ...

    async def discard(self, tenant: UUID, documents: Collection[UUID]) -> None:
        """Removes documents, at once for every search; those that are gone already are fine."""
        ...

    async def left_over(self, tenant: UUID, brought_by: BroughtBy) -> list[UUID]:
        """Documents that an item of a source had before, and this file of it has not."""
        ...

    async def readable_collections(self, caller: Caller) -> frozenset[UUID]:
        """Those of its assistant's collections whose audience holds the caller, and the caller's
        own."""
        ...

    async def collection(self, tenant: UUID, name: str) -> UUID:
        """A collection by its name. Raises NotFound."""
        ...

    async def access_to(self, tenant: UUID, collection: UUID) -> CollectionAccess:
        """Who may write to a collection. Raises NotFound."""
        ...

    async def own_collection(self, tenant: UUID, member: UUID) -> UUID:
        """The collection that one person alone reads, made on first use."""
        ...

    async def places(
        self, tenant: UUID, passages: Collection[UUID], collections: Collection[UUID]
    ) -> dict[UUID, Place]:
        """Passages with their places, those alone that stand in one of the collections."""
        ...

    async def document(
        self, tenant: UUID, outside_id: str, collections: Collection[UUID]
    ) -> Document | None:
        """A document by the id it has outside, in any case; None if the caller may not see it."""
        ...

    async def listed(
        self, tenant: UUID, collections: Collection[UUID], sought: Sought
    ) -> list[ListedDocument]:
        """Documents of these collections, the newest first."""
        ...

    async def section_of(
        self, tenant: UUID, passage: UUID, collections: Collection[UUID]
    ) -> list[Place]:
        """All passages of the section around a passage, in order; none if it may not be seen."""
        ...

    async def passages_in(
        self, tenant: UUID, document: UUID, collections: Collection[UUID]
    ) -> list[Place]:
        """All passages of a document, in order; none if it may not be seen."""
        ...

    async def pointer(self, tenant: UUID) -> IndexPointer:
        """Which build of the index serves."""
        ...

    async def serving(self, tenant: UUID) -> Serving:
        """What a search needs to know of the tenant, in one read."""
        ...

    async def serving_for(self, caller: Caller) -> tuple[Serving, frozenset[UUID]]:
        """The same with the collections that the caller may read, in one read."""
        ...

    async def collections(self, tenant: UUID) -> frozenset[UUID]:
        """All collections of a tenant, for what operators do."""
        ...
