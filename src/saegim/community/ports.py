from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Protocol
from uuid import UUID

from saegim.community.types import Active, Guild, Notice, Voice
from saegim.domain.seen import Seen


class CommunityStore(Protocol):
    """Guilds and what is counted in them. All methods raise StoreUnavailable."""

    async def guild(self, tenant: UUID, guild: str) -> Guild:
        """Its settings; the defaults where it has none."""
        ...

    async def change(
        self,
        tenant: UUID,
        guild: str,
        change: Callable[[Guild], Guild],
        seen: Seen | None,
    ) -> Guild:
        """Changes the settings of a guild, which nobody else changes meanwhile; not its
        channels'. Raises Changed where others were seen."""
        ...

    async def speak(self, tenant: UUID, guild: str, channel: str, voice: Voice) -> None:
        """Says how a channel is spoken in; an empty voice is the guild's own again."""
        ...

    async def count(self, tenant: UUID, guild: str, day: date, counts: Mapping[str, int]) -> None:
        """Adds to what people wrote on a day, by name; counts of long ago go."""
        ...

    async def rank(self, tenant: UUID, guild: str, since: date, most: int) -> Sequence[Active]:
        """Who wrote most since a day, first."""
        ...

    async def add_notice(self, tenant: UUID, notice: Notice) -> None:
        """Keeps a notice. Raises Conflict where a guild has too many."""
        ...

    async def notices(self, tenant: UUID, guild: str) -> Sequence[Notice]:
        """A guild's notices, oldest first."""
        ...

    async def drop_notice(self, tenant: UUID, notice: UUID) -> None:
        """Takes one away. Raises NotFound."""
        ...

    async def claim(self, tenant: UUID, notice: UUID, day: date) -> bool:
        """Whether nobody told this day's notice yet; from now on somebody has."""
        ...


class Weather(Protocol):
    """Knows how the weather is."""

    async def at(self, place: str) -> str | None:
        """The weather at a place now, in a sentence; None where nobody knows."""
        ...
