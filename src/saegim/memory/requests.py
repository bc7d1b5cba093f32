"""Carry out what users ask of their memory in messages to an assistant without a model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from saegim.conversations.types import Turn
from saegim.domain.ids import made_at
from saegim.domain.scope import Scope
from saegim.memory.confirmations import Confirmations
from saegim.memory.consents import PostgresConsents
from saegim.memory.repository import PostgresRecords
from saegim.memory.turn_changes import Forget, TurnChange, TurnChanges
from saegim.memory.types import Record, RecordQuery

MOST_KNOWN = 300


@dataclass(frozen=True, eq=False)
class MemoryRequests:
    records: PostgresRecords
    consents: PostgresConsents
    confirmations: Confirmations
    changes: TurnChanges

    async def known(self, scope: Scope, session: UUID) -> tuple[Record, ...] | None:
        """Return the valid records of the user, newest first; None if they may not be used."""
        if not (await self.consents.of(scope, session)).using:
            return None
        listed = await self.records.browse(scope, RecordQuery(count=MOST_KNOWN))
        return tuple(record for record in listed if not record.is_digest)

    async def stored(self, scope: Scope) -> tuple[Record, ...]:
        """Return all valid records, newest first."""
        return tuple(await self.records.browse_all(scope))

    async def going_with(self, scope: Scope, records: Sequence[UUID]) -> tuple[str, ...]:
        """Return the other statements that go when the user forgets records."""
        return tuple(each.content for each in await self.records.going_with(scope, records))

    async def carry_out(
        self, turn: Turn, asked_in: UUID, proposed: Mapping[str, Any]
    ) -> dict[UUID, str]:
        """Do what a turn proposed, as another one agrees; return what went: the records with their
        statements, or the turn with its message."""
        scope = turn.scope
        if proposed["turn"] is not None:
            left_out = UUID(proposed["turn"])
            message = await self.changes.retraction.sources.message(scope, left_out)
            await self.changes.carry_out(turn, [await self.changes.leave_out(scope, left_out)])
            return {left_out: message}
        records = await self._unchanged(scope, map(UUID, proposed["records"]), asked_in)
        gone = await self.records.find(scope, records)
        if not gone:
            # Another process forgot them for this turn, and died.
            query = RecordQuery(count=MOST_KNOWN, forgotten=True)
            gone = [each for each in await self.records.browse(scope, query) if each.id in records]
        others = await self.records.going_with(scope, records)
        changes: list[TurnChange] = [Forget(tuple(records))]
        if proposed["alone"]:
            # The request repeats what it forgets.
            changes.append(await self.changes.leave_out(scope, asked_in, redact=False))
        await self.changes.carry_out(turn, changes)
        return {each.id: each.content for each in (*gone, *others)}

    async def _unchanged(self, scope: Scope, records: Iterable[UUID], asked_in: UUID) -> list[UUID]:
        """Leave out the records that got other words since a turn proposed to forget them."""
        unchanged = list(records)
        for record in await self.records.find(scope, unchanged):
            if record.version > 1:
                [newest, *_] = await self.records.versions(scope, record.id)
                if newest.at > made_at(asked_in):
                    unchanged.remove(record.id)
        return unchanged

    async def restore(self, turn: Turn) -> tuple[UUID, list[str]] | None:
        """Take back the last change of memory that a message asked for; return the turn that had
        changed it, and what comes back."""
        found = await self.changes.undoable(turn.scope, None)
        if found is None:
            return None
        undo, statements = found
        await self.changes.carry_out(turn, [undo])
        return undo.of, statements
