"""Turns that are opened and settled with changes of memory, without a model."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from saegim.conversations.branches import BranchPoint, PointKind
from saegim.conversations.types import (
    Lease,
    LeaseTimes,
    NewTurn,
    OpenTurn,
    Outcome,
    Turn,
    TurnInputs,
    TurnState,
)
from saegim.db.cells import Connection
from saegim.domain.ids import SystemClock, new_id
from saegim.memory.turn_changes import Remember, TurnChange, TurnChanges
from saegim.memory.types import MemoryType, Record, Statement
from tests.stack import Stack

DONE = Outcome(TurnState.DONE, "네")


@dataclass
class TurnSettlement:
    """Turns of one session of a user."""

    stack: Stack
    session: str = "s"
    user: str = "alice"
    last: OpenTurn = field(init=False)

    @property
    def changes(self) -> TurnChanges:
        return self.stack.services.memory.turn_changes

    async def open(self, message: str, variant_of: Turn | None = None, **more: Any) -> Turn:
        """Stores a message; one with `variant_of` beside that turn."""
        now = SystemClock().now()
        new = NewTurn(
            id=new_id(now),
            message=message,
            inputs=TurnInputs(),
            session=str(variant_of.session) if variant_of else self.session,
            idempotency_key=None,
            lease=Lease(new_id(now), 1),
            times=LeaseTimes(lasts_seconds=600),
            now=now,
            point=BranchPoint(variant_of.id, PointKind.VARIANT) if variant_of else None,
        )
        caller = await self.stack.caller(self.user)
        self.last = await self.stack.services.conversations.turns.receive(caller, new)
        return self.last.turn

    async def settle(
        self,
        *changes: TurnChange,
        outcome: Outcome = DONE,
        apply: Callable[[Connection], Awaitable[None]] | None = None,
        lease: Lease | None = None,
    ) -> bool:
        """Settles the last turn; returns whether its lease was still held."""
        turn, held = self.last.turn, lease or self.last.lease
        assert held is not None
        if changes:
            apply = self.changes.applying(turn, changes)
        settlement = self.stack.services.conversations.settlement
        return await settlement.settle(turn, held, outcome, [], apply) is not None

    async def said(
        self, message: str, *changes: TurnChange, variant_of: Turn | None = None
    ) -> Turn:
        turn = await self.open(message, variant_of)
        assert await self.settle(*changes)
        return turn

    async def remembered(self, content: str, *replaces: Record) -> Turn:
        """Says and remembers a statement."""
        turn = await self.open(content)
        assert await self.settle(await self.remember(content, *replaces))
        return turn

    async def remember(self, content: str, *replaces: Record, call: int = 0) -> Remember:
        statement = Statement(MemoryType.FACT, content, 0.6)
        replaced = [record.id for record in replaces]
        return await self.changes.remember(self.last.turn, call, statement, content, replaced)

    async def undo(self) -> list[str]:
        """Undoes the last change of the session in a turn of its own; returns what it shows."""
        turn = await self.open("undo")
        found = await self.changes.undoable(turn, turn.session)
        assert await self.settle(*([found[0]] if found else []))
        return found[1] if found else []

    async def known(self) -> dict[str, Record]:
        """Returns the valid records by their contents."""
        scope = (await self.stack.caller(self.user)).scope
        records = await self.stack.services.memory.records.browse_all(scope)
        return {record.content: record for record in records}
