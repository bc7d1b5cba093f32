"""Read how a user's records changed: which replaced which, and what was corrected."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.db.cells import Cells
from saegim.domain.scope import Scope
from saegim.encryption.keyring import Keyring
from saegim.memory import record_rows
from saegim.memory.types import Record


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A statement, what it became, and when; `old` is the record as it was."""

    old: Record
    new: Record
    at: datetime


@dataclass(frozen=True, eq=False)
class RecordHistory:
    cells: Cells
    keyring: Keyring

    async def find(self, scope: Scope, records: Iterable[UUID]) -> dict[UUID, Record]:
        """Return records by id, superseded or not, without forgotten ones."""
        ids = list(dict.fromkeys(records))
        if not ids:
            return {}
        cell = await self.cells.for_tenant(scope.tenant)
        owner = turn_rows.owner(scope)
        rows = await cell.read(scope.tenant, "find_memories", **owner, memories=ids)
        cipher = await self.keyring.user(scope.tenant, scope.user)
        return {row["memory_id"]: record_rows.read(row, cipher) for row in rows}

    async def changes(
        self, scope: Scope, since: datetime, until: datetime, count: int
    ) -> list[RecordChange]:
        """Return what was replaced or corrected in a time span, the last change first."""
        span = {"since": since, "until": until, "count": count}
        cell = await self.cells.for_tenant(scope.tenant)
        owner = turn_rows.owner(scope)
        ended, revised = await cell.read_together(
            scope.tenant,
            ("superseded_memories", owner | span),
            ("corrected_memories", owner | span),
        )
        cipher = await self.keyring.user(scope.tenant, scope.user)
        new = await self.find(
            scope,
            [
                *(row["superseded_by"] for row in ended),
                *(row["memory_id"] for row in revised),
            ],
        )
        changes: list[RecordChange] = []
        for row in ended:
            if (successor := new.get(row["superseded_by"])) is not None:
                old = record_rows.read(row, cipher)
                changes.append(RecordChange(old, successor, row["ended_at"]))
        # Of several corrections, what held before the first and when the last was made.
        first = {row["memory_id"]: row for row in revised}
        last = {row["memory_id"]: row["revised_at"] for row in reversed(revised)}
        for identifier, row in first.items():
            record = new.get(identifier)
            if record is None or record.superseded_by is not None:
                continue
            earlier = record_rows.read_version(row, cipher).statement
            if earlier.content != record.content:
                old = record_rows.as_version(record, earlier)
                changes.append(RecordChange(old, record, last[identifier]))
        return sorted(changes, key=lambda change: change.at, reverse=True)[:count]
