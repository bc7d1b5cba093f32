"""Values of synthesis."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.memory.types import Record


class DerivedKind(StrEnum):
    """OBSERVATION: a statement that was made several times. PROFILE: a line of the profile.
    ENTITY: the records of one topic.
    """

    OBSERVATION = "observation"
    PROFILE = "profile"
    ENTITY = "entity"


class ProfilePart(StrEnum):
    """STABLE: core records, profile, constraints, preferences. RECENT: plans, decisions, to-dos."""

    STABLE = "stable"
    RECENT = "recent"


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedFields:
    """What records say together.

    `sources` are records that hold, oldest first; `against` are those that they replaced.
    `proofs` counts the turns that said it. `until` is when it ends, if that is known.
    """

    kind: DerivedKind
    title: str
    text: str
    sources: tuple[UUID, ...]
    against: tuple[UUID, ...] = ()
    proofs: int
    confidence: float
    first_seen: datetime
    last_seen: datetime
    part: ProfilePart | None = None
    until: datetime | None = None
    order: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedStatement(DerivedFields):
    """A result of `derive`. `key` is unique among those of its kind."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedMemory(DerivedFields):
    """A stored derived record; `wording` is a model's, for the text that code chose."""

    id: UUID
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
