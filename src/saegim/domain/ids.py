"""The clock, and ids that sort by creation time (UUID version 7)."""

import secrets
from datetime import UTC, datetime
from typing import Protocol
from uuid import UUID

LAST_ID = UUID(int=2**128 - 1)
"""Sorts after every id."""


def new_id(at: datetime) -> UUID:
    """A version 7 UUID of the instant `at`, or of the first one that such an id can tell (1970);
    ids of one millisecond differ in 74 random bits."""
    milliseconds = max(0, int(at.timestamp() * 1000))
    value = milliseconds << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def first_id(at: datetime) -> UUID:
    """The id that sorts before every one made at or after the instant."""
    return UUID(int=int(at.timestamp() * 1000) << 80)


def made_at(identifier: UUID) -> datetime:
    """The instant a version 7 id was made, to the millisecond."""
    return datetime.fromtimestamp((identifier.int >> 80) / 1000, UTC)


class Clock(Protocol):
    """Tells the time; injected everywhere, so that tests own it."""

    def now(self) -> datetime:
        """The current instant, aware, in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)
