"""What the library asks of an index of passages, and what fills it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Locale
from saegim.library.types import (
    Document,
    Passage,
    RankingSettings,
    SearchFilter,
    Section,
)


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A passage as the index holds it: ids, terms, vector and filters, never text."""

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
    """A passage that one arm found; a higher score is better. `similarity` is that of meaning,
    where an arm of words was asked for it too."""

    passage: UUID
    document: UUID
    score: float
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class IndexSize:
    """How large a tenant's index is, how much of it waits to be optimised, in how many pieces."""

    rows: int
    unindexed: int
    pieces: int = 1


class EmbedderChanged(Exception):
    """The tenant moved to another embedder meanwhile: these vectors are of the one before."""


class PassageIndex(Protocol):
    """The search index of each tenant, derived from the record and rebuilt at will.

    One writer per tenant at a time; readers are not disturbed. `generation` names one build of a
    tenant's index: another embedder or a rebuild is another generation, side by side, until the
    record points at it. Every method raises Degraded where the index cannot be reached, IndexBroken
    where it cannot be read, and searching a generation that is not there raises IndexMissing."""

    async def create(self, tenant: UUID, generation: int, dimensions: int) -> None:
        """Makes an empty index, replacing what is left of an unfinished build."""
        ...

    async def put(self, tenant: UUID, generation: int, rows: Sequence[IndexRow]) -> None:
        """Adds rows or replaces those with the same passage; found at once."""
        ...

    async def remove(self, tenant: UUID, generation: int, passages: Collection[UUID]) -> None:
        """Hides passages at once."""
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
        """The best passages by BM25, best first; any of the terms may match.

        Each with its exact cosine similarity to `near`, where that is given: the dense arm may
        leave it out."""
        ...

    async def dense(
        self,
        tenant: UUID,
        generation: int,
        vector: Sequence[float],
        where: SearchFilter,
        count: int,
    ) -> list[IndexHit]:
        """The nearest passages by cosine similarity, best first."""
        ...

    async def dense_of_each(
        self,
        tenant: UUID,
        generation: int,
        vectors: Sequence[Sequence[float]],
        where: SearchFilter,
        count: int,
    ) -> list[list[IndexHit]]:
        """`dense` of each vector, in one pass over the rows where the engine can."""
        ...

    async def passages(self, tenant: UUID, generation: int) -> set[UUID]:
        """All passages of the index, to compare with the record."""
        ...

    async def size(self, tenant: UUID, generation: int) -> IndexSize:
        """How large the index is."""
        ...

    async def optimise(self, tenant: UUID, generation: int) -> None:
        """Indexes what is new, in a worker; scores are exact BM25 again from here on."""
        ...

    async def check(self, tenant: UUID, generation: int) -> None:
        """Reads all of an index past every cache. Raises IndexBroken where that fails."""
        ...

    async def purge(self, tenant: UUID, generation: int, *, at_once: bool = False) -> None:
        """Takes removed rows off the disk for good, in a worker.

        Readers may still hold older versions: their files go with the first `optimise` or `purge`
        that comes some minutes (a setting of the index) after this one, or `at_once`: then such a
        reader opens the index again."""
        ...

    async def drop(self, tenant: UUID, generation: int | None = None) -> None:
        """Removes one generation, or all of a tenant's, from disk."""
        ...


@dataclass(frozen=True, slots=True)
class PassageLocation:
    """A passage with its document and its section."""

    passage: Passage
    document: Document
    section: Section


@dataclass(frozen=True, slots=True)
class IndexPointer:
    """Which build of a tenant's index serves (0: none yet), and what it was embedded with."""

    generation: int
    embedder: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class SearchSetup:
    """What a tenant searches with: the build of its index, and its ranking."""

    pointer: IndexPointer
    ranking: RankingSettings


@dataclass(frozen=True, slots=True)
class IndexSource:
    """What an index row is made from."""

    place: PassageLocation
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class Changes:
    """What the index has not been told yet: what to put, what to remove."""

    put: Sequence[IndexSource]
    removed: Collection[UUID]
    ids: Sequence[int]


@dataclass(frozen=True, slots=True)
class PassagePage:
    """Some passages in the order of ids; `last` is where the next page starts, None at the end."""

    sources: Sequence[IndexSource]
    last: UUID | None


@dataclass(frozen=True, slots=True)
class Build:
    """An index on its way: `passages` are in it, all up to `after`."""

    pointer: IndexPointer
    after: UUID
    passages: int = 0

    @property
    def id(self) -> UUID:
        """What names it in a job."""
        return UUID(int=self.pointer.generation)
