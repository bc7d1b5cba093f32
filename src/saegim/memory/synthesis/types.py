"""Values of synthesis."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.memory.types import Record


class DerivedKind(StrEnum):
    """OBSERVATION: a belief that several statements support. PROFILE: a line of the profile.
    ENTITY: all that is said of a person, a project or a thing.
    """

    OBSERVATION = "observation"
    PROFILE = "profile"
    ENTITY = "entity"


class ProfilePart(StrEnum):
    """STABLE: home, work, family, health, preferences. RECENT: plans, decisions, things to do."""

    STABLE = "stable"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class DerivedStatement:
    """What records say together. `key` is unique among those of its kind.

    `sources` are records that hold, oldest first; `against` are records that were replaced or say
    the opposite. `proofs` counts the turns that said it. `until` is when it ends, if that is known.
    """

    kind: DerivedKind
    key: str
    title: str
    text: str
    sources: tuple[UUID, ...]
    against: tuple[UUID, ...]
    proofs: int
    confidence: float
    first_seen: datetime
    last_seen: datetime
    part: ProfilePart | None = None
    until: datetime | None = None
    order: int = 0


@dataclass(frozen=True, slots=True)
class DerivedMemory:
    """A stored derived record; `wording` is a model's, for the text that code chose."""

    id: UUID
    kind: DerivedKind
    title: str
    text: str
    sources: tuple[UUID, ...]
    against: tuple[UUID, ...]
    proofs: int
    confidence: float
    first_seen: datetime
    last_seen: datetime
    part: ProfilePart | None = None
    until: datetime | None = None
    order: int = 0
    wording: str | None = None
    undone_at: datetime | None = None

    @property
    def content(self) -> str:
        return self.wording or self.text

    @property
    def undone(self) -> bool:
        return self.undone_at is not None


@dataclass(frozen=True, slots=True)
class ExplainedMemory:
    """A derived record with the records behind it."""

    memory: DerivedMemory
    evidence: tuple[Record, ...]
    counter_evidence: tuple[Record, ...]
