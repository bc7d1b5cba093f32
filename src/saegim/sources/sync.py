"""Sync a source: list, fetch changed items, ingest them, remove documents that are gone."""

import asyncio
import time
from hashlib import sha256
from itertools import batched
from uuid import UUID

from saegim.domain.errors import NotFound, QuotaExceeded
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.repository import PostgresLibrary
from saegim.net.errors import FetchFailed, FetchFault
from saegim.sources.readers import Readers
from saegim.sources.repository import PostgresSources
from saegim.sources.types import (
    Content,
    Entry,
    Item,
    NoContent,
    RunCounts,
    Source,
    SourceListing,
    SourceReader,
)

BATCH = 100
PART_BYTES = 1 << 20
REMOVE_BATCH = 20
# The longest time a slow site occupies a worker before other jobs run.
SLICE_SECONDS = 120.0
# A listing is read whole before anything is fetched.
LISTING_SECONDS = 300.0
# Stop after this many outages in a row.
MOST_OUTAGES = 5


class SyncTimeUp(Exception):
    """The time slice of this job is over; the next job continues the run."""


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
        """Run the job of a source; run again, it continues after the last noted item."""
        source = await self._store.begin(tenant, subject)
        if source is None:
            return
        if source.removing:
            await self._store.forget_all(source)
            await self._remove_gone(source)
            await self._store.remove(source)
            return
        try:
            error = await self._run(source, time.monotonic() + self._slice)
        except SyncTimeUp:
            await self._store.go_on(source)
            return
        except FetchFailed as fault:
            # Unseen items may still exist: nothing is removed.
            error = str(fault)
        await self._store.finish(source, error)

    async def _run(self, source: Source, until: float) -> str | None:
        """Sync the whole listing; return the error, if any."""
        async with self._readers.open(source) as reader:
            try:
                async with asyncio.timeout(LISTING_SECONDS):
                    listing = await reader.entries()
            except TimeoutError as error:
                raise FetchFailed(FetchFault.TIMEOUT, "listing", outage=True) from error
            await self._sync_items(source, reader, listing, until)
        if not await self._store.forget(source, unseen=listing.complete):
            return str(FetchFault.EMPTY)
        await self._remove_gone(source)
        return None if listing.complete else str(FetchFault.ITEM_LIMIT)

    async def _sync_items(
        self, source: Source, reader: SourceReader, listing: SourceListing, until: float
    ) -> None:
        seen = await self._store.seen(source)
        outages, fetched = 0, source.counts.bytes
        for batch in batched((e for e in listing.entries if e.key not in seen), BATCH):
            known = await self._store.items(source, [entry.key for entry in batch])
            changed = [each for each in batch if not _same_version(each, known.get(each.key))]
            same = [known[each.key] for each in batch if each not in changed]
            counts = RunCounts(listed=len(same), unchanged=len(same))
            await self._store.note(source, same, counts)
            for entry in changed:
                if fetched > source.limits.bytes_total:
                    raise FetchFailed(FetchFault.BYTE_LIMIT)
                try:
                    fetched += await self._fetch(source, reader, entry, known.get(entry.key))
                    outages = 0
                except FetchFailed as fault:
                    await self._store.note_fault(source, entry.key, str(fault), gone=False)
                    outages = outages + 1 if fault.outage else 0
                    if outages >= MOST_OUTAGES:
                        raise
                if time.monotonic() > until:
                    raise SyncTimeUp

    async def _fetch(
        self, source: Source, reader: SourceReader, entry: Entry, known: Item | None
    ) -> int:
        """Fetch an item, queue it for ingestion if it changed, and return its size."""
        match await reader.fetch(entry, known):
            case NoContent.UNCHANGED:
                assert known is not None, "only a known item can be unchanged"
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
                    await self._ingest(source, entry.key, content)
                    counts = RunCounts(listed=1, changed=1, bytes=size)
                await self._store.note(source, [item], counts)
                return size

    async def _ingest(self, source: Source, key: str, content: Content) -> None:
        """Add the content to the ingest of this run, which has the run's id."""
        assert source.run is not None, "a run is open"
        try:
            await self._files.find(source.tenant, source.run)
        except NotFound:
            await self._files.create(
                source.tenant, source.run, source.collection, source.type, source.id
            )
        try:
            file = await self._files.add_file(
                source.tenant, source.run, key, content.media_type, content.changed_at
            )
        except QuotaExceeded as full:
            raise FetchFailed(FetchFault.QUOTA, full.detail) from full
        for part, start in enumerate(range(0, max(len(content.content), 1), PART_BYTES)):
            piece = content.content[start : start + PART_BYTES]
            await self._files.add_part(source.tenant, file, part, piece)
        await self._store.claim(source, key, file)
        await self._files.enqueue(source.tenant, file)

    async def _remove_gone(self, source: Source) -> None:
        """Remove documents of items that are gone, in batches."""
        while gone := await self._store.left_over(source, REMOVE_BATCH):
            await self._documents.discard(source.tenant, gone)
            await self._store.count_removed(source, len(gone))


def _same_version(entry: Entry, known: Item | None) -> bool:
    return known is not None and entry.version is not None and known.version == entry.version


def _item(entry: Entry, content: Content) -> Item:
    digest = sha256((content.media_type or "").encode() + b"\0" + content.content).digest()
    return Item(entry.key, entry.version, content.etag, content.modified, digest)
