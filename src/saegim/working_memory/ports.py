from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.domain.turn import Exchange
from saegim.working_memory.types import WorkingState


class StateCache(Protocol):
    """Keeps working memory at hand; may forget, may be down (raises Degraded), is never alone."""

    async def load(self, scope: Scope, session: UUID) -> WorkingState | None:
        """The state as last saved, if it is still there."""
        ...

    async def save(self, scope: Scope, session: UUID, state: WorkingState) -> None:
        """Keeps the state, unless a newer one is there already."""
        ...


class Transcript(Protocol):
    """The record that working memory is rebuilt from."""

    async def recent(self, scope: Scope, session: UUID, count: int) -> tuple[Exchange, ...]:
        """The last `count` recorded turns, oldest first."""
        ...
