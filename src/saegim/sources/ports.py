"""What sources need from outside: readers of each kind, and a record of what came."""

from typing import Protocol

from saegim.sources.types import (
    Content,
    Entry,
    Item,
    NoContent,
    SourceListing,
)


class SourceReader(Protocol):
    """One look at a source. Both methods raise Unfetched."""

    async def entries(self) -> SourceListing:
        """What the source has now."""
        ...

    async def fetch(self, entry: Entry, known: Item | None) -> Content | NoContent:
        """An item's bytes, unless it is gone or still what is known."""
        ...
