"""Values of an erasure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from saegim.domain.scope import Caller


class ErasureState(StrEnum):
    PLANNED = "planned"
    """In the grace period, in which it can be cancelled."""
    STARTED = "started"
    """Started: the user is locked out."""
    KEY_DESTROYED = "key_destroyed"
    DONE = "done"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Erasure:
    """A request to erase a user, and its progress."""

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
    """The user that a caller wants to erase, why and when."""

    caller: Caller
    member: UUID
    reason: str
    requested_at: datetime
    runs_at: datetime

    @property
    def at_once(self) -> bool:
        return self.runs_at <= self.requested_at
