"""Follow a change to the records that rest on what changed, in its transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.db.cells import Row


@dataclass(slots=True)
class Consequences(turn_rows.OwnedRows):
    """Finds and marks the records of one user that rest on others."""

    async def doubt(self, changed: UUID, new: UUID, now: datetime) -> list[UUID]:
        """Mark the records as unsure that rest on a changed one; `new` is its new value."""
        return _ids(await self.all("doubt_memories", memories=[changed], new=new, now=now))

    async def trust(self, valid_again: Sequence[UUID], now: datetime) -> None:
        """Make the records sure again that rest on records that are valid again."""
        if valid_again:
            await self.run("trust_memories", memories=list(valid_again), now=now)

    async def resting_on(self, forgotten: Sequence[UUID]) -> list[UUID]:
        """Return the records that rest on forgotten ones alone."""
        if not forgotten:
            return []
        return _ids(await self.all("memories_resting_on", memories=list(forgotten)))

    async def forgotten_with(self, row: Row) -> list[UUID]:
        """Return the records that were forgotten together with one that they rest on."""
        values = {"memory": row["memory_id"], "at": row["forgotten_at"]}
        return _ids(await self.all("memories_forgotten_with", **values))


def _ids(rows: Sequence[Row]) -> list[UUID]:
    return [row["memory_id"] for row in rows]
