"""Long-term memory as values: records, what recall is asked, and what it gives back."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntFlag, StrEnum
from uuid import UUID

from saegim.domain.etags import ExpectedVersion
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
    FALLBACK = "fallback"
    PERSON = "person"


CORE = "core"
"""The tag of what is always in the context (LM4)."""
DIGEST = "digest"
"""The tag of a record that tells several older ones."""


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

    @property
    def is_digest(self) -> bool:
        return DIGEST in self.tags


@dataclass(frozen=True, slots=True)
class Searchable:
    """What recall searches in a text: its vector, and its terms with repeats."""

    embedding: Sequence[float]
    terms: Sequence[str]
    embedder: str


class TurnFeature(IntFlag):
    """What can be told of a turn by its form."""

    ASKS = 1
    """It is a question and little more."""
    TELLS_WHEN = 2
    TELLS_HOW_MANY = 4
    OF_ONESELF = 8


@dataclass(frozen=True, slots=True)
class TurnFeatures:
    """What recall searches in one turn, apart from those around it.

    `speaker` is the term that names who speaks, where the turn says so."""

    terms: Sequence[str]
    marks: TurnFeature
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """What a record says and how it is weighed: all that a new version may change."""

    type: MemoryType
    content: str
    importance: float
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    topic: str = ""
    tags: frozenset[str] = frozenset()
    pii: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A statement that is to be remembered, with where it comes from.

    Its natural key is the first source and the content: stored twice, it is one record.
    """

    statement: Statement
    said_at: datetime
    sources: tuple[UUID, ...]
    quote: str
    origin: Origin
    searchable: Searchable
    pinned: bool = False
    retention: str | None = None


class Actor(StrEnum):
    """Who changed memory."""

    PERSON = "person"
    MODEL = "model"
    FALLBACK = "fallback"
    RULE = "rule"
    OPERATOR = "operator"


class Action(StrEnum):
    """What was done to memory; the trail has one entry for each."""

    ADD = "add"
    CONFIRM = "confirm"
    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    REVISE = "revise"
    ROLL_BACK = "roll_back"
    PIN = "pin"
    UNPIN = "unpin"
    RETAIN = "retain"
    FORGET = "forget"
    UNDO = "undo"
    EXPIRE = "expire"
    CONSOLIDATE = "consolidate"
    IMPORT = "import"
    CONSENT = "consent"


@dataclass(frozen=True, slots=True)
class ChangeReason:
    """Who changes something and why, for the trail. The reason is sealed like all content."""

    actor: Actor
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One entry of the trail: who did what to which record, when, why."""

    id: UUID
    action: Action
    subject: UUID
    actor: Actor
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A record as it stood from `at` on."""

    number: int
    statement: Statement
    origin: Origin
    at: datetime


@dataclass(frozen=True, slots=True)
class Add:
    """A statement that is new."""

    new: NewRecord


@dataclass(frozen=True, slots=True)
class Supersede:
    """A statement that takes the place of a record, which held until `ends_at`.

    `contradicts` only names it otherwise in the trail: neither was known to be newer by itself.
    """

    old: UUID
    new: NewRecord
    ends_at: datetime
    contradicts: bool = False


@dataclass(frozen=True, slots=True)
class Revise:
    """The same statement, told more exactly: a new version with one more source; where somebody
    edits it, of the record that they saw."""

    record: UUID
    statement: Statement
    searchable: Searchable
    origin: Origin
    source: UUID | None = None
    seen: ExpectedVersion | None = None


@dataclass(frozen=True, slots=True)
class Confirm:
    """The same statement again: one more source, and at least this importance."""

    record: UUID
    source: UUID
    importance: float


type Change = Add | Supersede | Revise | Confirm


@dataclass(frozen=True, slots=True)
class ExtractionFailure:
    """A turn that could not be extracted, with what the model said, kept for replay."""

    turn: UUID
    error: str
    output: str
    attempts: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Digest:
    """Old records of one topic and time, told in one text. The record with the same id has its
    text and is recalled like any other."""

    id: UUID
    scope: Scope
    first: datetime
    last: datetime
    topics: tuple[str, ...]
    summary: str
    sources: tuple[UUID, ...]


class ConsentSubject(StrEnum):
    """Whom a consent is about."""

    TENANT = "tenant"
    USER = "user"
    SESSION = "session"


class CandidateKind(StrEnum):
    """What recall brings back."""

    PINNED = "pinned"
    RECORD = "record"
    EPISODE = "episode"


@dataclass(frozen=True, slots=True)
class RecallSignals:
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
class RecallCandidate:
    """A record or an episode that recall considered."""

    kind: CandidateKind
    id: UUID
    text: str
    said_at: datetime
    signals: RecallSignals
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
class RecordQuery:
    """Which records to show a person, newest first (LM9).

    Superseded ones are there only where `as_of` is a time at which they held; forgotten ones only
    where they are asked for.
    """

    words: str = ""
    filters: Filters = Filters()
    as_of: datetime | None = None
    forgotten: bool = False
    before: UUID | None = None
    count: int = 50


@dataclass(frozen=True, slots=True)
class Month:
    """How many records were said in a month (LM9)."""

    year: int
    month: int
    records: int


@dataclass(frozen=True, slots=True)
class RecallBudget:
    """How much recall may return. The tokens decide, not a number of items.

    Records and episodes share `tokens`; an item has at most `each`. `count` limits the records for
    a caller who wants fewer. `candidates` is how many of each kind are opened and compared.
    `header` is what the marker and date take that an item is shown with. Pinned facts are always
    returned: the context has a slot of their own for them.
    """

    tokens: int = 1_200
    each: int = 150
    header: int = 12
    count: int | None = None
    candidates: int = 24
    episodes_share: float = 0.67
    diversity: float = 0.2

    def within(self, limits: "RecallLimits") -> "RecallBudget":
        """The same with what a caller set of it."""
        wanted = {
            name: value
            for name in ("tokens", "each", "count")
            if (value := getattr(limits, name)) is not None
        }
        return replace(self, **wanted)


@dataclass(frozen=True, slots=True)
class RecallLimits:
    """What a caller sets of the budget for one recall; None leaves the configured value."""

    tokens: int | None = None
    each: int | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A question to memory: the message, and the conversation that tells what it is about.

    `chosen` records come first. Turns of `session` from `recent_from` on are in the context anyway,
    so recall leaves out episodes of them. Recall finds nothing without `memory`, and no pinned
    records without `pinned`.
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
    limits: RecallLimits = RecallLimits()
    memory: bool = True
    pinned: bool = True


@dataclass(frozen=True, slots=True)
class Recollection:
    """What recall brought back, fitted to its budgets, and what it left behind."""

    pinned: tuple[RecallCandidate, ...] = ()
    records: tuple[RecallCandidate, ...] = ()
    episodes: tuple[RecallCandidate, ...] = ()
    dropped: tuple[RecallCandidate, ...] = ()
