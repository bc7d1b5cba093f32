"""What writing memory needs from storage besides records. Raises StoreUnavailable when down."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.memory.ports import Window
from saegim.memory.types import Record


class SaidStore(Protocol):
    """The turns that memory is made from, and what was made of each."""

    async def window(self, tenant: UUID, turn: UUID, turns: int) -> Window | None:
        """The `turns` recorded turns that end with `turn`; None if it has no text or is gone."""
        ...

    async def time_zone(self, scope: Scope) -> str:
        """Where a person lives."""
        ...

    async def told_by(self, scope: Scope, turn: UUID) -> tuple[Record, ...]:
        """The records that a turn is a source of, without the forgotten."""
        ...

    async def said_in(self, scope: Scope, session: UUID, sources: Sequence[UUID]) -> bool:
        """Whether one of these turns is of a session."""
        ...

    async def before(self, scope: Scope, turn: UUID) -> UUID | None:
        """The recorded turn right before a turn of the same session."""
        ...

    async def state(self, scope: Scope, turn: UUID) -> tuple[str | None, str | None] | None:
        """Who extracted a turn and what went wrong with it; None while it waits."""
        ...

    async def leave_out(self, scope: Scope, turn: UUID) -> None:
        """Marks a turn as read by the person: nobody reads it again."""
        ...

    async def drop_episodes(self, scope: Scope, turn: UUID) -> int:
        """Removes the episodes that quote a turn that is left out; how many there were. Those that
        end with another turn are made again without it."""
        ...

    async def made_by_twin(self, tenant: UUID, after: UUID | None, count: int) -> list[UUID]:
        """Turns that no model has read, in their order from an id on."""
        ...

    async def queue(self, tenant: UUID, turns: Sequence[UUID]) -> int:
        """Puts turns in line to be extracted; how many of them are there."""
        ...

    async def look_after(self, scope: Scope) -> None:
        """Makes sure that a memory is consolidated from time to time."""
        ...


class ConversationStore(Protocol):
    """Where conversations can be deleted."""

    async def drop_digests(self, scope: Scope, session: UUID) -> int:
        """Removes the digests that tell what was derived from a session alone."""
        ...

    async def delete_session(self, scope: Scope, session: UUID) -> int:
        """Removes a session with its turns, traces, episodes and folds; how many turns it had.

        Raises NotFound for one of someone else."""
        ...


class SessionCache(Protocol):
    """What keeps conversations at hand; may be down (raises Degraded)."""

    async def drop(self, scope: Scope, session: UUID) -> None:
        """Lets go of a session that is deleted."""
        ...
