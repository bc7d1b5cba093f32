"""What sources need from outside: readers of each kind, and a record of what came."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol
from uuid import UUID

from saegim.library.sources.types import (
    Answer,
    Content,
    Entry,
    Item,
    Listing,
    NewSource,
    Origin,
    RunCounts,
    Source,
    SourceStatus,
)


class SourceReader(Protocol):
    """One look at a source. Both methods raise Unfetched."""

    async def entries(self) -> Listing:
        """What the source has now."""
        ...

    async def fetch(self, entry: Entry, known: Item | None) -> Content | Answer:
        """An item's bytes, unless it is gone or still what is known."""
        ...


class SourceReaders(Protocol):
    """Opens sources of every kind."""

    def check(self, origin: Origin) -> None:
        """Raises Invalid for an origin that would never be read."""
        ...

    def open(self, source: Source) -> AbstractAsyncContextManager[SourceReader]:
        """A reader of the source, for one look."""
        ...


class SourceStore(Protocol):
    """Keeps sources and what is known of their items. All methods raise StoreUnavailable."""

    async def add(self, tenant: UUID, source: UUID, new: NewSource, collection: UUID) -> UUID:
        """A new source, with the job of its first look; the id of the one that is there already
        for the same origin and collection."""
        ...

    async def status(self, tenant: UUID, source: UUID) -> SourceStatus:
        """A source with its counts. Raises NotFound."""
        ...

    async def all(self, tenant: UUID) -> Sequence[SourceStatus]:
        """Every source of the tenant."""
        ...

    async def ask(self, tenant: UUID, source: UUID) -> None:
        """Queues a look at once. Raises NotFound."""
        ...

    async def ask_removal(self, tenant: UUID, source: UUID) -> None:
        """Hides a source and queues the removal of all it brought in. Raises NotFound."""
        ...

    async def begin(self, tenant: UUID, source: UUID) -> Source | None:
        """Opens a run, or the one that was left open, and queues the next; None if it is gone."""
        ...

    async def go_on(self, source: Source) -> None:
        """Queues the rest of an open run."""
        ...

    async def seen(self, source: Source) -> set[str]:
        """The keys that this run has dealt with."""
        ...

    async def items(self, source: Source, keys: Collection[str]) -> Mapping[str, Item]:
        """What is known of items; one that could not be ingested is not."""
        ...

    async def claim(self, source: Source, key: str, file: UUID) -> None:
        """Says which file is about to bring an item; older ones of the same item are void."""
        ...

    async def note(self, source: Source, items: Sequence[Item], counts: RunCounts) -> None:
        """Items that were dealt with, and what to add to the counts."""
        ...

    async def note_fault(self, source: Source, key: str, error: str | None, *, gone: bool) -> None:
        """An item that could not be had, or is gone; what is known of it stays."""
        ...

    async def forget(self, source: Source, *, unseen: bool) -> bool:
        """Forgets items that are gone, and those that the run did not see; False if none would
        be left, in which case all stay."""
        ...

    async def forget_all(self, source: Source) -> None:
        """Forgets every item of a source that is being removed."""
        ...

    async def left_over(self, source: Source, count: int) -> Sequence[UUID]:
        """Documents of the source whose item is forgotten."""
        ...

    async def count_removed(self, source: Source, documents: int) -> None:
        """Adds to the count of documents that left with their items."""
        ...

    async def finish(self, source: Source, error: str | None) -> None:
        """Ends a run."""
        ...

    async def remove(self, source: Source) -> None:
        """Removes a source that has nothing left."""
        ...
