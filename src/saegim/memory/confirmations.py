"""Ask whether unsure records still hold, and take the user's answer."""

from dataclasses import dataclass
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.db.cells import Cells
from saegim.domain.scope import Scope
from saegim.memory.proposals import agrees
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Actor, ChangeReason, Record


@dataclass(frozen=True, eq=False)
class Confirmations:
    cells: Cells
    records: PostgresRecords

    async def confirm(self, scope: Scope, record: UUID, because: ChangeReason) -> Record:
        """Make an unsure record sure again. Raises NotFound."""
        async with self.records.writing(scope, because) as writer:
            return await writer.trust(record)

    async def note_asked(self, scope: Scope, record: UUID, turn: UUID) -> None:
        """Save the turn that asks about a record, so that no other one does."""
        values = turn_rows.owner(scope) | {"memory": record, "turn": turn}
        await self.cells.run_query(scope.tenant, "note_asked", **values)

    async def take_answer(self, scope: Scope, asked_in: UUID, message: str) -> int:
        """Confirm the records that a turn asked about if the next message says yes."""
        if not agrees(message):
            return 0
        values = turn_rows.owner(scope) | {"turn": asked_in}
        rows = await self.cells.fetch_all(scope.tenant, "memories_asked_in", **values)
        for row in rows:
            await self.confirm(scope, row["memory_id"], ChangeReason(Actor.PERSON, "confirmed"))
        return len(rows)
