"""The reader of a kind of source."""

from typing import Protocol

from saegim.sources.types import Content, Entry, Item, NoContent, SourceListing


class SourceReader(Protocol):
    """Reads a source for one sync. Both methods raise FetchFailed."""

    async def entries(self) -> SourceListing: ...

    async def fetch(self, entry: Entry, known: Item | None) -> Content | NoContent:
        """Fetch an item unless it is gone or unchanged."""
        ...
