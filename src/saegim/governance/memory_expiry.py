"""Records past their time, in Postgres."""

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
    """Which records are past their time: by type, by how little they mattered, and by label.

    A record with one of the `labels` goes by that alone; a label without a time keeps it."""

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
        """Forgets some records past their time, each with its trail entry; how many.

        What is core or pinned never expires.
        """
        whose = {"tenant": tenant, "most": most}
        others = whose | {"labels": list(expiry.labels)}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(
                connection,
                "expired_by_weight",
                **others,
                importance=expiry.importance,
                before=expiry.unimportant_before,
            )
            for type_, before in expiry.said_before.items():
                rows += await fetch_all(
                    connection, "expired_by_type", **others, type=type_, before=before
                )
            for label, before in expiry.labels.items():
                if before is not None:
                    rows += await fetch_all(
                        connection, "expired_by_label", **whose, label=label, before=before
                    )
        forgotten = 0
        for (member, profile), group in groupby(sorted(rows, key=_whose), key=_whose):
            ids = list({row["memory_id"] for row in group})
            forgotten += await self._forget(Scope(tenant, member, profile), ids)
        return forgotten

    async def purge(self, tenant: UUID, forgotten_before: datetime, most: int) -> int:
        """Removes for good what was forgotten before; how many records."""
        return await self._records.purge(tenant, forgotten_before, most)

    async def _forget(self, scope: Scope, records: list[UUID]) -> int:
        """One person's at a time, each in a transaction of its own."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        because = ChangeReason(Actor.RULE, "past its time")
        cell = await self._cells.for_tenant(scope.tenant)
        async with cell.transaction(scope.tenant) as connection:
            writing = RecordWriter(connection, scope, cipher, self._clock.now(), because)
            await writing.open()
            forgotten = await writing.forget(records, Action.EXPIRE)
            await writing.close()
        return forgotten


def _whose(row: Row) -> tuple[UUID, UUID]:
    return row["member_id"], row["profile_id"]
