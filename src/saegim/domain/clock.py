from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time; injected everywhere, so that tests own it."""

    def now(self) -> datetime:
        """The current instant, aware, in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)
