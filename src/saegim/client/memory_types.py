"""Types of memory. Unknown fields are ignored."""

from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.client.types import Shape


class Memory(Shape):
    memory_id: UUID
    type: str
    content: str
    importance: float
    said_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    topic: str
    tags: tuple[str, ...]
    quote: str
    sources: tuple[UUID, ...]
    version: int
    origin: str
    pinned: bool
    superseded_by: UUID | None
    retention: str | None = None
    rests_on: tuple[UUID, ...] = ()
    unsure_since: datetime | None = None
    etag: str | None = None
    """The version of the record, for `if_match`; only if it was read or changed alone."""


class MemoryVersion(Shape):
    version: int
    type: str
    content: str
    importance: float
    origin: str
    at: datetime


class AuditEvent(Shape):
    action: str
    actor: str
    at: datetime
    reason: str


class Month(Shape):
    """The number of records of a month."""

    year: int
    month: int
    records: int


class MemoryExport(Shape):
    format: str
    memories: tuple[dict[str, Any], ...]


class MemoryImport(Shape):
    """State of an import: `done` of `total` memories are stored."""

    import_id: UUID
    state: str
    total: int
    done: int


class DerivedSource(Shape):
    """A record behind a conclusion."""

    memory_id: UUID
    type: str
    content: str
    quote: str
    said_at: datetime
    sources: tuple[UUID, ...]
    superseded_by: UUID | None


class DerivedMemory(Shape):
    """A conclusion from records: an observation, a line of the profile, or an entity page."""

    derived_id: UUID
    kind: str
    title: str
    content: str
    part: str | None
    proofs: int
    confidence: float
    first_seen: datetime
    last_seen: datetime
    undone: bool
    sources: tuple[DerivedSource, ...]
    against: tuple[DerivedSource, ...]


class TeamContribution(Shape):
    """That a member said or confirmed a shared record."""

    name: str
    quote: str
    said_at: datetime
    mine: bool


class TeamMemory(Shape):
    """A record that the readers of a collection share."""

    team_memory_id: UUID
    collection_id: UUID
    collection: str
    type: str
    content: str
    topic: str
    said_at: datetime
    version: int
    contributions: tuple[TeamContribution, ...]
    may_edit: bool
    may_delete: bool


class RecalledRecord(Shape):
    """A candidate of recall, with its score and why it was used or dropped."""

    kind: str
    id: UUID
    text: str
    said_at: datetime
    tokens: int
    fate: str
    score: float


class MemoryCitation(Shape):
    """A memory or a turn that an answer cites by its marker."""

    marker: str
    kind: str
    memory_id: UUID | None
    turn_id: UUID | None
    text: str
    quote: str
    said_at: datetime
    valid_to: datetime | None
    superseded_by: UUID | None
    unsure_since: datetime | None = None


class MemoryAnswer(Shape):
    """An answer from memory. `outcome` is `answered`, `unknown` or `off`."""

    text: str
    outcome: str
    confidence: float
    citations: tuple[MemoryCitation, ...]
    by: str


class Recollection(Shape):
    """The result of recall for a message."""

    pinned: tuple[RecalledRecord, ...]
    records: tuple[RecalledRecord, ...]
    episodes: tuple[RecalledRecord, ...]
    dropped: tuple[RecalledRecord, ...]
