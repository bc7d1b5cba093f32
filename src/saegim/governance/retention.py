"""Delete expired data: one recurring job per tenant."""

import logging
from dataclasses import dataclass
from uuid import UUID

from saegim.conversations.search import TurnSearch
from saegim.conversations.transcripts import UNDO, PostgresTranscripts, RemovedCounts
from saegim.domain.errors import Invalid
from saegim.domain.ids import Clock
from saegim.governance.memory_expiry import PostgresExpiry, RetentionPeriods
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.originals import Originals
from saegim.memory.import_repository import PostgresMemoryImports
from saegim.usage.repository import PostgresUsage

log = logging.getLogger(__name__)

BATCH = 200


@dataclass(frozen=True, kw_only=True, eq=False)
class Retention:
    store: PostgresTranscripts
    memories: PostgresExpiry
    ingests: PostgresIngests
    originals: Originals
    imports: PostgresMemoryImports
    usage: PostgresUsage
    search: TurnSearch
    clock: Clock
    keep: RetentionPeriods

    def check(self, label: str | None) -> None:
        """Raises Invalid for a retention label that is not configured."""
        if label is not None and label not in self.keep.labels:
            known = ", ".join(sorted(self.keep.labels))
            raise Invalid(f"unknown retention label; configured are: {known}")

    async def clean_up(self, tenant: UUID, subject: UUID) -> RemovedCounts:
        """Delete a tenant's expired data and count it, and index older turns. May run twice."""
        assert subject == tenant, "a clean-up is of a whole tenant"
        removed = RemovedCounts(memories=await self._forget(tenant))
        removed += await self.delete_hidden(tenant)
        if self.keep.transcripts is not None:
            before = self.clock.now() - self.keep.transcripts
            for remove in (self.store.remove_idle, self.store.remove_old):
                while batch := await remove(tenant, before, BATCH):
                    removed += batch
        now = self.clock.now()
        for progress in (self.ingests, self.imports):
            while await progress.remove_old(tenant, now - self.keep.ingests, BATCH):
                pass
        while await self.originals.remove_unused(tenant, BATCH):
            pass
        if self.keep.usage is not None:
            while await self.usage.remove_old(tenant, now - self.keep.usage, BATCH):
                pass
        log.info(
            "clean-up of tenant %s removed %s sessions, %s turns, %s episodes, %s memories",
            tenant,
            removed.sessions,
            removed.turns,
            removed.episodes,
            removed.memories,
        )
        await self.search.index_older(tenant)
        await self.store.clean_again(tenant)
        return removed

    async def delete_hidden(self, tenant: UUID, _session: UUID | None = None) -> RemovedCounts:
        """Delete the sessions of a tenant that can no longer be restored. May run twice."""
        removed, before = RemovedCounts(), self.clock.now() - UNDO
        while batch := await self.store.remove_hidden(tenant, before, BATCH):
            removed += batch
        return removed

    async def _forget(self, tenant: UUID) -> int:
        """Forget expired records, and purge those forgotten long ago."""
        expired = 0
        while count := await self.memories.expire(tenant, self.keep, BATCH):
            expired += count
        before = self.clock.now() - self.keep.forgotten
        while await self.memories.purge(tenant, before, BATCH):
            pass
        return expired
