"""When a step must be done."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """When a step must be done, on the clock `now`."""

    now: Callable[[], float]
    end: float

    def left(self) -> float:
        return self.end - self.now()

    def within(self, seconds: float) -> "TimeLimit":
        """The earlier of this limit and one that starts now."""
        return TimeLimit(self.now, min(self.end, self.now() + seconds))
