"""Moving a tenant to another embedder: side by side while search goes on, then all at once.

A slice at a time under the lock of the tenant's index, so that whatever else waits for the index
gets its turn. What was committed is never embedded again: a killed worker's job goes on after it.
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

# How long others wait for the tenant's index at most, but for one batch or one optimise.
SLICE_SECONDS = 10.0
# Looked at together; embedded and committed in smaller batches, which is what a kill loses.
LOOKED_AT = 512
BATCH = 64
LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class MoveProgress:
    """How far a move is, for people."""

    embedder: str
    embedded: int
    total: int
    over: bool


class ReembedService:
    def __init__(
        self,
        store: PostgresReembeds,
        indexing: IndexSync,
        index: PassageIndex,
        embedders: Embedders,
    ) -> None:
        self._store = store
        self._indexing = indexing
        self._index = index
        self._embedders = embedders

    async def begin(self, tenant: UUID, name: str) -> MoveProgress:
        """Starts a move, or goes on with it; to the embedder in use, it gives up one under way.

        Raises Invalid for an embedder that the settings do not provide, and Conflict while the
        tenant moves to another."""
        embedder = self._embedders.find(name)
        if embedder is None:
            raise Invalid(f"{name}; there are: {', '.join(self._embedders.names)}")
        move = await self._store.find(tenant)
        running = move is not None and move.state == "running"
        if await self._store.uses(tenant, name):
            if running:
                await self._give_up(tenant)
            return MoveProgress(name, 0, 0, over=True)
        if move is not None and running and move.embedder != name:
            raise Conflict(f"on its way to {move.embedder}")
        return _progress(await self._store.begin(tenant, name, embedder.dimensions))

    async def progress(self, tenant: UUID) -> MoveProgress | None:
        """How far the newest move is; None if there was none."""
        move = await self._store.find(tenant)
        return None if move is None else _progress(move)

    async def job(self, tenant: UUID, subject: UUID) -> None:  # noqa: ARG002 - a job's form
        """A slice of the move; queues the next one until it is over. May run twice."""
        if not await self.advance(tenant, time.monotonic() + SLICE_SECONDS):
            await self._store.go_on(tenant)

    async def advance(self, tenant: UUID, until: float) -> bool:
        """Embeds what lacks a vector, builds the index beside, switches; True when it is over."""
        move = await self._store.find(tenant)
        if move is None or move.state != "running":
            return True
        embedder = self._embedders.named(move.embedder)
        if not move.embedded and not move.cursors:
            await self._store.prepare(tenant, move)
        for kind in self._store.kinds:
            if not await self._embed(tenant, kind, embedder, until):
                return False
        build = await self._indexing.advance(tenant, move.embedder, move.dimensions, until)
        if build is None:
            return False
        if await self._store.switch(tenant, move, build.pointer.generation):
            return True
        # Something came in meanwhile, perhaps behind the cursor: it is found from the start.
        await self._store.rewind(tenant)
        return False

    async def drop_job(self, tenant: UUID, subject: UUID) -> None:  # noqa: ARG002 - a job's form
        """Drops what was replaced long enough ago. May run twice."""
        for retired in await self._store.retired(tenant):
            if retired.subject == LIBRARY:
                await self._index.drop(tenant, retired.generation)
            await self._store.drop(tenant, retired)

    async def _give_up(self, tenant: UUID) -> None:
        generation = await self._store.abandon(tenant)
        if generation is not None:
            await self._index.drop(tenant, generation)

    async def _embed(self, tenant: UUID, kind: str, embedder: Embedder, until: float) -> bool:
        """Embeds all of a kind that lacks a vector; False if time ran out or it was given up."""
        while time.monotonic() < until:
            move = await self._store.find(tenant)
            if move is None or move.state != "running":
                return False
            found = await self._store.lacking(tenant, kind, move, LOOKED_AT)
            if found.last is None:
                return True
            # In the order of ids, so that all before a batch is done when the batch is.
            for batch in batched(sorted(found.texts.items()), BATCH):
                if time.monotonic() >= until:
                    return False
                vectors = await embedder.embed([text for _, text in batch], "document")
                made = {each: vector for (each, _), vector in zip(batch, vectors, strict=True)}
                await self._store.keep(tenant, kind, move, made, max(made))
            await self._store.keep(tenant, kind, move, {}, found.last)
        return False


def _progress(move: Reembed) -> MoveProgress:
    return MoveProgress(move.embedder, move.embedded, move.total, over=move.state != "running")
