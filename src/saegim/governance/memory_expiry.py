"""Forget expired records, in Postgres."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from saegim.db.cells import Cells, Row, fetch_all
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Action, Actor, ChangeReason, MemoryType


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


class PostgresExpiry:
    def __init__(self, cells: Cells, records: PostgresRecords, clock: Clock) -> None:
        self._cells = cells
        self._records = records
        self._clock = clock

    async def expire(self, tenant: UUID, keep: RetentionPeriods, most: int) -> int:
        """Forget a batch of expired records, and return how many; core and pinned ones stay."""
        now, values = self._clock.now(), {"tenant": tenant, "most": most}
        unlabelled = values | {"labels": list(keep.labels)}
        rows: list[Row] = []
        async with self._cells.transaction(tenant) as connection:
            if keep.unimportant is not None:
                expired = {"importance": keep.importance, "before": now - keep.unimportant}
                rows += await fetch_all(connection, "expired_by_weight", **unlabelled, **expired)
            for type_, age in keep.by_type.items():
                expired = {"type": type_, "before": now - age}
                rows += await fetch_all(connection, "expired_by_type", **unlabelled, **expired)
            for label, age in keep.labels.items():
                if age is not None:
                    expired = {"label": label, "before": now - age}
                    rows += await fetch_all(connection, "expired_by_label", **values, **expired)
        forgotten = 0
        for (member, profile), group in groupby(sorted(rows, key=_owner), key=_owner):
            ids = list({row["memory_id"] for row in group})
            forgotten += await self._forget(Scope(tenant, member, profile), ids)
        return forgotten

    async def purge(self, tenant: UUID, forgotten_before: datetime, most: int) -> int:
        """Delete records forgotten before a time, and return how many."""
        return await self._records.purge(tenant, forgotten_before, most)

    async def _forget(self, scope: Scope, records: list[UUID]) -> int:
        """Forget the records of one user in one transaction."""
        reason = ChangeReason(Actor.RULE, "past its time")
        async with self._records.writing(scope, reason) as writer:
            return await writer.forget(records, Action.EXPIRE)


def _owner(row: Row) -> tuple[UUID, UUID]:
    return row["member_id"], row["profile_id"]
