"""The interface of the search index, and the values it is filled with."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Locale
from saegim.library.types import PassageLocation, RankingSettings, SearchFilter


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A passage in the index: ids, terms, vector and filters, never text."""

    passage: UUID
    document: UUID
    collection: UUID
    type: str
    terms: str
    vector: Sequence[float]
    has_steps: bool
    has_conditions: bool
    has_table: bool
    language: Locale


@dataclass(frozen=True, slots=True)
class IndexHit:
    """A passage that a retriever found; a higher score is better.

    `similarity` is the cosine similarity, if the lexical retriever was asked for it.
    """

    passage: UUID
    document: UUID
    score: float
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class IndexSize:
    """The rows of a tenant's index, how many are not indexed yet, and its fragments."""

    rows: int
    unindexed: int
    pieces: int = 1


class EmbedderChanged(Exception):
    """The tenant changed to another embedder meanwhile, so these vectors are outdated."""


class PassageIndex(Protocol):
    """The search index of each tenant, derived from Postgres and rebuilt from it.

    One writer per tenant at a time; readers are not blocked. `generation` is one build of a
    tenant's index: a rebuild or another embedder makes a new generation beside the old one, until
    the pointer is switched. Methods raise OptionalServiceDown if the index is unreachable,
    IndexBroken if it is unreadable, and IndexMissing if the generation does not exist.
    """

    async def create(self, tenant: UUID, generation: int, dimensions: int) -> None:
        """Create an empty index, replacing an unfinished build."""
        ...

    async def put(self, tenant: UUID, generation: int, rows: Sequence[IndexRow]) -> None:
        """Add rows, or replace those with the same passage; visible at once."""
        ...

    async def remove(self, tenant: UUID, generation: int, passages: Collection[UUID]) -> None:
        """Hide passages at once."""
        ...

    async def lexical(
        self,
        tenant: UUID,
        generation: int,
        terms: Sequence[str],
        where: SearchFilter,
        count: int,
        near: Sequence[float] | None = None,
    ) -> list[IndexHit]:
        """Return the best passages by BM25, best first; any of the terms may match.

        With `near`, each hit has its exact cosine similarity to that vector.
        """
        ...

    async def dense(
        self,
        tenant: UUID,
        generation: int,
        vector: Sequence[float],
        where: SearchFilter,
        count: int,
    ) -> list[IndexHit]:
        """Return the nearest passages by cosine similarity, best first."""
        ...

    async def dense_of_each(
        self,
        tenant: UUID,
        generation: int,
        vectors: Sequence[Sequence[float]],
        where: SearchFilter,
        count: int,
    ) -> list[list[IndexHit]]:
        """Run `dense` for each vector, in one pass over the rows if possible."""
        ...

    async def passages(self, tenant: UUID, generation: int) -> set[UUID]:
        """Return all passages of the index."""
        ...

    async def size(self, tenant: UUID, generation: int) -> IndexSize: ...

    async def optimise(self, tenant: UUID, generation: int) -> None:
        """Index new rows, in a worker; scores are exact BM25 afterwards."""
        ...

    async def check(self, tenant: UUID, generation: int) -> None:
        """Read the whole index without caches. Raises IndexBroken."""
        ...

    async def purge(self, tenant: UUID, generation: int, *, at_once: bool = False) -> None:
        """Delete removed rows from disk, in a worker.

        Files of older versions, which readers may use, are deleted by the first `optimise` or
        `purge` some minutes later, or now with `at_once`: such a reader then reopens the index.
        """
        ...

    async def drop(self, tenant: UUID, generation: int | None = None) -> None:
        """Delete one generation, or all of a tenant's."""
        ...


@dataclass(frozen=True, slots=True)
class IndexPointer:
    """The build of a tenant's index that serves searches (0: none), and its embedder."""

    generation: int
    embedder: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class SearchSetup:
    pointer: IndexPointer
    ranking: RankingSettings
    has_faq: bool = True
    stale_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class IndexSource:
    place: PassageLocation
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes that are not in the index yet."""

    put: Sequence[IndexSource]
    removed: Collection[UUID]
    ids: Sequence[int]


@dataclass(frozen=True, slots=True)
class Build:
    """A rebuild in progress: all passages up to `after` are in it."""

    pointer: IndexPointer
    after: UUID
    passages: int = 0

    @property
    def id(self) -> UUID:
        """The subject of its jobs."""
        return UUID(int=self.pointer.generation)
