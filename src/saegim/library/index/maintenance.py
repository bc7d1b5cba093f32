"""Maintains the search index: checks and repairs it, and purges deleted rows from disk."""

import logging
from enum import StrEnum
from uuid import UUID

from saegim.domain.errors import IndexBroken, IndexMissing, OptionalServiceDown
from saegim.library.index.repository import PostgresIndexState
from saegim.library.index.sync import NONE_YET, IndexSync
from saegim.library.index_ports import PassageIndex

log = logging.getLogger(__name__)


class IndexState(StrEnum):
    """The result of reading a tenant's whole index."""

    NONE = "none"
    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"
    UNREACHABLE = "unreachable"


class IndexMaintenance:
    def __init__(self, state: PostgresIndexState, index: PassageIndex, sync: IndexSync) -> None:
        self._state = state
        self._index = index
        self._sync = sync

    async def check(self, tenant: UUID) -> IndexState:
        """Read all of a tenant's index without changing it."""
        pointer = await self._state.pointer(tenant)
        if pointer.generation == NONE_YET:
            return IndexState.NONE
        try:
            await self._index.check(tenant, pointer.generation)
        except IndexMissing:
            return IndexState.MISSING
        except IndexBroken:
            return IndexState.BROKEN
        except OptionalServiceDown:
            return IndexState.UNREACHABLE
        return IndexState.OK

    async def forget(self, tenant: UUID) -> None:
        """Remove deleted passages from the index and its files at once."""
        await self._sync.sync(tenant)
        pointer = await self._state.pointer(tenant)
        if await self._index.passages(tenant, pointer.generation):
            await self._index.purge(tenant, pointer.generation, at_once=True)
        else:
            await self._index.create(tenant, pointer.generation, pointer.dimensions)

    async def maintain(self, tenant: UUID, subject: UUID) -> None:
        """The maintenance job: repair and purge the index. Idempotent."""
        assert subject == tenant, "an index is of a whole tenant"
        # Queue the next one first, so that a failed round is not the last.
        await self._state.maintain_later(tenant)
        if (await self._state.pointer(tenant)).generation == NONE_YET:
            return
        try:
            missing, surplus = await self._sync.reconcile(tenant)
            pointer = await self._state.pointer(tenant)
            await self._index.check(tenant, pointer.generation)
            await self._index.purge(tenant, pointer.generation)
        except IndexMissing:
            await self._sync.rebuild(tenant)
            log.warning("the index of tenant %s was missing and is rebuilt", tenant)
        except IndexBroken:
            if not self._sync.is_broken(tenant):
                raise
            await self._sync.rebuild(tenant)
            log.warning("the index of tenant %s was damaged and is rebuilt", tenant)
        else:
            counts = (missing, surplus)
            log.info("index of tenant %s: %s passages missing, %s surplus", tenant, *counts)
