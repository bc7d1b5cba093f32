"""What the server says about memory; what it adds later is passed over."""

from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.client.types import Shape


class Memory(Shape):
    """One record."""

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
    etag: str | None = None
    """Names this state of it, where it was read or changed by itself."""


class MemoryPage(Shape):
    """Some records; `next_before` is where the next page starts."""

    memories: tuple[Memory, ...]
    next_before: UUID | None


class MemoryVersion(Shape):
    """A record as it stood from a time on."""

    version: int
    type: str
    content: str
    importance: float
    origin: str
    at: datetime


class AuditEvent(Shape):
    """Who did what, when and why."""

    action: str
    actor: str
    at: datetime
    reason: str


class Month(Shape):
    """How many records were said in a month."""

    year: int
    month: int
    records: int


class MemoryExport(Shape):
    """A memory as a file, as the server wrote it."""

    format: str
    memories: tuple[dict[str, Any], ...]


class MemoryImport(Shape):
    """How far an import is: `done` of `total` memories are remembered."""

    import_id: UUID
    state: str
    total: int
    done: int


class RecalledRecord(Shape):
    """What recall considered, with its score and why it was taken or dropped."""

    kind: str
    id: UUID
    text: str
    said_at: datetime
    tokens: int
    fate: str
    score: float


class Recollection(Shape):
    """What memory has to a message."""

    pinned: tuple[RecalledRecord, ...]
    records: tuple[RecalledRecord, ...]
    episodes: tuple[RecalledRecord, ...]
    dropped: tuple[RecalledRecord, ...]
