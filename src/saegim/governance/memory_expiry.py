"""Forget expired records, in Postgres."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from uuid import UUID

from saegim.db.cells import Cells, Row, fetch_all
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.keyring import Keyring
from saegim.memory.record_writer import RecordWriter
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Action, Actor, ChangeReason, MemoryType


@dataclass(frozen=True, slots=True)
class Expiry:
    """When records expire: by type, by importance, and by label.

    A record with one of the `labels` follows that label alone; None never expires."""

    said_before: Mapping[MemoryType, datetime]
    importance: float
    unimportant_before: datetime
    labels: Mapping[str, datetime | None] = field(default_factory=dict[str, datetime | None])


class PostgresExpiry:
    def __init__(
        self, cells: Cells, keyring: Keyring, records: PostgresRecords, clock: Clock
    ) -> None:
        self._cells = cells
        self._keyring = keyring
        self._records = records
        self._clock = clock

    async def expire(self, tenant: UUID, expiry: Expiry, most: int) -> int:
        """Forget a batch of expired records, and return how many; core and pinned ones stay."""
        values = {"tenant": tenant, "most": most}
        unlabelled = values | {"labels": list(expiry.labels)}
        async with self._cells.transaction(tenant) as connection:
            rows = await fetch_all(
                connection,
                "expired_by_weight",
                **unlabelled,
                importance=expiry.importance,
                before=expiry.unimportant_before,
            )
            for type_, before in expiry.said_before.items():
                rows += await fetch_all(
                    connection, "expired_by_type", **unlabelled, type=type_, before=before
                )
            for label, before in expiry.labels.items():
                if before is not None:
                    rows += await fetch_all(
                        connection, "expired_by_label", **values, label=label, before=before
                    )
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
        cipher = await self._keyring.user(scope.tenant, scope.user)
        reason = ChangeReason(Actor.RULE, "past its time")
        async with self._cells.transaction(scope.tenant) as connection:
            writing = RecordWriter(connection, scope, cipher, self._clock.now(), reason)
            await writing.open()
            forgotten = await writing.forget(records, Action.EXPIRE)
            await writing.close()
        return forgotten


def _owner(row: Row) -> tuple[UUID, UUID]:
    return row["member_id"], row["profile_id"]
