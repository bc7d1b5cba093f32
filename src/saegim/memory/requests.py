"""Carry out what a user asks of their memory in a message: list, forget, restore."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.memory.confirmations import Confirmations
from saegim.memory.consents import PostgresConsents
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Action, Actor, ChangeReason, Record, RecordQuery

MOST_KNOWN = 300
_TRAIL = 100
_REASON = "asked in turn "


@dataclass(frozen=True, eq=False)
class MemoryRequests:
    records: PostgresRecords
    consents: PostgresConsents
    confirmations: Confirmations

    async def known(self, scope: Scope, session: UUID) -> tuple[Record, ...] | None:
        """Return the valid records of the user, newest first; None if they may not be used."""
        if not (await self.consents.of(scope, session)).using:
            return None
        return await self.stored(scope)

    async def stored(self, scope: Scope) -> tuple[Record, ...]:
        """Return the valid records, newest first, also if memory is off: to forget them."""
        listed = await self.records.browse(scope, RecordQuery(count=MOST_KNOWN))
        return tuple(record for record in listed if not record.is_digest)

    async def forget(self, scope: Scope, records: Sequence[UUID], turn: UUID) -> int:
        """Forget records, and those that they replaced; redact their words from turns.

        Returns how many of `records` were forgotten.
        """
        if not records:
            return 0
        because = ChangeReason(Actor.PERSON, f"{_REASON}{turn}")
        before = {record.id for record in await self.stored(scope)}
        forgotten = await self.records.forget_said(scope, records, because)
        # A record that one of these replaced is valid again, and not what the user wants.
        while replaced := [
            record.id for record in await self.stored(scope) if record.id not in before
        ]:
            await self.records.forget_said(scope, replaced, because)
            before |= set(replaced)
        return forgotten

    async def restore(self, scope: Scope) -> int:
        """Restore the records that the last request made the memory forget; return their number."""
        trail = await self.records.trail(scope, None, _TRAIL)
        last = next((each for each in trail if each.reason.startswith(_REASON)), None)
        if last is None or last.action is not Action.FORGET:
            return 0
        records = [each.subject for each in trail if each.reason == last.reason]
        because = ChangeReason(Actor.PERSON, f"{last.reason}, undone")
        for record in records:
            await self.records.undo(scope, record, because)
        return len(records)
