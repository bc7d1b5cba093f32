from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Removed:
    """What a clean-up took away, counted."""

    sessions: int = 0
    turns: int = 0
    episodes: int = 0

    def __add__(self, other: "Removed") -> "Removed":
        return Removed(
            self.sessions + other.sessions,
            self.turns + other.turns,
            self.episodes + other.episodes,
        )

    def __bool__(self) -> bool:
        return self != Removed()


class TranscriptStore(Protocol):
    """Where conversations are recorded. Raises StoreUnavailable when it is down."""

    async def remove_idle(self, tenant: UUID, before: datetime, most: int) -> Removed:
        """Removes sessions that nobody used since, whole, at most so many at a time."""
        ...

    async def remove_old(self, tenant: UUID, before: datetime, most: int) -> Removed:
        """Removes turns that were said before, of sessions that go on; those that working memory
        still holds stay until it lets them go."""
        ...

    async def clean_again(self, tenant: UUID) -> None:
        """Queues the tenant's next clean-up, as long as the tenant has conversations."""
        ...
