"""Bounds on what runs at once, and on how often an address may fail to authenticate."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

MOST_ADDRESSES = 10_000
WINDOW_SECONDS = 60.0
# Whoever has one IPv6 address usually has the 2^64 beside it.
IPV6_PREFIX_BYTES = 8


class Gate:
    """Lets so many in at once. A few more wait for a short time, in order."""

    def __init__(self, most: int, waiting: int) -> None:
        self._most = most
        self._most_waiting = waiting
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.inside = 0

    @property
    def empty(self) -> bool:
        return self.inside == 0 and not self._waiting

    @property
    def full(self) -> bool:
        """Whether nobody can even wait."""
        return self.inside >= self._most and len(self._waiting) >= self._most_waiting

    async def enter(self, seconds: float) -> bool:
        """Takes a place, at the latest after so many seconds; whether there was one."""
        if self.inside < self._most:
            self.inside += 1
            return True
        if len(self._waiting) >= self._most_waiting:
            return False
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await asyncio.wait({place}, timeout=seconds)
        except asyncio.CancelledError:
            self._give_up(place)
            raise
        if place.done():
            return True
        self._give_up(place)
        return False

    def leave(self) -> None:
        """Gives the place to the next in the queue."""
        if self._waiting:
            self._waiting.popleft().set_result(None)
        else:
            self.inside -= 1

    def _give_up(self, place: "asyncio.Future[None]") -> None:
        if place.done():
            self.leave()
        else:
            self._waiting.remove(place)


class FailureBudget:
    """Counts failed authentications by address, in windows of a minute. 0 counts nothing.

    Requests from this machine are not counted: a proxy that hides its clients would make all of
    them one address."""

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._now = now
        self._failures: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def seconds_until_allowed(self, address: str | None) -> float:
        """How long requests of this address are refused; 0 where they are not."""
        began, failed = self._failures.get(_network(address), (0.0, 0))
        left = began + WINDOW_SECONDS - self._now()
        return left if self._most and failed >= self._most and left > 0 else 0.0

    def note(self, address: str | None) -> None:
        network, now = _network(address), self._now()
        if not network or not self._most:
            return
        began, failed = self._failures.pop(network, (now, 0))
        if now - began >= WINDOW_SECONDS:
            began, failed = now, 0
        self._failures[network] = began, failed + 1
        if len(self._failures) > MOST_ADDRESSES:
            self._failures.popitem(last=False)


def _network(address: str | None) -> str:
    """The address, or its network for IPv6; empty for this machine and unknown addresses."""
    try:
        found = ip_address(address or "")
    except ValueError:
        return ""
    if found.is_loopback:
        return ""
    if isinstance(found, IPv6Address):
        return found.packed[:IPV6_PREFIX_BYTES].hex()
    return str(found)
