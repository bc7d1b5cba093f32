"""Values of long-term memory."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import IntFlag, StrEnum
from typing import Any, Literal, Self
from uuid import UUID

from saegim.conversations.types import Exchange, Redactions
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
    """Who made a record. Records of the fallback can be extracted again by a model."""

    MODEL = "model"
    FALLBACK = "fallback"
    PERSON = "person"


CORE = "core"
"""Tag of records that are always in the context."""
DIGEST = "digest"
"""Tag of a record that summarises older ones."""


@dataclass(frozen=True, slots=True)
class Record:
    """One long-term statement with its sources and validity."""

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
    rests_on: tuple[UUID, ...] = ()
    unsure_since: datetime | None = None
    """When a record that this one rests on changed; None if it was confirmed since."""
    asked_in: UUID | None = None
    """The turn that asked whether an unsure record still holds."""
    to_review: bool = False
    """Whether rules made it up to 0.15.4 and the user neither kept nor pinned it."""

    @property
    def core(self) -> bool:
        return self.pinned or (CORE in self.tags and not self.to_review)

    @property
    def is_digest(self) -> bool:
        return DIGEST in self.tags

    @property
    def statement(self) -> "Statement":
        return Statement.of(self)


@dataclass(frozen=True, slots=True)
class Searchable:
    """Search data of a text: its vector, and its terms with repeats."""

    embedding: Sequence[float]
    terms: Sequence[str]
    embedder: str


class TurnFeature(IntFlag):
    """Features of the form of a turn; ASKS: it is a question and little more."""

    ASKS = 1
    TELLS_WHEN = 2
    TELLS_HOW_MANY = 4
    OF_ONESELF = 8


@dataclass(frozen=True, slots=True)
class TurnFeatures:
    """Search data of a single turn; `speaker` is the term of the speaker, if the turn names one."""

    terms: Sequence[str]
    marks: TurnFeature
    speaker: str | None = None
    message_terms: Sequence[str] = ()
    """Terms of what the user wrote, without the reply."""


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """Search data and vector of the last turn of an episode alone."""

    features: TurnFeatures
    embedding: Sequence[float]


@dataclass(frozen=True, slots=True)
class Statement:
    """The part of a record that a new version may change."""

    type: MemoryType
    content: str
    importance: float
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    topic: str = ""
    tags: frozenset[str] = frozenset()
    pii: frozenset[str] = frozenset()

    @classmethod
    def of(cls, source: object) -> Self:
        """Copy the fields of a record or a candidate."""
        return cls(**{each.name: getattr(source, each.name) for each in fields(cls)})


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A statement to store; its natural key is the first source and the content."""

    statement: Statement
    said_at: datetime
    sources: tuple[UUID, ...]
    quote: str
    origin: Origin
    searchable: Searchable
    pinned: bool = False
    retention: str | None = None
    rests_on: tuple[UUID, ...] = ()
    follows: bool = False
    """Whether it is a consequence of the statement before it in the same turn."""


class Actor(StrEnum):
    PERSON = "person"
    MODEL = "model"
    FALLBACK = "fallback"
    RULE = "rule"
    OPERATOR = "operator"


class Action(StrEnum):
    """What was done to memory, for the audit trail."""

    ADD = "add"
    CONFIRM = "confirm"
    DOUBT = "doubt"
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
    """Who changes a record and why, for the audit trail."""

    actor: Actor
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One entry of the audit trail."""

    id: UUID
    action: Action
    subject: UUID
    actor: Actor
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a record, valid from `at`."""

    number: int
    statement: Statement
    origin: Origin
    at: datetime


@dataclass(frozen=True, slots=True)
class Add:
    new: NewRecord


@dataclass(frozen=True, slots=True)
class Supersede:
    """A statement that replaces a record, which was valid until `ends_at`.

    `contradicts` changes only the action in the audit trail.
    """

    old: UUID
    new: NewRecord
    ends_at: datetime
    contradicts: bool = False


@dataclass(frozen=True, slots=True)
class Revise:
    """A new version of a record with one more source; `seen` is the version that a user edited."""

    record: UUID
    statement: Statement
    searchable: Searchable
    origin: Origin
    source: UUID | None = None
    seen: ExpectedVersion | None = None


@dataclass(frozen=True, slots=True)
class Confirm:
    """One more source of a record, and a lower bound of its importance."""

    record: UUID
    source: UUID
    importance: float


type Change = Add | Supersede | Revise | Confirm


@dataclass(frozen=True, slots=True)
class ExtractionFailure:
    """A turn whose extraction failed, with the output of the model, for a retry."""

    turn: UUID
    error: str
    output: str
    attempts: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Digest:
    """Summary of old records of one topic; recalled as the record with the same id."""

    id: UUID
    scope: Scope
    first: datetime
    last: datetime
    topics: tuple[str, ...]
    summary: str
    sources: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Consent:
    """Whether memories may be made of what is said, and used for answers."""

    learning: bool = True
    using: bool = True

    def in_words(self) -> str:
        """Return the text for the audit trail."""
        if self.learning == self.using:
            return f"memory {'on' if self.learning else 'off'}"
        return "memory only learns" if self.learning else "memory is only used"


class ConsentSubject(StrEnum):
    TENANT = "tenant"
    USER = "user"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of a recall or a search; empty ones match everything."""

    types: Set[MemoryType] = field(default_factory=frozenset[MemoryType])
    said_from: datetime | None = None
    said_until: datetime | None = None


type RecordSort = Literal["newest", "oldest", "importance"]


@dataclass(frozen=True, slots=True)
class RecordCounts:
    """How many valid records there are, in all and of each type, how many are to be reviewed, and
    how many are forgotten."""

    total: int
    pinned: int
    to_review: int
    forgotten: int
    types: Mapping[MemoryType, int]


@dataclass(frozen=True, slots=True)
class ForgottenBatch:
    """Records that were forgotten together, at a time that names them."""

    forgotten: int
    batch: datetime


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """Which records to list, and in which order.

    Superseded records are listed only if they were valid at `as_of`.
    """

    words: str = ""
    filters: Filters = Filters()
    as_of: datetime | None = None
    forgotten: bool = False
    to_review: bool = False
    before: UUID | None = None
    count: int = 50
    pinned: bool | None = None
    sort: RecordSort = "newest"


@dataclass(frozen=True, slots=True)
class Month:
    """Number of records of a month."""

    year: int
    month: int
    records: int


class ImportState(StrEnum):
    WAITING = "waiting"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class MemoryImport:
    """Progress of an import: `done` of `total` records are stored."""

    id: UUID
    state: ImportState
    total: int
    done: int


@dataclass(frozen=True, slots=True)
class PendingImport:
    """A pending import, for the job."""

    scope: Scope
    records: Sequence[Mapping[str, Any]]
    done: int


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


def text_of(content: str, topic: str) -> str:
    """Return the text under which a record is indexed; the topic links records of one attribute."""
    return f"{topic}: {content}" if topic else content
