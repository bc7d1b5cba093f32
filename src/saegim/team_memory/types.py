"""Values of team memory."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.memory.types import MemoryType


@dataclass(frozen=True, slots=True)
class TeamStatement:
    """The part of a record that a new version may change."""

    type: MemoryType
    content: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Contribution:
    """That a member said or confirmed a record; `name` is as others know them, `wrote` says whether
    the current version is theirs."""

    member: UUID
    name: str
    quote: str
    said_at: datetime
    shared_at: datetime
    memory: UUID | None = None
    turn: UUID | None = None
    wrote: bool = False


@dataclass(frozen=True, slots=True)
class TeamRecord:
    """A shared record: what, who, when, and in which collection."""

    id: UUID
    collection: UUID
    statement: TeamStatement
    said_at: datetime
    version: int
    created_at: datetime
    changed_at: datetime
    contributions: tuple[Contribution, ...] = ()

    def is_of(self, member: UUID) -> bool:
        """Return whether a member said or confirmed it."""
        return any(each.member == member for each in self.contributions)

    def is_written_by(self, member: UUID) -> bool:
        """Return whether the current version is a member's own."""
        return any(each.member == member and each.wrote for each in self.contributions)


@dataclass(frozen=True, slots=True)
class TeamVersion:
    """A version of a record; `changed_by` is unknown if that member was erased."""

    number: int
    statement: TeamStatement
    changed_by: UUID | None
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class NewTeamRecord:
    """A record to share, with its first contribution."""

    collection: UUID
    statement: TeamStatement
    contribution: Contribution
