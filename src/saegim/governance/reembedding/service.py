"""Move a tenant to another embedder: build new vectors beside the old ones, then switch.

The job works in slices under the lock of the tenant's index, so that other index jobs get their
turn. Committed vectors are never embedded again, even if a worker is killed.
"""

import time
from dataclasses import dataclass
from itertools import batched
from uuid import UUID

from saegim.domain.errors import Conflict, Invalid
from saegim.governance.reembedding.repository import PostgresReembeds
from saegim.governance.reembedding.types import Reembed
from saegim.library.index.sync import IndexSync
from saegim.library.index_ports import PassageIndex
from saegim.llm.ports import Embedder
from saegim.llm.types import Embedders

# The longest wait of other index jobs, but for one batch or one optimise.
SLICE_SECONDS = 10.0
# Read together, embedded and committed in smaller batches, of which a kill loses one.
PAGE = 512
BATCH = 64
LIBRARY = "library"


@dataclass(frozen=True, eq=False)
class ReembedService:
    store: PostgresReembeds
    indexing: IndexSync
    index: PassageIndex
    embedders: Embedders

    async def begin(self, tenant: UUID, name: str) -> Reembed:
        """Start or continue a move; naming the embedder in use abandons a running one.

        Raises Invalid for an unknown embedder, and Conflict during a move to another."""
        embedder = self.embedders.find(name)
        if embedder is None:
            raise Invalid(f"{name}; available: {', '.join(self.embedders.names)}")
        move = await self.store.find(tenant)
        running = move is not None and not move.over
        if await self.store.uses(tenant, name):
            if running:
                await self._abandon(tenant)
            return Reembed(name, embedder.dimensions, "switched")
        if move is not None and running and move.embedder != name:
            raise Conflict(f"already moving to {move.embedder}")
        return await self.store.begin(tenant, name, embedder.dimensions)

    async def progress(self, tenant: UUID) -> Reembed | None:
        """Return the newest move, or None."""
        return await self.store.find(tenant)

    async def job(self, tenant: UUID, subject: UUID) -> None:  # noqa: ARG002 - a job's form
        """Run a slice of the move, and queue the next until it is over. May run twice."""
        if not await self.advance(tenant, time.monotonic() + SLICE_SECONDS):
            await self.store.go_on(tenant)

    async def advance(self, tenant: UUID, until: float) -> bool:
        """Embed rows without vectors, build the new index, switch; return True when it is over."""
        move = await self.store.find(tenant)
        if move is None or move.over:
            return True
        embedder = self.embedders.named(move.embedder)
        if not move.embedded and not move.cursors:
            await self.store.prepare(tenant, move)
        for kind in self.store.kinds:
            if not await self._embed(tenant, kind, embedder, until):
                return False
        build = await self.indexing.advance(tenant, move.embedder, move.dimensions, until)
        if build is None:
            return False
        if await self.store.switch(tenant, move, build.pointer.generation):
            return True
        # Rows were added meanwhile, perhaps before the cursor: start over.
        await self.store.rewind(tenant)
        return False

    async def drop_job(self, tenant: UUID, subject: UUID) -> None:  # noqa: ARG002 - a job's form
        """Drop indexes that were replaced long enough ago. May run twice."""
        for retired in await self.store.retired(tenant):
            if retired.subject == LIBRARY:
                await self.index.drop(tenant, retired.generation)
            await self.store.drop(tenant, retired)

    async def _abandon(self, tenant: UUID) -> None:
        generation = await self.store.abandon(tenant)
        if generation is not None:
            await self.index.drop(tenant, generation)

    async def _embed(self, tenant: UUID, kind: str, embedder: Embedder, until: float) -> bool:
        """Embed all rows of a kind; return False if time ran out or the move was abandoned."""
        while time.monotonic() < until:
            move = await self.store.find(tenant)
            if move is None or move.over:
                return False
            page = await self.store.lacking(tenant, kind, move, PAGE)
            if page.last is None:
                return True
            # Ordered by id, so that the cursor can follow each batch.
            for batch in batched(sorted(page.texts.items()), BATCH):
                if time.monotonic() >= until:
                    return False
                vectors = await embedder.embed([text for _, text in batch], "document")
                by_id = {each: vector for (each, _), vector in zip(batch, vectors, strict=True)}
                await self.store.keep(tenant, kind, move, by_id, max(by_id))
            await self.store.keep(tenant, kind, move, {}, page.last)
        return False
