"""The work that a tenant's turns and files leave behind: how much waits, what gave up (OP1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class FailedJob:
    """Work that was given up. `error` is the class of its last error; what it said is not kept."""

    id: int
    kind: str
    failures: int
    error: str
    failed_at: datetime


@dataclass(frozen=True, slots=True)
class Backlog:
    """A tenant's line; `lag_seconds` is how long its first job has been waiting."""

    waiting: int
    running: int
    lag_seconds: float
    failed: Sequence[FailedJob]
