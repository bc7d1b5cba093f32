"""Long-term memory as values: records, what recall is asked, and what it gives back."""

from collections.abc import Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.domain.scope import Scope


class MemoryType(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    DECISION = "decision"
    TODO = "todo"
    TIMELINE = "timeline"
    PROFILE = "profile"
    NOTE = "note"


class Origin(StrEnum):
    """Who made a record. What a twin made can be extracted again once there is a model."""

    MODEL = "model"
    TWIN = "twin"
    PERSON = "person"


CORE = "core"
"""The tag of what is always in the context (LM4)."""


@dataclass(frozen=True, slots=True)
class Record:
    """One long-term statement with its sources and validity (LM1)."""

    id: UUID
    scope: Scope
    type: MemoryType
    content: str
    importance: float
    said_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    sources: tuple[UUID, ...]
    quote: str
    topic: str
    tags: frozenset[str]
    version: int
    origin: Origin
    pii: frozenset[str] = frozenset()
    pinned: bool = False
    retention: str | None = None
    superseded_by: UUID | None = None

    @property
    def core(self) -> bool:
        return self.pinned or CORE in self.tags


class Kind(StrEnum):
    """What recall brings back."""

    PINNED = "pinned"
    RECORD = "record"
    EPISODE = "episode"


@dataclass(frozen=True, slots=True)
class Signals:
    """Why a candidate stands where it stands; each signal from 0 to 1 but for `score`."""

    score: float
    lexical: float = 0.0
    dense: float = 0.0
    recency: float = 0.0
    importance: float = 0.0
    speaker: float = 0.0
    time: float = 0.0


class Fate(StrEnum):
    """Whether a candidate was taken, or why it was not."""

    TAKEN = "taken"
    OVER_BUDGET = "over_budget"
    NEAR_DUPLICATE = "near_duplicate"
    BELOW_THE_REST = "below_the_rest"
    OUT_OF_TIME = "out_of_time"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record or an episode that recall considered."""

    kind: Kind
    id: UUID
    text: str
    said_at: datetime
    signals: Signals
    tokens: int
    fate: Fate = Fate.TAKEN
    sources: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """What a recall or a search is narrowed to; empty narrows nothing."""

    types: Set[MemoryType] = field(default_factory=frozenset[MemoryType])
    said_from: datetime | None = None
    said_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class RecallBudget:
    """How much recall may bring back (LM3, LM4), in items and tokens."""

    records: int = 8
    tokens: int = 1_200
    each: int = 150
    pinned_tokens: int = 400


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A question to memory: the message, and the conversation that tells what it is about.

    `chosen` records come first (LM9). Turns of `session` after `recent_from` are in the context
    anyway, so episodes of them are not brought back.
    """

    scope: Scope
    message: str
    now: datetime
    time_zone: str
    entities: tuple[str, ...] = ()
    summary: str = ""
    session: UUID | None = None
    recent_from: int | None = None
    chosen: tuple[UUID, ...] = ()
    filters: Filters = Filters()
    as_of: datetime | None = None
    budget: RecallBudget = RecallBudget()


@dataclass(frozen=True, slots=True)
class Recollection:
    """What recall brought back, fitted to its budgets, and what it left behind."""

    pinned: tuple[Candidate, ...] = ()
    records: tuple[Candidate, ...] = ()
    episodes: tuple[Candidate, ...] = ()
    dropped: tuple[Candidate, ...] = ()
