"""What memory needs from storage. All of it raises StoreUnavailable when the store is down."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from saegim.conversations.types import Exchange, Redactions
from saegim.domain.scope import Scope
from saegim.memory.types import (
    ConsentSubject,
    Record,
)


@dataclass(frozen=True, slots=True)
class TurnWindow:
    """Consecutive turns of one session, oldest first; `seen` is what of each is struck, and whether
    it is left out of memory."""

    scope: Scope
    session: UUID
    turns: tuple[Exchange, ...]
    seen: tuple[tuple[Redactions, bool], ...] = ()


class EmbedderMoved(Exception):
    """The index of memory was switched to another embedder meanwhile."""


class WindowChanged(Exception):
    """Something of the window was struck meanwhile, or is struck no more."""


class EpisodeStatus(StrEnum):
    """Whether an episode is stored."""

    NEW = "new"
    INDEXED = "indexed"
    TO_INDEX = "to_index"
    """It was made, and is to be made again: something of it was struck or brought back."""


@dataclass(frozen=True, slots=True)
class Similar:
    """A record that holds now, and how near it is to what was asked."""

    record: Record
    lexical: float
    dense: float


class ConsentStore(Protocol):
    """Keeps whether memory may be written and used."""

    async def allows(self, scope: Scope, session: UUID | None) -> bool:
        """Whether tenant, user and session all let memory be used; unsaid is yes."""
        ...

    async def allow(
        self, scope: Scope, subject: ConsentSubject, allowed: bool, session: UUID | None = None
    ) -> None:
        """Turns memory on or off for the tenant, the user or a session, with its trail entry."""
        ...
