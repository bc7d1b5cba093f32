"""Carry out what users ask of their memory in messages: forget, leave out, undo."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from saegim.conversations.types import Turn
from saegim.domain.errors import NotFound
from saegim.domain.ids import made_at
from saegim.domain.scope import Scope
from saegim.memory.confirmations import Confirmations
from saegim.memory.consents import PostgresConsents
from saegim.memory.extraction.retraction import TurnRetraction
from saegim.memory.proposals import besides_request
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Action, Actor, ChangeReason, Record, RecordQuery

MOST_KNOWN = 300
_TRAIL = 1_000
_REASON = "asked in turn "


@dataclass(frozen=True, eq=False)
class MemoryRequests:
    records: PostgresRecords
    consents: PostgresConsents
    confirmations: Confirmations
    retraction: TurnRetraction

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
    ) -> tuple[str, ...]:
        """Do what a turn proposed, as another one agrees; return what went."""
        scope = turn.scope
        if proposed["turn"] is not None:
            return (await self.leave_out(scope, UUID(proposed["turn"]), turn.id),)
        records = await self._unchanged(scope, map(UUID, proposed["records"]), asked_in)
        others = await self.going_with(scope, records)
        gone = await self.forget(scope, records, turn.id)
        if proposed["alone"]:
            # The request repeats what it forgets.
            because = ChangeReason(Actor.PERSON, f"{_REASON}{turn.id}")
            await self.retraction.take_back(scope, asked_in, because)
            async with self.records.writing(scope, because) as writer:
                await writer.note(Action.FORGET, asked_in)
        return tuple(dict.fromkeys([*(each.content for each in gone), *others]))

    async def _unchanged(self, scope: Scope, records: Iterable[UUID], asked_in: UUID) -> list[UUID]:
        """Leave out the records that got other words since a turn proposed to forget them."""
        unchanged = list(records)
        for record in await self.records.find(scope, unchanged):
            if record.version > 1:
                [newest, *_] = await self.records.versions(scope, record.id)
                if newest.at > made_at(asked_in):
                    unchanged.remove(record.id)
        return unchanged

    async def forget(self, scope: Scope, records: Sequence[UUID], turn: UUID) -> list[Record]:
        """Forget records, and those that they replaced; redact their words from turns.

        Returns those of `records` that are forgotten.
        """
        because = ChangeReason(Actor.PERSON, f"{_REASON}{turn}")
        before = {record.id for record in await self.stored(scope)}
        chosen = list(await self.records.find(scope, records))
        going = [record.id for record in chosen]
        # A record that one of these replaced is valid again, and not what the user wants.
        while going:
            replaced = await self.records.forget_said(scope, going, because)
            going = [each for each in replaced if each not in before]
            before |= set(going)
        if not chosen:
            # Another process forgot them for this turn, and died.
            query = RecordQuery(count=MOST_KNOWN, forgotten=True)
            chosen = [
                each for each in await self.records.browse(scope, query) if each.id in records
            ]
        return chosen

    async def leave_out(self, scope: Scope, left_out: UUID, turn: UUID) -> str:
        """Take back what was remembered of a turn, and exclude it; return its message."""
        because = ChangeReason(Actor.PERSON, f"{_REASON}{turn}")
        message = await self._message(scope, left_out)
        await self.retraction.take_back(scope, left_out, because, redact=True)
        async with self.records.writing(scope, because) as writer:
            await writer.note(Action.FORGET, left_out)
        return message

    async def restore(self, scope: Scope) -> list[str]:
        """Restore what the last request of a message forgot that is not restored yet.

        Returns the statements that are valid again, and messages that may be remembered again.
        """
        trail = await self.records.trail(scope, None, _TRAIL)
        restored: set[UUID] = set()
        for event in trail:
            if event.action is Action.UNDO:
                restored.add(event.subject)
            if event.action is not Action.FORGET or event.subject in restored:
                continue
            if event.reason.startswith(_REASON):
                subjects = [each.subject for each in trail if each.reason == event.reason]
                return await self._restore(scope, subjects, f"{event.reason}, undone")
        return []

    async def _restore(self, scope: Scope, subjects: Sequence[UUID], reason: str) -> list[str]:
        because, turns = ChangeReason(Actor.PERSON, reason), list[UUID]()
        # The oldest first: one that replaced another closes it again.
        for subject in sorted(set(subjects)):
            try:
                await self.records.undo(scope, subject, because)
            except NotFound:
                if await self.retraction.sources.read_again(scope, subject):
                    turns.append(subject)
                    async with self.records.writing(scope, because) as writer:
                        await writer.note(Action.UNDO, subject)
        # Read now that the words of their records are restored.
        messages = [await self._message(scope, turn) for turn in turns]
        records = await self.records.find(scope, subjects)
        restored = [
            *filter(besides_request, messages),
            *(each.content for each in records if each.superseded_by not in subjects),
        ]
        return restored or (messages if len(subjects) == 1 else [])

    async def _message(self, scope: Scope, turn: UUID) -> str:
        window = await self.retraction.sources.window(scope.tenant, turn, 1)
        return window.turns[-1].message if window else ""
