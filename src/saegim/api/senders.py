"""Who sends requests, as it is known before a credential is looked up, and how many at once."""

import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from starlette.datastructures import Headers
from starlette.types import Scope

from saegim.api.concurrency import Gate
from saegim.domain.errors import TooManyAtOnce

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
