"""Values and errors of episodes."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from saegim.conversations.types import Exchange, Redactions
from saegim.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class TurnWindow:
    """Consecutive turns of a session, oldest first; `seen` are the redactions of each, and whether
    it is left out of memory.
    """

    scope: Scope
    session: UUID
    turns: tuple[Exchange, ...]
    seen: tuple[tuple[Redactions, bool], ...] = ()


class EmbedderMoved(Exception):
    """The memory index was switched to another embedder."""


class WindowChanged(Exception):
    """The redactions of a window changed."""


class EpisodeStatus(StrEnum):
    """Whether an episode is stored; TO_INDEX: it must be indexed again after a redaction."""

    NEW = "new"
    INDEXED = "indexed"
    TO_INDEX = "to_index"
