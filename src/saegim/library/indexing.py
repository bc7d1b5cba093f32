"""The index follows the record: changes in order, rebuilds side by side, a look now and then."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from saegim.domain.errors import IndexMissing
from saegim.library.ports import (
    Changes,
    DocumentStore,
    IndexFeed,
    IndexPointer,
    IndexRow,
    IndexSize,
    IndexSource,
    PassageIndex,
)
from saegim.search.analyse import passage_terms

BATCH = 512
# The generation of a tenant that has never had anything to search.
NONE_YET = 0
# Beyond about a thousand rows that are not indexed yet, text search slows down.
MOST_UNINDEXED = 1_000
# Every write leaves a piece, and a search opens each: a tenth of a millisecond apiece.
MOST_PIECES = 32
# What is written in this time goes to the index at once: each of a list of short documents is a
# change of its own.
GATHER_SECONDS = 0.25


def index_lock(tenant: UUID) -> str:
    """One writer of a tenant's index at a time, whatever it writes."""
    return f"index:{tenant}"


class Indexing:
    def __init__(self, documents: DocumentStore, feed: IndexFeed, index: PassageIndex) -> None:
        self._documents = documents
        self._feed = feed
        self._index = index

    async def follow_job(self, tenant: UUID, subject: UUID) -> int:  # noqa: ARG002 - a job's form
        """The job that tells the index."""
        return await self.follow(tenant)

    async def rebuild_job(self, tenant: UUID, subject: UUID) -> int:  # noqa: ARG002 - a job's form
        """The job that makes the index again."""
        return await self.rebuild(tenant)

    async def follow(self, tenant: UUID) -> int:
        """Tells the index what changed; run twice, it changes nothing. One at a time a tenant."""
        pointer = await self._documents.pointer(tenant)
        if pointer.generation == NONE_YET:
            await self.rebuild(tenant)
        try:
            return await self._follow(tenant, await self._documents.pointer(tenant))
        except IndexMissing:
            # Derived data is made again rather than mourned.
            await self.rebuild(tenant)
            return await self._follow(tenant, await self._documents.pointer(tenant))

    async def _follow(self, tenant: UUID, pointer: IndexPointer) -> int:
        followed = 0
        while changes := await self._changes(tenant, pointer.embedder):
            await self._index.put(tenant, pointer.generation, await rows_of(changes.put))
            await self._index.remove(tenant, pointer.generation, changes.removed)
            await self._feed.followed(tenant, changes)
            followed += len(changes.ids)
        if followed:
            size = await self._index.size(tenant, pointer.generation)
            if is_untidy(size):
                await self._index.optimise(tenant, pointer.generation)
        return followed

    async def _changes(self, tenant: UUID, embedder: str) -> Changes | None:
        """The oldest changes; where they are few, with those that come right after them."""
        changes = await self._feed.changes(tenant, embedder, BATCH)
        if changes is None or len(changes.ids) == BATCH:
            return changes
        await asyncio.sleep(GATHER_SECONDS)
        return await self._feed.changes(tenant, embedder, BATCH)

    async def rebuild(self, tenant: UUID) -> int:
        """A new index from the record, beside the old one until it is whole."""
        old = await self._documents.pointer(tenant)
        new = IndexPointer(old.generation + 1, old.embedder, old.dimensions)
        await self._index.create(tenant, new.generation, new.dimensions)
        rows, after = 0, None
        while sources := await self._feed.sources(tenant, new.embedder, after, BATCH):
            await self._index.put(tenant, new.generation, await rows_of(sources))
            rows += len(sources)
            after = sources[-1].place.passage.id
        await self._index.optimise(tenant, new.generation)
        await self._feed.point_at(tenant, new)
        await self._index.drop(tenant, old.generation)
        return rows

    async def reconcile(self, tenant: UUID) -> tuple[int, int]:
        """Compares the index with the record: how many were missing, how many too many."""
        pointer = await self._documents.pointer(tenant)
        recorded = await self._feed.passage_ids(tenant)
        indexed = await self._index.passages(tenant, pointer.generation)
        await self._index.remove(tenant, pointer.generation, indexed - recorded)
        missing = await self._feed.note_missing(tenant, recorded - indexed)
        return missing, len(indexed - recorded)


def is_untidy(size: IndexSize) -> bool:
    """Whether searching costs more for want of upkeep than upkeep does."""
    many_new = size.unindexed > max(MOST_UNINDEXED, size.rows // 20)
    return many_new or size.pieces > MOST_PIECES + size.rows // 4_000


async def rows_of(sources: Sequence[IndexSource]) -> list[IndexRow]:
    """Passages as the index holds them; a second of computing a batch, so not on the loop."""
    return await asyncio.to_thread(lambda: [index_row(source) for source in sources])


def index_row(source: IndexSource) -> IndexRow:
    """A passage as the index holds it; headings count as its words."""
    passage, document = source.place.passage, source.place.document
    headings = " ".join(filter(None, (document.title, *source.place.section.path)))
    return IndexRow(
        passage=passage.id,
        document=document.id,
        collection=document.collection,
        type=document.type,
        terms=" ".join(passage_terms(headings, passage.text)),
        vector=source.vector,
        has_steps=passage.tags.has_steps,
        has_conditions=passage.tags.has_conditions,
        has_table=passage.tags.has_table,
        language=passage.tags.language,
    )
