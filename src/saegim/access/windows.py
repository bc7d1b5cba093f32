"""Sliding windows in this process, for when the shared ones are away."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from saegim.access.limits import Charge, Meter, Verdict

MOST_REMEMBERED = 100_000
Name = tuple[UUID, str, str, str, int]


@dataclass(frozen=True, slots=True)
class Window:
    """What was used in this window and the one before it."""

    number: int
    now: float
    before: float

    def used(self, share: float) -> float:
        """The use of a whole window that ends now: of the one before, what still reaches in."""
        return self.before * (1.0 - share) + self.now

    def at(self, number: int) -> "Window":
        if number == self.number:
            return self
        return Window(number, 0.0, self.now if number == self.number + 1 else 0.0)


def room_in(window: Window, share: float, seconds: int, wanted: float) -> float:
    """Seconds until there is room again so that no more than `wanted` is in use."""
    left = (1.0 - share) * seconds
    if window.now <= wanted and window.before > 0:
        needed = 1.0 - (wanted - window.now) / window.before
        return max(0.0, (needed - share) * seconds)
    if window.now <= 0:
        return left
    return left + max(0.0, 1.0 - wanted / window.now) * seconds


class LocalCounters:
    """Implements `Counters` for one of `processes` alike: each has its share of every limit."""

    def __init__(self, processes: int, now: Callable[[], float] = time.time) -> None:
        self._processes = processes
        self._now = now
        self._windows: OrderedDict[Name, Window] = OrderedDict()

    async def take(self, tenant: UUID, charges: Sequence[Charge]) -> Verdict:
        fullest = 0.0
        for charge in charges:
            window, share = self._window(tenant, charge.meter)
            seconds, most = charge.meter.limit.window_seconds, self._most(charge.meter)
            used = window.used(share) + charge.amount
            if used > most:
                wait = room_in(window, share, seconds, most - charge.amount)
                return Verdict(charge.meter, wait, 1.0)
            fullest = max(fullest, used / most)
        await self.add(tenant, charges)
        return Verdict(None, 0.0, fullest)

    async def add(self, tenant: UUID, charges: Sequence[Charge]) -> None:
        for charge in charges:
            window, _ = self._window(tenant, charge.meter)
            now = max(0.0, window.now + charge.amount)
            name = _name(tenant, charge.meter)
            self._windows[name] = Window(window.number, now, window.before)
            self._windows.move_to_end(name)
        while len(self._windows) > MOST_REMEMBERED:
            self._windows.popitem(last=False)

    def _most(self, meter: Meter) -> int:
        return max(1, math.floor(meter.limit.most / self._processes))

    def _window(self, tenant: UUID, meter: Meter) -> tuple[Window, float]:
        number, part = divmod(self._now(), meter.limit.window_seconds)
        found = self._windows.get(_name(tenant, meter), Window(int(number), 0.0, 0.0))
        return found.at(int(number)), part / meter.limit.window_seconds


def _name(tenant: UUID, meter: Meter) -> Name:
    limit = meter.limit
    return tenant, limit.subject, limit.resource.value, meter.of, limit.window_seconds
