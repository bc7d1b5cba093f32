from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from saegim.memory.types import MemoryType


@dataclass(frozen=True, slots=True)
class Removed:
    """What a clean-up took away, counted."""

    sessions: int = 0
    turns: int = 0
    episodes: int = 0
    memories: int = 0

    def __add__(self, other: "Removed") -> "Removed":
        return Removed(
            self.sessions + other.sessions,
            self.turns + other.turns,
            self.episodes + other.episodes,
            self.memories + other.memories,
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


@dataclass(frozen=True, slots=True)
class Expiry:
    """Which records are past their time: by type, and by how little they mattered."""

    said_before: Mapping[MemoryType, datetime]
    importance: float
    unimportant_before: datetime


class MemoryStore(Protocol):
    """Where memories are kept. Raises StoreUnavailable when it is down."""

    async def expire(self, tenant: UUID, expiry: Expiry, most: int) -> int:
        """Forgets records past their time, each with its trail entry; how many of at most so many.

        What is core or pinned never expires."""
        ...

    async def purge(self, tenant: UUID, forgotten_before: datetime, most: int) -> int:
        """Removes for good what was forgotten before; how many records."""
        ...
