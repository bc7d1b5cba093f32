"""Prepare what messages ask of memory without a model: a yes to a proposal, and undo."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

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

    async def proposed(
        self, scope: Scope, asked_in: UUID, proposed: Mapping[str, Any]
    ) -> tuple[list[TurnChange], dict[UUID, str]]:
        """Return the changes that a turn proposed, and what goes: the records with their
        statements, or the turn with its message."""
        if proposed["turn"] is not None:
            left_out = UUID(proposed["turn"])
            message = await self.changes.retraction.sources.message(scope, left_out)
            return [await self.changes.leave_out(scope, left_out)], {left_out: message}
        records = await self._unchanged(scope, map(UUID, proposed["records"]), asked_in)
        gone = await self.records.find(scope, records)
        if not gone:
            # An earlier variant of the turn that agrees forgot them.
            query = RecordQuery(count=MOST_KNOWN, forgotten=True)
            gone = [each for each in await self.records.browse(scope, query) if each.id in records]
        others = await self.records.going_with(scope, records)
        changes: list[TurnChange] = [Forget(tuple(records))]
        if proposed["alone"]:
            # The request repeats what it forgets.
            changes.append(await self.changes.leave_out(scope, asked_in, redact=False))
        return changes, {each.id: each.content for each in (*gone, *others)}

    async def _unchanged(self, scope: Scope, records: Iterable[UUID], asked_in: UUID) -> list[UUID]:
        """Leave out the records that got other words since a turn proposed to forget them."""
        unchanged = list(records)
        for record in await self.records.find(scope, unchanged):
            if record.version > 1:
                [newest, *_] = await self.records.versions(scope, record.id)
                if newest.at > made_at(asked_in):
                    unchanged.remove(record.id)
        return unchanged
