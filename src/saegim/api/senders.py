"""Who sends requests, as it is known before a credential is looked up, how many at once, and how
often an address may fail to authenticate."""

import asyncio
import hashlib
import random
import re
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Literal

from starlette.datastructures import Headers
from starlette.types import Scope

from saegim.domain.errors import TooManyAtOnce

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


MCP = "/mcp"
SIGN_IN = "/sign-in"
# Probes and metrics of operators never wait behind requests.
EXEMPT = ("/health/", "/metrics")
RETRY_SECONDS = (1.0, 4.0)
COOKIE = re.compile(r"(?:^|;\s*)(?:__Host-)?saegim=([^;]*)")

Bound = Literal["user", "tenant", "process", "store", "unknown_credential", "failed_credentials"]


@dataclass(frozen=True, slots=True)
class AdmissionLimits:
    """Requests at once in one process. Those of credentials that were not verified yet have a
    share of their own, so that guessing keys is not felt by anybody else."""

    process: int = 256
    tenant: int = 128
    user: int = 8
    streams: int = 1_024
    streams_per_user: int = 16
    waiting_per_user: int = 24
    unknown: int = 16
    wait_seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Arrival:
    """What admission knows of a request before anybody looks its credential up."""

    path: str
    headers: Headers
    address: str | None
    credential: bytes

    @classmethod
    def of(cls, scope: Scope) -> "Arrival":
        headers, client = Headers(scope=scope), scope.get("client") or (None,)
        return cls(scope["path"], headers, client[0], credential_of(headers))

    @property
    def sender(self) -> bytes:
        """Its credential with the user that it names."""
        return self.credential + self.headers.get("saegim-user", "").encode()

    @property
    def authenticates(self) -> bool:
        return bool(self.credential) or self.path == SIGN_IN


class Senders:
    """Requests and streams in progress by sender: a credential with the user that it names."""

    def __init__(self, limits: AdmissionLimits) -> None:
        self.limits = limits
        self.streams: Counter[bytes] = Counter()
        self._gates: dict[bytes, Gate] = {}

    def full(self, sender: bytes) -> bool:
        """Whether a request of this sender would be refused at once."""
        gate = self._gates.get(sender)
        full = gate is not None and gate.full
        return full or self.streams[sender] >= self.limits.streams_per_user

    async def enter(self, sender: bytes) -> Callable[[], None] | None:
        """Takes a place; how it is left, or None where none came free in time."""
        limits = self.limits
        gate = self._gates.setdefault(sender, Gate(limits.user, limits.waiting_per_user))
        if not await gate.enter(limits.wait_seconds):
            return None

        def leave() -> None:
            gate.leave()
            if gate.empty:
                self._gates.pop(sender, None)

        return leave


def too_many(bound: Bound, seconds: float = 0.0) -> TooManyAtOnce:
    """The refusal of a sender; the time to wait differs from one refusal to the next."""
    wait = seconds or random.uniform(*RETRY_SECONDS)  # noqa: S311 - spreads load
    return TooManyAtOnce(f"bound: {bound}", wait)


def decrease[K](counts: Counter[K], name: K) -> None:
    """Counts one less; nothing is kept of what nobody does."""
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]


def credential_of(headers: Headers) -> bytes:
    """What stands for a credential, the same for all ways to write it; empty without one."""
    shown = headers.get("authorization", "")
    if shown:
        text = shown.partition(" ")[2].strip() or shown
    else:
        found = COOKIE.search(headers.get("cookie", ""))
        text = found[1] if found else ""
    return hashlib.blake2b(text.encode(), digest_size=16).digest() if text else b""
