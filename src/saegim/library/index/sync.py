"""Keeps the search index in sync with Postgres: applies changes, rebuilds, reconciles."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from saegim.domain.errors import IndexBroken, IndexMissing
from saegim.library.index.repository import PostgresIndexState
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

# Larger batches block the event loop too long while rows become objects.
BATCH = 256
# Each write has a fixed cost, so a rebuild writes large batches. It optimises once at the end:
# optimising in between costs more than it saves (benchmarks/rebuild.py).
BUILD_BATCH = 2_048
# A rebuild releases the tenant's index lock this often.
SLICE_SECONDS = 30.0
# The generation of a tenant without an index.
NONE_YET = 0
FROM_THE_START = UUID(int=0)
# Searches scan unindexed rows: 1,000 of them cost each search 70 ms, indexing them once 60 ms.
MOST_UNINDEXED = 64
# Each write adds a fragment, and each search opens all of them, at 0.1 ms each.
MOST_PIECES = 32
# Each change keeps the files of the version before until the next optimisation, even if the number
# of fragments stays low.
MOST_ROUNDS = 100
# A storage fault may be temporary; an index with this many in one process is rebuilt.
MOST_FAULTS = 3
# Changes within this time are applied together: a list of short documents is one change each.
GATHER_SECONDS = 0.25


class IndexSync:
    def __init__(
        self, documents: PostgresLibrary, state: PostgresIndexState, index: PassageIndex
    ) -> None:
        self._documents = documents
        self._state = state
        self._index = index
        self._rounds: Counter[UUID] = Counter()
        self._broken: Counter[UUID] = Counter()

    async def sync_job(self, tenant: UUID, subject: UUID) -> int:  # noqa: ARG002 - a job's form
        return await self.sync(tenant)

    async def rebuild_job(self, tenant: UUID, subject: UUID) -> None:
        """Run a slice of a rebuild; the subject is the tenant, or the build to continue."""
        build = await self._state.build(tenant)
        if subject == tenant or (build is not None and subject == build.id):
            await self._rebuild_slice(tenant)

    async def sync(self, tenant: UUID) -> int:
        """Apply pending changes to the index; return how many. Idempotent, one per tenant."""
        pointer = await self._state.pointer(tenant)
        if pointer.generation == NONE_YET:
            await self.rebuild(tenant)
        try:
            return await self._sync(tenant, await self._state.pointer(tenant))
        except IndexMissing:
            rebuilt = await self._rebuild_slice(tenant)
        except IndexBroken:
            if not self.is_broken(tenant):
                raise
            rebuilt = await self._rebuild_slice(tenant)
        return await self._sync(tenant, await self._state.pointer(tenant)) if rebuilt else 0

    def is_broken(self, tenant: UUID) -> bool:
        """Count a fault of a tenant's index; True from the third on, until it is rebuilt."""
        self._broken[tenant] += 1
        return self._broken[tenant] >= MOST_FAULTS

    async def _sync(self, tenant: UUID, pointer: IndexPointer) -> int:
        applied = 0
        build = await self._state.build(tenant)
        while changes := await self._changes(tenant, pointer.embedder):
            await self._index.put(tenant, pointer.generation, await rows_of(changes.put))
            await self._index.remove(tenant, pointer.generation, changes.removed)
            if build is not None:
                changed = {source.place.passage.id for source in changes.put} | {*changes.removed}
                await self._sync_build(tenant, build, changed)
            await self._state.followed(tenant, changes)
            applied += len(changes.ids)
        if applied:
            self._rounds[tenant] += 1
            size = await self._index.size(tenant, pointer.generation)
            if is_untidy(size, self._rounds[tenant]):
                await self._index.optimise(tenant, pointer.generation)
                del self._rounds[tenant]
        return applied

    async def _changes(self, tenant: UUID, embedder: str) -> Changes | None:
        """Return the oldest changes; if they are few, wait briefly for more."""
        changes = await self._state.changes(tenant, embedder, BATCH)
        if changes is None or len(changes.ids) == BATCH:
            return changes
        await asyncio.sleep(GATHER_SECONDS)
        return await self._state.changes(tenant, embedder, BATCH)

    async def _sync_build(self, tenant: UUID, build: Build, changed: set[UUID]) -> None:
        """Apply changes to a rebuild in progress; it reads later passages itself."""
        built = {passage for passage in changed if passage <= build.after}
        sources = await self._state.sources_of(tenant, build.pointer.embedder, built)
        removed = built - {source.place.passage.id for source in sources}
        try:
            await self._index.put(tenant, build.pointer.generation, await rows_of(sources))
            await self._index.remove(tenant, build.pointer.generation, removed)
        except IndexMissing:
            # The next slice starts the build again.
            return

    async def _rebuild_slice(self, tenant: UUID) -> bool:
        """Run a slice of a rebuild and queue the rest; return whether the new index serves."""
        if await self._rebuild(tenant, time.monotonic() + SLICE_SECONDS) is not None:
            return True
        build = await self._state.build(tenant)
        if build is not None:
            await self._state.continue_build(tenant, build)
        return False

    async def rebuild(self, tenant: UUID) -> int:
        """Build a new index beside the old one, then switch; return its passages."""
        while True:
            done = await self._rebuild(tenant, time.monotonic() + SLICE_SECONDS)
            if done is not None:
                return done

    async def _rebuild(self, tenant: UUID, until: float) -> int | None:
        """Continue the rebuild; return its passages once it serves, else None."""
        old = await self._state.pointer(tenant)
        build = await self.advance(tenant, old.embedder, old.dimensions, until)
        if build is None:
            return None
        await self._state.point_at(tenant, build.pointer)
        self._broken.pop(tenant, None)
        return build.passages

    async def advance(
        self, tenant: UUID, embedder: str, dimensions: int, until: float
    ) -> Build | None:
        """Continue the build of an embedder's index; return it once it is complete, else None.

        Needs the tenant's index lock.
        """
        build = await self._state.build(tenant)
        if build is None or build.pointer.embedder != embedder:
            build = await self._begin(tenant, embedder, dimensions, build)
        try:
            return await self._fill(tenant, build, until)
        except (IndexMissing, IndexBroken):
            # The files of the build are lost, so it starts again.
            build = await self._begin(tenant, embedder, dimensions, build)
            return await self._fill(tenant, build, until)

    async def _begin(
        self, tenant: UUID, embedder: str, dimensions: int, replaced: Build | None
    ) -> Build:
        generation = await self._state.new_generation(tenant)
        if replaced is not None:
            await self._index.drop(tenant, replaced.pointer.generation)
        await self._index.create(tenant, generation, dimensions)
        build = Build(IndexPointer(generation, embedder, dimensions), FROM_THE_START)
        await self._state.keep_build(tenant, build)
        return build

    async def _fill(self, tenant: UUID, build: Build, until: float) -> Build | None:
        pointer = build.pointer
        while time.monotonic() < until:
            page, last = await self._state.sources(
                tenant, pointer.embedder, build.after, BUILD_BATCH
            )
            if last is None:
                await self._index.optimise(tenant, pointer.generation)
                return build
            await self._index.put(tenant, pointer.generation, await rows_of(page))
            build = replace(build, after=last, passages=build.passages + len(page))
            await self._state.keep_build(tenant, build)
        return None

    async def reconcile(self, tenant: UUID) -> tuple[int, int]:
        """Compare the index with Postgres and repair it; return missing and surplus passages."""
        pointer = await self._state.pointer(tenant)
        stored = await self._documents.passage_ids(tenant)
        indexed = await self._index.passages(tenant, pointer.generation)
        await self._index.remove(tenant, pointer.generation, indexed - stored)
        missing = await self._state.note_missing(tenant, stored - indexed)
        return missing, len(indexed - stored)


def is_untidy(size: IndexSize, rounds: int = 0) -> bool:
    """Return whether optimising the index costs less than slow searches or old files do."""
    many_new = size.unindexed > max(MOST_UNINDEXED, size.rows // 20)
    many_pieces = size.pieces > MOST_PIECES + size.rows // 4_000
    return many_new or many_pieces or rounds > MOST_ROUNDS + size.rows // 1_000


async def rows_of(sources: Sequence[IndexSource]) -> list[IndexRow]:
    """Make index rows in a thread: a batch takes about a second of CPU."""
    return await asyncio.to_thread(lambda: [index_row(source) for source in sources])


def index_row(source: IndexSource) -> IndexRow:
    """Make the index row of a passage; headings count as its words."""
    passage, document = source.place.passage, source.place.document
    headings = " ".join(filter(None, (document.title, *source.place.path)))
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
