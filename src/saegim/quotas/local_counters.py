"""Sliding windows in this process, for when the shared ones are away."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from saegim.quotas.types import Charge, Meter, Verdict

MOST_REMEMBERED = 100_000
Name = tuple[UUID, str, str, str, int]


@dataclass(frozen=True, slots=True)
class Window:
    """What was used in this window and the one before it, and when each was used last."""

    number: int
    now: float = 0.0
    before: float = 0.0
    last: float = 0.0
    last_before: float = 0.0

    def at(self, time: float, seconds: int) -> "Window":
        """The window of a moment: what was used a whole window ago or earlier counts no more."""
        number = int(time // seconds)
        if number == self.number + 1:
            return Window(number, before=self.now, last_before=self.last).at(time, seconds)
        if number != self.number:
            return Window(number)
        if self.last_before + seconds <= time:
            return replace(self, before=0.0)
        return self

    def used(self, share: float) -> float:
        """The use of a whole window that ends now: of the one before, what still reaches in."""
        return self.before * (1.0 - share) + self.now

    def plus(self, amount: float, time: float) -> "Window":
        last = time if amount > 0 else self.last
        return replace(self, now=max(0.0, self.now + amount), last=last)


def seconds_until(window: Window, time: float, seconds: int, wanted: float) -> float:
    """Until no more than `wanted` is in use. Never longer than a window: by then all that is in
    use now counts no more."""
    share = time / seconds - window.number
    if window.now <= wanted and window.before > 0:
        needed = 1.0 - (wanted - window.now) / window.before
        return max(0.0, min((needed - share) * seconds, window.last_before + seconds - time))
    left = (1.0 - share) * seconds
    if window.now <= 0:
        return left
    later = left + max(0.0, 1.0 - wanted / window.now) * seconds
    return min(later, window.last + seconds - time)


class LocalCounters:
    """Implements `Counters` for one of `processes` alike: each has its share of every limit."""

    def __init__(self, processes: int, now: Callable[[], float] = time.time) -> None:
        self._processes = processes
        self._now = now
        self._windows: OrderedDict[Name, Window] = OrderedDict()

    async def take(self, tenant: UUID, charges: Sequence[Charge]) -> Verdict:
        fullest, now = 0.0, self._now()
        for charge in charges:
            window = self._window(tenant, charge.meter, now)
            seconds, most = charge.meter.limit.window_seconds, self._most(charge.meter)
            used = window.used(now / seconds - window.number) + charge.amount
            if used > most:
                wait = seconds_until(window, now, seconds, most - charge.amount)
                return Verdict(charge.meter, wait, 1.0)
            fullest = max(fullest, used / most)
        await self.add(tenant, charges)
        return Verdict(None, 0.0, fullest)

    async def add(self, tenant: UUID, charges: Sequence[Charge]) -> None:
        now = self._now()
        for charge in charges:
            window = self._window(tenant, charge.meter, now)
            name = _name(tenant, charge.meter)
            self._windows[name] = window.plus(charge.amount, now)
            self._windows.move_to_end(name)
        while len(self._windows) > MOST_REMEMBERED:
            self._windows.popitem(last=False)

    def _most(self, meter: Meter) -> int:
        return max(1, math.floor(meter.limit.most / self._processes))

    def _window(self, tenant: UUID, meter: Meter, now: float) -> Window:
        seconds = meter.limit.window_seconds
        found = self._windows.get(_name(tenant, meter))
        return Window(int(now // seconds)) if found is None else found.at(now, seconds)


def _name(tenant: UUID, meter: Meter) -> Name:
    limit = meter.limit
    return tenant, limit.subject, limit.resource.value, meter.of, limit.window_seconds
