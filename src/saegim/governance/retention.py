"""How long things are kept: a job of each tenant that queues its successor (WM8, LM7)."""

import logging
from collections.abc import Awaitable, Callable, Mapping
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

AT_ONCE = 200

Remove = Callable[[UUID, datetime, int], Awaitable[RemovedCounts]]


@dataclass(frozen=True, slots=True)
class RetentionPeriods:
    """How long things are kept; None is for ever.

    `by_type` is for records of a type. One that never mattered (`importance`) goes after
    `unimportant`. `labels` is for records with that retention label, whatever their type or
    importance. What was forgotten can be brought back for as long as `forgotten`."""

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
    """Where rows go by their age alone: progress of ingests and imports, usage events."""

    ingests: PostgresIngests
    imports: PostgresMemoryImports
    usage: PostgresUsage


class Retention:
    def __init__(
        self,
        store: PostgresTranscripts,
        memories: PostgresExpiry,
        others: OldRows,
        clock: Clock,
        keep: RetentionPeriods,
    ) -> None:
        self._store = store
        self._memories = memories
        self._others = others
        self._clock = clock
        self._keep = keep

    def check(self, label: str | None) -> None:
        """Raises Invalid for a retention label that is not configured."""
        if label is not None and label not in self._keep.labels:
            known = ", ".join(sorted(self._keep.labels))
            raise Invalid(f"unknown retention label; configured are: {known}")

    async def clean_up(self, tenant: UUID, subject: UUID) -> RemovedCounts:
        """Removes what expired of a tenant's, and counts it. Running twice does no harm."""
        assert subject == tenant, "a clean-up is of a whole tenant"
        removed = RemovedCounts(memories=await self._forget(tenant))
        if self._keep.transcripts is not None:
            before = self._clock.now() - self._keep.transcripts
            for remove in (self._store.remove_idle, self._store.remove_old):
                removed += await _all(remove, tenant, before)
        now = self._clock.now()
        for progress in (self._others.ingests, self._others.imports):
            while await progress.remove_old(tenant, now - self._keep.ingests, AT_ONCE):
                pass
        if self._keep.usage is not None:
            while await self._others.usage.remove_old(tenant, now - self._keep.usage, AT_ONCE):
                pass
        log.info(
            "clean-up of tenant %s removed %s sessions, %s turns, %s episodes, %s memories",
            tenant,
            removed.sessions,
            removed.turns,
            removed.episodes,
            removed.memories,
        )
        await self._store.clean_again(tenant)
        return removed

    async def _forget(self, tenant: UUID) -> int:
        """Records past their time are forgotten, and those forgotten long ago are gone."""
        now, keep = self._clock.now(), self._keep
        old = (
            datetime.min.replace(tzinfo=UTC) if keep.unimportant is None else now - keep.unimportant
        )
        expiry = Expiry(
            {type_: now - kept for type_, kept in keep.by_type.items()},
            keep.importance,
            old,
            {label: None if kept is None else now - kept for label, kept in keep.labels.items()},
        )
        expired = 0
        while count := await self._memories.expire(tenant, expiry, AT_ONCE):
            expired += count
        while await self._memories.purge(tenant, now - keep.forgotten, AT_ONCE):
            pass
        return expired


async def _all(remove: Remove, tenant: UUID, before: datetime) -> RemovedCounts:
    """Batch after batch, each in a transaction of its own."""
    total = RemovedCounts()
    while removed := await remove(tenant, before, AT_ONCE):
        total += removed
    return total
