from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from saegim.memory.types import MemoryType


@dataclass(frozen=True, slots=True)
class Removed:
    """What a clean-up took away, counted."""

    sessions: int = 0
    turns: int = 0
    episodes: int = 0
    memories: int = 0

    def __add__(self, other: "Removed") -> "Removed":
        return Removed(
            self.sessions + other.sessions,
            self.turns + other.turns,
            self.episodes + other.episodes,
            self.memories + other.memories,
        )

    def __bool__(self) -> bool:
        return self != Removed()


class TranscriptStore(Protocol):
    """Where conversations are recorded. Raises StoreUnavailable when it is down."""

    async def remove_idle(self, tenant: UUID, before: datetime, most: int) -> Removed:
        """Removes sessions that nobody used since, whole, at most so many at a time."""
        ...

    async def remove_old(self, tenant: UUID, before: datetime, most: int) -> Removed:
        """Removes turns that were said before, of sessions that go on; those that working memory
        still holds stay until it lets them go."""
        ...

    async def remove_ingests(self, tenant: UUID, before: datetime, most: int) -> int:
        """Removes the progress of ingests that are over and began before; their documents stay."""
        ...

    async def remove_imports(self, tenant: UUID, before: datetime, most: int) -> int:
        """Removes the progress of memory imports that were done before."""
        ...

    async def remove_usage(self, tenant: UUID, before: datetime, most: int) -> int:
        """Removes usage events from before."""
        ...

    async def clean_again(self, tenant: UUID) -> None:
        """Queues the tenant's next clean-up, while it has conversations or ingests."""
        ...


ReembedState = Literal["running", "switched", "abandoned"]


@dataclass(frozen=True, slots=True)
class Reembed:
    """A tenant's move to another embedder, and how far it is."""

    embedder: str
    dimensions: int
    state: ReembedState
    cursors: Mapping[str, UUID]
    embedded: int
    total: int


@dataclass(frozen=True, slots=True)
class Lacking:
    """What has no vector yet, by id, with its text; `last` is None where all was looked at."""

    texts: Mapping[UUID, str]
    last: UUID | None


@dataclass(frozen=True, slots=True)
class Retired:
    """An index that served before; `subject` says of what."""

    subject: str
    generation: int
    embedder: str


class ReembedStore(Protocol):
    """Everything with vectors: each kind of it (`kinds`) is embedded again, then all switch."""

    @property
    def kinds(self) -> Sequence[str]:
        """What is embedded, by name."""
        ...

    async def begin(self, tenant: UUID, embedder: str, dimensions: int) -> Reembed:
        """Starts a move with its job, or finds the one that is under way."""
        ...

    async def find(self, tenant: UUID) -> Reembed | None:
        """The newest move of a tenant."""
        ...

    async def uses(self, tenant: UUID, embedder: str) -> bool:
        """Whether all of the tenant's indexes are made with an embedder."""
        ...

    async def lacking(self, tenant: UUID, kind: str, move: Reembed, count: int) -> Lacking:
        """The next of a kind, after the move's cursor, that have no vector of its embedder."""
        ...

    async def keep(
        self,
        tenant: UUID,
        kind: str,
        move: Reembed,
        vectors: Mapping[UUID, Sequence[float]],
        upto: UUID,
    ) -> None:
        """Stores vectors, and that nothing up to an id lacks one, in one transaction."""
        ...

    async def rewind(self, tenant: UUID) -> None:
        """Moves every cursor back to the start."""
        ...

    async def switch(self, tenant: UUID, move: Reembed, generation: int) -> bool:
        """Lets all that was embedded serve, in one transaction; False if anything lacks a vector.

        What served before is retired, and dropped some time later."""
        ...

    async def prepare(self, tenant: UUID, move: Reembed) -> None:
        """Clears what an earlier move left behind that would pass for this one's."""
        ...

    async def abandon(self, tenant: UUID) -> int | None:
        """Ends a move without a switch; tells the generation of the index that it was building."""
        ...

    async def go_on(self, tenant: UUID) -> None:
        """Queues the move's next slice."""
        ...

    async def retired(self, tenant: UUID) -> Sequence[Retired]:
        """What was replaced long enough ago to be dropped."""
        ...

    async def drop(self, tenant: UUID, retired: Retired) -> None:
        """Removes the vectors that only a retired index needed, and forgets it."""
        ...


@dataclass(frozen=True, slots=True)
class Expiry:
    """Which records are past their time: by type, by how little they mattered, and by label.

    A record with one of the `labels` goes by that alone; a label without a time keeps it."""

    said_before: Mapping[MemoryType, datetime]
    importance: float
    unimportant_before: datetime
    labels: Mapping[str, datetime | None] = field(default_factory=dict[str, datetime | None])


class MemoryStore(Protocol):
    """Where memories are kept. Raises StoreUnavailable when it is down."""

    async def expire(self, tenant: UUID, expiry: Expiry, most: int) -> int:
        """Forgets some records past their time, each with its trail entry; how many.

        What is core or pinned never expires."""
        ...

    async def purge(self, tenant: UUID, forgotten_before: datetime, most: int) -> int:
        """Removes for good what was forgotten before; how many records."""
        ...
