"""Delete expired data: one recurring job per tenant."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from saegim.conversations.transcripts import PostgresTranscripts, RemovedCounts
from saegim.domain.errors import Invalid
from saegim.domain.ids import Clock
from saegim.governance.memory_expiry import Expiry, PostgresExpiry
from saegim.library.ingest_repository import PostgresIngests
from saegim.memory.import_repository import PostgresMemoryImports
from saegim.memory.types import MemoryType
from saegim.usage.repository import PostgresUsage

log = logging.getLogger(__name__)

BATCH = 200


@dataclass(frozen=True, slots=True)
class RetentionPeriods:
    """Retention periods; None keeps data indefinitely.

    `by_type` applies to records of a type, `unimportant` to records below `importance`, `labels`
    to records with that retention label, whatever their type or importance. Forgotten records can
    be restored for as long as `forgotten`."""

    transcripts: timedelta | None = None
    by_type: Mapping[MemoryType, timedelta] = field(default_factory=dict[MemoryType, timedelta])
    importance: float = 0.3
    unimportant: timedelta | None = timedelta(days=730)
    forgotten: timedelta = timedelta(days=30)
    labels: Mapping[str, timedelta | None] = field(default_factory=dict[str, timedelta | None])
    ingests: timedelta = timedelta(days=90)
    usage: timedelta | None = timedelta(days=800)


@dataclass(frozen=True, slots=True)
class OldRows:
    """Rows that expire by age alone: progress of ingests and imports, usage events."""

    ingests: PostgresIngests
    imports: PostgresMemoryImports
    usage: PostgresUsage


@dataclass(frozen=True, eq=False)
class Retention:
    store: PostgresTranscripts
    memories: PostgresExpiry
    others: OldRows
    clock: Clock
    keep: RetentionPeriods

    def check(self, label: str | None) -> None:
        """Raises Invalid for a retention label that is not configured."""
        if label is not None and label not in self.keep.labels:
            known = ", ".join(sorted(self.keep.labels))
            raise Invalid(f"unknown retention label; configured are: {known}")

    async def clean_up(self, tenant: UUID, subject: UUID) -> RemovedCounts:
        """Delete a tenant's expired data and count it. May run twice."""
        assert subject == tenant, "a clean-up is of a whole tenant"
        removed = RemovedCounts(memories=await self._forget(tenant))
        if self.keep.transcripts is not None:
            before = self.clock.now() - self.keep.transcripts
            for remove in (self.store.remove_idle, self.store.remove_old):
                while batch := await remove(tenant, before, BATCH):
                    removed += batch
        now = self.clock.now()
        for progress in (self.others.ingests, self.others.imports):
            while await progress.remove_old(tenant, now - self.keep.ingests, BATCH):
                pass
        if self.keep.usage is not None:
            while await self.others.usage.remove_old(tenant, now - self.keep.usage, BATCH):
                pass
        log.info(
            "clean-up of tenant %s removed %s sessions, %s turns, %s episodes, %s memories",
            tenant,
            removed.sessions,
            removed.turns,
            removed.episodes,
            removed.memories,
        )
        await self.store.clean_again(tenant)
        return removed

    async def _forget(self, tenant: UUID) -> int:
        """Forget expired records, and purge those forgotten long ago."""
        now, keep = self.clock.now(), self.keep
        never = datetime.min.replace(tzinfo=UTC)
        expiry = Expiry(
            {type_: now - period for type_, period in keep.by_type.items()},
            keep.importance,
            never if keep.unimportant is None else now - keep.unimportant,
            {label: None if age is None else now - age for label, age in keep.labels.items()},
        )
        expired = 0
        while count := await self.memories.expire(tenant, expiry, BATCH):
            expired += count
        while await self.memories.purge(tenant, now - keep.forgotten, BATCH):
            pass
        return expired
