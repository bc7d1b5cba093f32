"""The index follows the record: changes in order, rebuilds side by side, a look now and then."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from saegim.domain.errors import IndexBroken, IndexMissing
from saegim.library.index.schedule import IndexSchedule
from saegim.library.index_ports import (
    Build,
    Changes,
    IndexPointer,
    IndexRow,
    IndexSize,
    IndexSource,
    PassageIndex,
)
from saegim.library.repository import PostgresLibrary
from saegim.text.analysis import passage_terms

# What the loop turns from rows to objects in one go; twice as many hold it up too long.
BATCH = 256
# Of a build: few large writes, since each costs the engine the same again. It is tidied once, at
# the end: on the way that costs more than it saves (benchmarks/rebuild.py).
BUILD_BATCH = 2_048
# A build lets others of its tenant at the index this often.
SLICE_SECONDS = 30.0
# The generation of a tenant that has never had anything to search.
NONE_YET = 0
FROM_THE_START = UUID(int=0)
# A search reads what is not indexed yet row by row: a thousand of them cost each turn 70 ms of a
# processor, and indexing them once 60.
MOST_UNINDEXED = 64
# Every write leaves a piece, and a search opens each: a tenth of a millisecond apiece.
MOST_PIECES = 32
# Every change leaves the files of the version before it until the next upkeep, also where a library
# that takes as much as it gives up never has many pieces.
MOST_ROUNDS = 100
# A fault of storage may pass; an index that has had so many in a process is made again.
MOST_FAULTS = 3
# What is written in this time goes to the index at once: each of a list of short documents is a
# change of its own.
GATHER_SECONDS = 0.25


class IndexSync:
    def __init__(
        self, documents: PostgresLibrary, schedule: IndexSchedule, index: PassageIndex
    ) -> None:
        self._documents = documents
        self._schedule = schedule
        self._index = index
        self._rounds: Counter[UUID] = Counter()
        self._broken: Counter[UUID] = Counter()

    async def sync_job(self, tenant: UUID, subject: UUID) -> int:  # noqa: ARG002 - a job's form
        """The job that tells the index."""
        return await self.sync(tenant)

    async def rebuild_job(self, tenant: UUID, subject: UUID) -> None:
        """The job that makes the index again, a slice at a time.

        Its subject is the tenant, or the build that it goes on with, if that is not over yet."""
        build = await self._documents.build(tenant)
        if subject == tenant or (build is not None and subject == build.id):
            await self._rebuild_some(tenant)

    async def sync(self, tenant: UUID) -> int:
        """Tells the index what changed; run twice, it changes nothing. One at a time a tenant."""
        pointer = await self._documents.pointer(tenant)
        if pointer.generation == NONE_YET:
            await self.rebuild(tenant)
        try:
            return await self._sync(tenant, await self._documents.pointer(tenant))
        except IndexMissing:
            # Derived data is made again rather than mourned.
            rebuilt = await self._rebuild_some(tenant)
        except IndexBroken:
            if not self.is_broken(tenant):
                raise
            rebuilt = await self._rebuild_some(tenant)
        return await self._sync(tenant, await self._documents.pointer(tenant)) if rebuilt else 0

    def is_broken(self, tenant: UUID) -> bool:
        """Counts a fault of a tenant's index; True from the third on, until it is made again."""
        self._broken[tenant] += 1
        return self._broken[tenant] >= MOST_FAULTS

    async def _sync(self, tenant: UUID, pointer: IndexPointer) -> int:
        followed = 0
        build = await self._documents.build(tenant)
        while changes := await self._changes(tenant, pointer.embedder):
            await self._index.put(tenant, pointer.generation, await rows_of(changes.put))
            await self._index.remove(tenant, pointer.generation, changes.removed)
            if build is not None:
                changed = {source.place.passage.id for source in changes.put} | {*changes.removed}
                await self._sync_beside(tenant, build, changed)
            await self._documents.followed(tenant, changes)
            followed += len(changes.ids)
        if followed:
            self._rounds[tenant] += 1
            size = await self._index.size(tenant, pointer.generation)
            if is_untidy(size, self._rounds[tenant]):
                await self._index.optimise(tenant, pointer.generation)
                del self._rounds[tenant]
        return followed

    async def _changes(self, tenant: UUID, embedder: str) -> Changes | None:
        """The oldest changes; where they are few, with those that come right after them."""
        changes = await self._documents.changes(tenant, embedder, BATCH)
        if changes is None or len(changes.ids) == BATCH:
            return changes
        await asyncio.sleep(GATHER_SECONDS)
        return await self._documents.changes(tenant, embedder, BATCH)

    async def _sync_beside(self, tenant: UUID, build: Build, changed: set[UUID]) -> None:
        """Tells an index on its way what changed; what it has not come to yet it reads itself."""
        there = {passage for passage in changed if passage <= build.after}
        sources = await self._documents.sources_of(tenant, build.pointer.embedder, there)
        gone = there - {source.place.passage.id for source in sources}
        try:
            await self._index.put(tenant, build.pointer.generation, await rows_of(sources))
            await self._index.remove(tenant, build.pointer.generation, gone)
        except IndexMissing:
            # It is begun anew by the next slice, from the record.
            return

    async def _rebuild_some(self, tenant: UUID) -> bool:
        """A slice of a rebuild, with the job for the rest; True when the new index serves."""
        if await self._rebuild(tenant, time.monotonic() + SLICE_SECONDS) is not None:
            return True
        build = await self._documents.build(tenant)
        if build is not None:
            await self._schedule.go_on(tenant, build)
        return False

    async def rebuild(self, tenant: UUID) -> int:
        """A new index from the record, beside the old one until it is whole; tells its passages."""
        while True:
            done = await self._rebuild(tenant, time.monotonic() + SLICE_SECONDS)
            if done is not None:
                return done

    async def _rebuild(self, tenant: UUID, until: float) -> int | None:
        """Goes on with an index of the same embedder; its passages once it serves."""
        old = await self._documents.pointer(tenant)
        build = await self.advance(tenant, old.embedder, old.dimensions, until)
        if build is None:
            return None
        await self._documents.point_at(tenant, build.pointer)
        self._broken.pop(tenant, None)
        return build.passages

    async def advance(
        self, tenant: UUID, embedder: str, dimensions: int, until: float
    ) -> Build | None:
        """Goes on with the build of an embedder's index, from where it was left; itself when whole.

        Nobody else may write to the tenant's index meanwhile."""
        build = await self._documents.build(tenant)
        if build is None or build.pointer.embedder != embedder:
            build = await self._begin(tenant, embedder, dimensions, build)
        try:
            return await self._fill(tenant, build, until)
        except (IndexMissing, IndexBroken):
            # What was built is lost: from the start, and no loss but time.
            build = await self._begin(tenant, embedder, dimensions, build)
            return await self._fill(tenant, build, until)

    async def _begin(
        self, tenant: UUID, embedder: str, dimensions: int, instead_of: Build | None
    ) -> Build:
        generation = await self._documents.new_generation(tenant)
        if instead_of is not None:
            await self._index.drop(tenant, instead_of.pointer.generation)
        await self._index.create(tenant, generation, dimensions)
        build = Build(IndexPointer(generation, embedder, dimensions), FROM_THE_START)
        await self._documents.keep_build(tenant, build)
        return build

    async def _fill(self, tenant: UUID, build: Build, until: float) -> Build | None:
        pointer = build.pointer
        while time.monotonic() < until:
            page = await self._documents.sources(tenant, pointer.embedder, build.after, BUILD_BATCH)
            if page.last is None:
                await self._index.optimise(tenant, pointer.generation)
                return build
            await self._index.put(tenant, pointer.generation, await rows_of(page.sources))
            build = replace(build, after=page.last, passages=build.passages + len(page.sources))
            await self._documents.keep_build(tenant, build)
        return None

    async def reconcile(self, tenant: UUID) -> tuple[int, int]:
        """Compares the index with the record: how many were missing, how many too many."""
        pointer = await self._documents.pointer(tenant)
        recorded = await self._documents.passage_ids(tenant)
        indexed = await self._index.passages(tenant, pointer.generation)
        await self._index.remove(tenant, pointer.generation, indexed - recorded)
        missing = await self._documents.note_missing(tenant, recorded - indexed)
        return missing, len(indexed - recorded)


def is_untidy(size: IndexSize, rounds: int = 0) -> bool:
    """Whether an index costs more for want of upkeep than upkeep does: in searches, or, after so
    many rounds of changes, in files."""
    many_new = size.unindexed > max(MOST_UNINDEXED, size.rows // 20)
    many_pieces = size.pieces > MOST_PIECES + size.rows // 4_000
    return many_new or many_pieces or rounds > MOST_ROUNDS + size.rows // 1_000


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
