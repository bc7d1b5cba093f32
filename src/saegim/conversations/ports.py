from dataclasses import dataclass
from uuid import UUID

from saegim.conversations.types import Exchange, Memory
from saegim.domain.scope import Scope
from saegim.llm.model_call import Source


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
