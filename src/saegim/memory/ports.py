"""What memory needs from storage. All of it raises StoreUnavailable when the store is down."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.domain.strike import Struck
from saegim.domain.turn import Exchange
from saegim.memory.types import (
    AuditEvent,
    Because,
    Change,
    Digest,
    ExtractionFailure,
    Listing,
    Month,
    NewRecord,
    Origin,
    OwnTurn,
    Record,
    Revise,
    Searchable,
    Subject,
    Version,
)


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive turns of one session, oldest first; `seen` is what of each is struck, and whether
    it is left out of memory."""

    scope: Scope
    session: UUID
    turns: tuple[Exchange, ...]
    seen: tuple[tuple[Struck, bool], ...] = ()


class EmbedderMoved(Exception):
    """The index of memory was switched to another embedder meanwhile."""


class WindowChanged(Exception):
    """Something of the window was struck meanwhile, or is struck no more."""


class Standing(StrEnum):
    """Whether an episode is stored."""

    NEW = "new"
    INDEXED = "indexed"
    TO_INDEX = "to_index"
    """It was made, and is to be made again: something of it was struck or brought back."""


class EpisodeStore(Protocol):
    """Keeps episodes with what recall searches in them."""

    async def window(self, tenant: UUID, turn: UUID, turns: int) -> Window | None:
        """The `turns` recorded turns that end with `turn`; None if it has no text or is gone."""
        ...

    async def standing(self, window: Window) -> Standing:
        """Whether the episode of this window is stored already."""
        ...

    async def embedder(self, tenant: UUID) -> str:
        """The name of the embedder that the tenant's index of memory is made with."""
        ...

    async def save(
        self, window: Window, content: str, searchable: Searchable, own: OwnTurn
    ) -> bool:
        """Stores the window's episode and counts its terms; False if it was there already.

        `own` is of its last turn alone. Raises EmbedderMoved where the vector is of another
        embedder than the index, WindowChanged where the window is not as it was read."""
        ...


@dataclass(frozen=True, slots=True)
class Similar:
    """A record that holds now, and how near it is to what was asked."""

    record: Record
    lexical: float
    dense: float


class RecordStore(Protocol):
    """Keeps records. Each change and its entry in the trail are one transaction.

    A record of another scope is as one that is not there: NotFound.
    """

    async def write(
        self, scope: Scope, turn: UUID, changes: Sequence[Change], origin: Origin
    ) -> tuple[Record, ...] | None:
        """Applies what a turn told, all or nothing, and marks the turn as extracted.

        None if it was extracted before; what a twin extracted may be extracted again by a model.
        The actor of the trail is the origin. Changes of a record that is gone by then are dropped.
        """
        ...

    async def extracted(self, scope: Scope, turn: UUID) -> Origin | None:
        """Who extracted a turn; None if nobody did."""
        ...

    async def keep_failure(
        self, scope: Scope, turn: UUID, error: str, output: str
    ) -> ExtractionFailure:
        """Keeps what could not be read, for replay; `error` is a class name, never content."""
        ...

    async def failures(self, tenant: UUID, count: int) -> tuple[ExtractionFailure, ...]:
        """Turns that wait for a replay, oldest first."""
        ...

    async def similar(
        self, scope: Scope, searchable: Searchable, count: int
    ) -> tuple[Similar, ...]:
        """The records that hold now and are nearest by words or by meaning."""
        ...

    async def add(self, scope: Scope, new: NewRecord, because: Because) -> Record:
        """Stores a record; the one that is there, if its natural key is known."""
        ...

    async def revise(self, scope: Scope, revise: Revise, because: Because) -> Record:
        """Stores a new version; one that says the same as the last is none. Raises Changed where
        another record was seen."""
        ...

    async def roll_back(self, scope: Scope, earlier: Revise, because: Because) -> Record:
        """Makes an earlier version the newest one again, as a version of its own. Raises Changed
        where another record was seen."""
        ...

    async def pin(self, scope: Scope, record: UUID, pinned: bool, because: Because) -> Record:
        """Puts a record into every context, or no longer."""
        ...

    async def forget(self, scope: Scope, records: Sequence[UUID], because: Because) -> int:
        """Takes records out of every read; how many were there. They can be undone until purged."""
        ...

    async def forget_said(self, scope: Scope, records: Sequence[UUID], because: Because) -> int:
        """Forgets records, and strikes their words from what was said (`striking.py`)."""
        ...

    async def undo(self, scope: Scope, record: UUID, because: Because) -> Record:
        """Brings a forgotten record back, with what was struck for it."""
        ...

    async def forget_session(self, scope: Scope, session: UUID, because: Because) -> int:
        """Forgets what was derived from a session's turns alone; how many records."""
        ...

    async def purge(self, tenant: UUID, forgotten_before: datetime, most: int) -> int:
        """Removes for good what was forgotten before; how many records."""
        ...

    async def get(self, scope: Scope, record: UUID) -> Record:
        """One record, superseded or not, unless it is forgotten."""
        ...

    async def browse(self, scope: Scope, listing: Listing) -> tuple[Record, ...]:
        """Records newest first; `words` are looked for in what they say."""
        ...

    async def timeline(self, scope: Scope, time_zone: str) -> tuple[Month, ...]:
        """How many records that hold now were said in each month, newest first."""
        ...

    async def versions(self, scope: Scope, record: UUID) -> tuple[Version, ...]:
        """All versions of a record, newest first."""
        ...

    async def trail(self, scope: Scope, record: UUID | None, count: int) -> tuple[AuditEvent, ...]:
        """What was done to a record, or to all of a person's memory, newest first."""
        ...

    async def retain(
        self, scope: Scope, record: UUID, label: str | None, because: Because
    ) -> Record:
        """Sets a record's retention label, or takes it away."""
        ...

    async def keep_digest(self, digest: Digest, new: NewRecord, because: Because) -> bool:
        """Stores a digest and the record that tells it; False if it was there.

        The record goes when one of its sources is changed or forgotten by a person."""
        ...

    async def told_in(self, scope: Scope, digest: UUID) -> tuple[Record, ...]:
        """The records that a digest tells and that are still there, oldest first."""
        ...

    async def digests(self, scope: Scope) -> tuple[Digest, ...]:
        """A person's digests, newest first."""
        ...


class ConsentStore(Protocol):
    """Keeps whether memory may be written and used."""

    async def allows(self, scope: Scope, session: UUID | None) -> bool:
        """Whether tenant, user and session all let memory be used; unsaid is yes."""
        ...

    async def allow(
        self, scope: Scope, subject: Subject, allowed: bool, session: UUID | None = None
    ) -> None:
        """Turns memory on or off for the tenant, the user or a session, with its trail entry."""
        ...
