"""What sources need from outside: readers of each kind, and a record of what came."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from saegim.sources.types import (
    Answer,
    Content,
    Entry,
    Item,
    Listing,
    Origin,
    Source,
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
