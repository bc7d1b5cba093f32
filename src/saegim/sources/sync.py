"""One look at a source: list, fetch what changed, hand it to the ingest, let go of what is gone."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from uuid import UUID

from saegim.domain.errors import NotFound, QuotaExceeded
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.repository import PostgresLibrary
from saegim.net.errors import FetchFailed, FetchFault
from saegim.sources.ports import SourceReader
from saegim.sources.readers import Readers
from saegim.sources.repository import PostgresSources
from saegim.sources.types import Content, Entry, Item, NoContent, RunCounts, Source, SourceListing

BATCH = 100
PART_BYTES = 1 << 20
REMOVED_AT_ONCE = 20
# A slow site holds a worker for so long at most; then other tenants' jobs have their turn.
SLICE_SECONDS = 120.0
# A listing is read whole before anything is fetched; it may hold a worker for so long.
LISTING_SECONDS = 300.0
# After so many outages in a row the rest is not tried.
MOST_OUTAGES = 5


class SyncTimeUp(Exception):
    """This job has had its share; the run goes on in the next one."""


class Sync:
    def __init__(
        self,
        store: PostgresSources,
        files: PostgresIngests,
        documents: PostgresLibrary,
        readers: Readers,
        slice_seconds: float = SLICE_SECONDS,
    ) -> None:
        self._store = store
        self._files = files
        self._documents = documents
        self._readers = readers
        self._slice = slice_seconds

    async def sync(self, tenant: UUID, subject: UUID) -> None:
        """The job of one source. Run again, it goes on after the last item it noted."""
        source = await self._store.begin(tenant, subject)
        if source is None:
            return
        if source.removing:
            await self._store.forget_all(source)
            await self._let_go(source)
            await self._store.remove(source)
            return
        try:
            error = await self._look(source, time.monotonic() + self._slice)
        except SyncTimeUp:
            await self._store.go_on(source)
            return
        except FetchFailed as fault:
            # What was not seen may be there all the same: nothing is removed.
            error = str(fault)
        await self._store.finish(source, error)

    async def _look(self, source: Source, until: float) -> str | None:
        """Follows the whole listing; tells what went wrong, if anything did."""
        async with self._readers.open(source) as reader:
            try:
                async with asyncio.timeout(LISTING_SECONDS):
                    listing = await reader.entries()
            except TimeoutError as error:
                raise FetchFailed(FetchFault.TIMEOUT, "listing", outage=True) from error
            await self._follow(source, reader, listing, until)
        if not await self._store.forget(source, unseen=listing.complete):
            return str(FetchFault.EMPTY)
        await self._let_go(source)
        return None if listing.complete else str(FetchFault.ITEM_LIMIT)

    async def _follow(
        self, source: Source, reader: SourceReader, listing: SourceListing, until: float
    ) -> None:
        seen = await self._store.seen(source)
        outages, taken = 0, source.counts.bytes
        for batch in _batches([entry for entry in listing.entries if entry.key not in seen]):
            known = await self._store.items(source, [entry.key for entry in batch])
            same = [known[one.key] for one in batch if _same_version(one, known.get(one.key))]
            counts = RunCounts(listed=len(same), unchanged=len(same))
            await self._store.note(source, same, counts)
            for entry in batch:
                if _same_version(entry, known.get(entry.key)):
                    continue
                if taken > source.limits.bytes_total:
                    raise FetchFailed(FetchFault.BYTE_LIMIT)
                try:
                    taken += await self._bring(source, reader, entry, known.get(entry.key))
                    outages = 0
                except FetchFailed as fault:
                    await self._store.note_fault(source, entry.key, str(fault), gone=False)
                    outages = outages + 1 if fault.outage else 0
                    if outages >= MOST_OUTAGES:
                        raise
                if time.monotonic() > until:
                    raise SyncTimeUp

    async def _bring(
        self, source: Source, reader: SourceReader, entry: Entry, known: Item | None
    ) -> int:
        """Fetches one item and queues it for the ingest if it changed; tells its bytes."""
        match await reader.fetch(entry, known):
            case NoContent.UNCHANGED:
                assert known is not None, "nothing unknown is unchanged"
                await self._store.note(source, [known], RunCounts(listed=1, unchanged=1))
                return 0
            case NoContent.GONE:
                await self._store.note_fault(source, entry.key, None, gone=True)
                return 0
            case content:
                size = len(content.content)
                item = _item(entry, content)
                if known is not None and known.content_hash == item.content_hash:
                    counts = RunCounts(listed=1, unchanged=1, bytes=size)
                else:
                    await self._hand_over(source, entry.key, content)
                    counts = RunCounts(listed=1, changed=1, bytes=size)
                await self._store.note(source, [item], counts)
                return size

    async def _hand_over(self, source: Source, key: str, content: Content) -> None:
        """Into the ingest of this run, which has the run's id."""
        assert source.run is not None, "a run is open"
        try:
            await self._files.find(source.tenant, source.run)
        except NotFound:
            await self._files.create(
                source.tenant, source.run, source.collection, source.type, source.id
            )
        try:
            file = await self._files.add_file(source.tenant, source.run, key, content.media_type)
        except QuotaExceeded as full:
            raise FetchFailed(FetchFault.QUOTA, full.detail) from full
        for part, start in enumerate(range(0, max(len(content.content), 1), PART_BYTES)):
            piece = content.content[start : start + PART_BYTES]
            await self._files.add_part(source.tenant, file, part, piece)
        await self._store.claim(source, key, file)
        await self._files.enqueue(source.tenant, file)

    async def _let_go(self, source: Source) -> None:
        """Removes documents whose items are gone, batch by batch."""
        while gone := await self._store.left_over(source, REMOVED_AT_ONCE):
            await self._documents.discard(source.tenant, gone)
            await self._store.count_removed(source, len(gone))


def _same_version(entry: Entry, known: Item | None) -> bool:
    return known is not None and entry.version is not None and known.version == entry.version


def _item(entry: Entry, content: Content) -> Item:
    digest = sha256((content.media_type or "").encode() + b"\0" + content.content).digest()
    return Item(entry.key, entry.version, content.etag, content.modified, digest)


def _batches(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    for start in range(0, len(entries), BATCH):
        yield entries[start : start + BATCH]
