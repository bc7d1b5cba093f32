"""The clock, and IDs that sort by creation time (UUID version 7)."""

import hashlib
import secrets
from datetime import UTC, datetime
from typing import Protocol
from uuid import UUID

LAST_ID = UUID(int=2**128 - 1)
"""Sorts after every ID."""


_LAST_PART = 0xFFF
_RANDOM_BITS = 62


def new_id(at: datetime, part: int | None = None) -> UUID:
    """Returns a UUID version 7 for the time `at`, or for 1970 if it is earlier.

    Parts of the same millisecond sort by their number.
    """
    milliseconds = max(0, int(at.timestamp() * 1000))
    part = secrets.randbits(12) if part is None else part
    return _version_7(milliseconds, part, secrets.randbits(_RANDOM_BITS))


def derived_id(identifier: UUID, part: int) -> UUID:
    """Returns a UUID version 7 with the time of another, the same for the same part."""
    digest = hashlib.sha256(identifier.bytes + part.to_bytes(8)).digest()
    return _version_7(identifier.int >> 80, part, int.from_bytes(digest[:8]) >> 2)


def _version_7(milliseconds: int, part: int, other: int) -> UUID:
    behind = (0x7 << 12 | min(part, _LAST_PART)) << 64 | 0x2 << _RANDOM_BITS | other
    return UUID(int=milliseconds << 80 | behind)


def first_id(at: datetime) -> UUID:
    """Returns the ID that sorts before all IDs of this time or later."""
    return UUID(int=int(at.timestamp() * 1000) << 80)


def made_at(identifier: UUID) -> datetime:
    """Returns the creation time of an ID, to the millisecond."""
    return datetime.fromtimestamp((identifier.int >> 80) / 1000, UTC)


class Clock(Protocol):
    """The current time; tests inject their own."""

    def now(self) -> datetime:
        """Returns the current time in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)
