"""The index is looked after: compared with the record, and rid of what was deleted for good."""

import logging
from enum import StrEnum
from uuid import UUID

from saegim.domain.errors import IndexBroken, IndexMissing, OptionalServiceDown
from saegim.library.index.schedule import IndexSchedule
from saegim.library.index.sync import NONE_YET, IndexSync
from saegim.library.index_ports import PassageIndex
from saegim.library.repository import PostgresLibrary

log = logging.getLogger(__name__)


class IndexState(StrEnum):
    """What reading all of a tenant's index shows."""

    NONE = "none"
    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"
    UNREACHABLE = "unreachable"


class IndexMaintenance:
    def __init__(
        self,
        documents: PostgresLibrary,
        index: PassageIndex,
        indexing: IndexSync,
        schedule: IndexSchedule,
    ) -> None:
        self._documents = documents
        self._index = index
        self._indexing = indexing
        self._schedule = schedule

    async def check(self, tenant: UUID) -> IndexState:
        """Reads all of a tenant's index and changes nothing."""
        pointer = await self._documents.pointer(tenant)
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
        """Takes what is gone from the record out of the index, and off its disk at once."""
        await self._indexing.sync(tenant)
        pointer = await self._documents.pointer(tenant)
        if await self._index.passages(tenant, pointer.generation):
            await self._index.purge(tenant, pointer.generation, at_once=True)
        else:
            await self._index.create(tenant, pointer.generation, pointer.dimensions)

    async def maintain(self, tenant: UUID, subject: UUID) -> None:
        """The job of one round; run twice, it finds nothing more to do."""
        assert subject == tenant, "an index is of a whole tenant"
        # First, so that a round that fails for good is not the last.
        await self._schedule.maintain_later(tenant)
        if (await self._documents.pointer(tenant)).generation == NONE_YET:
            return
        try:
            missing, too_many = await self._indexing.reconcile(tenant)
            pointer = await self._documents.pointer(tenant)
            await self._index.check(tenant, pointer.generation)
            await self._index.purge(tenant, pointer.generation)
        except IndexMissing:
            await self._indexing.rebuild(tenant)
            log.warning("the index of tenant %s was gone and is made again", tenant)
        except IndexBroken:
            if not self._indexing.is_broken(tenant):
                raise
            await self._indexing.rebuild(tenant)
            log.warning("the index of tenant %s was damaged and is made again", tenant)
        else:
            log.info(
                "the index of tenant %s lacked %s passages and had %s too many",
                tenant,
                missing,
                too_many,
            )
