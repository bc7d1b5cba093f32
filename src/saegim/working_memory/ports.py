from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.domain.turn import Exchange
from saegim.usage.calls import Source
from saegim.working_memory.types import Memory, WorkingState


class StateCache(Protocol):
    """Keeps working memory at hand; may forget, may be down (raises Degraded), is never alone."""

    async def load(self, scope: Scope, session: UUID) -> WorkingState | None:
        """The state as last saved, if it is still there; using it renews its time."""
        ...

    async def save(self, scope: Scope, session: UUID, state: WorkingState) -> None:
        """Keeps the state as a whole, unless one with more turns or folds is there already."""
        ...


@dataclass(frozen=True, slots=True)
class Backlog:
    """What a fold works on: the memory so far, and the turns after it, oldest first."""

    scope: Scope
    session: UUID
    folds: int
    memory: Memory
    turns: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """A memory that holds the turns up to `through`, and who made it."""

    memory: Memory
    through: int
    made_by: Source


class MemoryStore(Protocol):
    """The record that working memory is rebuilt from. Raises StoreUnavailable when it is down."""

    async def rebuild(self, scope: Scope, session: UUID) -> WorkingState:
        """The state as the record has it now. Raises NotFound for a session of someone else."""
        ...

    async def backlog(self, tenant: UUID, session: UUID, most: int) -> Backlog | None:
        """The oldest turns that are not folded, at most so many; None if the session is gone.

        It ends before a turn that is not settled: turns are folded in their order."""
        ...

    async def save_fold(self, backlog: Backlog, fold: Fold) -> bool:
        """Replaces the memory that `backlog` was read with; False if it is another by now."""
        ...
