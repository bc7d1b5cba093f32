"""Values of an erasure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from saegim.domain.scope import Caller


class ErasureState(StrEnum):
    PLANNED = "planned"
    """In its grace period: it can be cancelled."""
    STARTED = "started"
    """Begun: the person is locked out."""
    KEY_DESTROYED = "key_destroyed"
    DONE = "done"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Erasure:
    """A request to erase a person, and how far it is."""

    id: UUID
    tenant: UUID
    member: UUID
    requested_by: UUID
    state: ErasureState
    requested_at: datetime
    runs_at: datetime
    key_destroyed_at: datetime | None = None
    done_at: datetime | None = None
    receipt: Mapping[str, Any] | None = None
    signature: bytes | None = None


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """Whom a caller wants erased, why, and from when on."""

    caller: Caller
    member: UUID
    reason: str
    requested_at: datetime
    runs_at: datetime

    @property
    def at_once(self) -> bool:
        return self.runs_at <= self.requested_at


@dataclass(frozen=True, slots=True)
class SweepResult:
    """What was taken away, by store and kind, and what was kept, with the reason."""

    counts: Mapping[str, Mapping[str, int]]
    kept: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
