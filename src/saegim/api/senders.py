"""Concurrency limits per sender, and limits on failed authentications per address.

A sender is known before its credential is verified: a hash of the credential, with the user."""

import asyncio
import hashlib
import random
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Literal

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope

from saegim.domain.errors import TooManyAtOnce

MOST_ADDRESSES = 10_000
WINDOW_SECONDS = 60.0
# IPv6 clients usually own a whole /64.
IPV6_PREFIX_BYTES = 8


class Gate:
    """A semaphore with a bounded queue and a timeout."""

    def __init__(self, most: int, waiting: int) -> None:
        self._most = most
        self._most_waiting = waiting
        self._slots = asyncio.Semaphore(most)
        self._waiting = 0
        self.inside = 0

    @property
    def empty(self) -> bool:
        return self.inside == 0 and self._waiting == 0

    @property
    def full(self) -> bool:
        """Whether the queue is full, too."""
        return self.inside >= self._most and self._waiting >= self._most_waiting

    async def enter(self, seconds: float) -> bool:
        """Acquires a slot within so many seconds; returns whether it did."""
        if self.full:
            return False
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await self._slots.acquire()
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1
        self.inside += 1
        return True

    def leave(self) -> None:
        """Releases the slot to the next waiter."""
        self.inside -= 1
        self._slots.release()


class FailureBudget:
    """Limits failed authentications per address and minute; 0 disables it.

    Loopback is not counted: behind a proxy that hides clients, all of them share that address."""

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._now = now
        self._failures: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def seconds_until_allowed(self, address: str | None) -> float:
        """Returns how long requests of this address are refused, or 0."""
        began, failed = self._failures.get(network(address), (0.0, 0))
        left = began + WINDOW_SECONDS - self._now()
        return left if self._most and failed >= self._most and left > 0 else 0.0

    def note(self, address: str | None) -> None:
        source, now = network(address), self._now()
        if not source or not self._most:
            return
        began, failed = self._failures.pop(source, (now, 0))
        if now - began >= WINDOW_SECONDS:
            began, failed = now, 0
        self._failures[source] = began, failed + 1
        if len(self._failures) > MOST_ADDRESSES:
            self._failures.popitem(last=False)


def network_of(request: Request) -> str:
    """Returns the network that a request comes from; see `network`."""
    return network(request.client.host if request.client else None)


def network(address: str | None) -> str:
    """Returns the address, or its /64 for IPv6; empty for loopback and unknown addresses."""
    try:
        ip = ip_address(address or "")
    except ValueError:
        return ""
    if ip.is_loopback:
        return ""
    return ip.packed[:IPV6_PREFIX_BYTES].hex() if isinstance(ip, IPv6Address) else str(ip)


MCP = "/mcp"
SIGN_IN = "/sign-in"
# Probes and metrics are never refused.
EXEMPT = ("/health/", "/metrics")
RETRY_SECONDS = (1.0, 4.0)
COOKIE = re.compile(r"(?:^|;\s*)(?:__Host-)?saegim=([^;]*)")

Bound = Literal["user", "tenant", "process", "store", "unknown_credential", "failed_credentials"]


@dataclass(frozen=True, slots=True)
class AdmissionLimits:
    """Concurrent requests in one process. Unverified credentials have a limit of their own, so that
    guessing keys does not slow other callers down."""

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
    """A request before its credential is verified."""

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
        """The credential with the user that it names."""
        return self.credential + self.headers.get("saegim-user", "").encode()

    @property
    def authenticates(self) -> bool:
        return bool(self.credential) or self.path == SIGN_IN


class Senders:
    """Requests and streams in progress, by sender."""

    def __init__(self, limits: AdmissionLimits) -> None:
        self.limits = limits
        self.streams: Counter[bytes] = Counter()
        self._gates: dict[bytes, Gate] = {}

    def full(self, sender: bytes) -> bool:
        """Whether a request of this sender would be refused immediately."""
        gate = self._gates.get(sender)
        full = gate is not None and gate.full
        return full or self.streams[sender] >= self.limits.streams_per_user

    async def enter(self, sender: bytes) -> Callable[[], None] | None:
        """Acquires a slot; returns its release function, or None after a timeout."""
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
    """Returns the error for a sender, with a random retry time unless `seconds` is given."""
    wait = seconds or random.uniform(*RETRY_SECONDS)  # noqa: S311 - spreads load
    return TooManyAtOnce(f"bound: {bound}", wait)


def decrease[K](counts: Counter[K], name: K) -> None:
    """Decrements a count and removes it at zero."""
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]


def credential_of(headers: Headers) -> bytes:
    """Returns a hash of the credential in the headers; empty without one."""
    if header := headers.get("authorization", ""):
        text = header.partition(" ")[2].strip() or header
    else:
        cookie = COOKIE.search(headers.get("cookie", ""))
        text = cookie[1] if cookie else ""
    return hashlib.blake2b(text.encode(), digest_size=16).digest() if text else b""
