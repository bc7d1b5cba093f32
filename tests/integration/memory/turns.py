"""Helpers that send turns and extract their memories, with or without a worker."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from saegim.memory.types import Record, RecordQuery
from tests.stack import Stack


@dataclass
class Hands:
    """A clock that tests set."""

    at: datetime = datetime(2026, 3, 2, 9, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def on(self, **more: float) -> datetime:
        self.at += timedelta(**more)
        return self.at


@dataclass
class Talk:
    """A user's conversation in which memories are extracted after each turn."""

    stack: Stack
    user: str = "alice"
    session: str = "s"
    times: int = 1
    last: dict[str, Any] = field(default_factory=dict)

    async def say(self, message: str) -> UUID:
        """Sends a message and runs its extraction so many times."""
        self.last = await self.stack.say(message, self.user, **{"Saegim-Session": self.session})
        turn = UUID(self.last["turn_id"])
        for _ in range(self.times):
            await self.extract(turn)
        return turn

    async def extract(self, turn: UUID) -> int:
        """Runs the extraction up to a turn, without waiting for more turns."""
        tenant = self.stack.tenant.tenant.id
        return await self.stack.services.memory.extraction.extract(tenant, turn, at_once=True)

    async def known(self, as_of: datetime | None = None) -> list[Record]:
        """Returns the memories, oldest first."""
        scope = (await self.stack.caller(self.user)).scope
        listing = RecordQuery(as_of=as_of, count=1_000)
        found = await self.stack.services.memory.records.browse(scope, listing)
        return sorted(found, key=lambda record: (record.said_at, record.content))

    async def contents(self, as_of: datetime | None = None) -> list[str]:
        return [record.content for record in await self.known(as_of)]
