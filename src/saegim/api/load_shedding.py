"""Load shedding: refuses requests over a limit before they use a database connection.

The limits of a sender are also applied to raw bytes, so that a flood does not reach the
application; what is not clearly a complete API request is left to the application.
"""

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
from uuid import UUID

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saegim.api.problems import locale_of_headers, problem
from saegim.domain.errors import SaegimError, ServerOverloaded, TooManyAtOnce
from saegim.domain.scope import Caller, Locale

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


TICKET = "saegim.ticket"
MOST_CREDENTIALS = 10_000
EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Load:
    """The load signal of the database, and callbacks for refusals and failed authentications."""

    store_is_busy: Callable[[], bool]
    refused: Callable[[str], None]
    failed: Callable[[Headers, str | None], None]


class Ticket:
    """An admitted request and the slots that it holds until it is answered."""

    def __init__(self, admission: "Admission", arrival: Arrival) -> None:
        self.admission = admission
        self.arrival = arrival
        self.leaving: dict[Bound | Literal["stream"], Callable[[], None]] = {}
        self.caller: Caller | None = None

    def leave(self, bound: Bound) -> None:
        if (leave := self.leaving.pop(bound, None)) is not None:
            leave()

    def leave_all(self) -> None:
        while self.leaving:
            self.leaving.popitem()[1]()


def ticket_of(scope: Scope) -> Ticket | None:
    """Returns the ticket of a request, if it has one."""
    ticket = scope.get(TICKET)
    return ticket if isinstance(ticket, Ticket) else None


def verified(scope: Scope, caller: Caller) -> None:
    """Counts a request for its verified caller. Raises TooManyAtOnce."""
    if (ticket := ticket_of(scope)) is not None:
        ticket.admission.count_caller(ticket, caller)


def failed(scope: Scope) -> None:
    """Counts a failed authentication whose response is not a 401."""
    if (ticket := ticket_of(scope)) is not None:
        ticket.admission.note_failure(ticket.arrival)


class Admission:
    """Lets requests in up to bounds per user, tenant and process; 429 or 503 for the rest.

    A request is counted by its credential before anybody looks it up, and by its tenant and user
    afterwards. Where the database has a queue, tenants that use more than their share are
    refused first."""

    def __init__(self, app: ASGIApp, senders: Senders, failures: int, load: Load) -> None:
        self._app = app
        self._senders = senders
        limits = self._limits = senders.limits
        self._load = load
        self._failures = FailureBudget(failures)
        self._process = Gate(limits.process, limits.process)
        self._unknown = Gate(limits.unknown, 2 * limits.unknown)
        self._users: Counter[tuple[UUID, UUID]] = Counter()
        self._tenants: Counter[UUID] = Counter()
        self._known: OrderedDict[bytes, UUID] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(EXEMPT):
            await self._app(scope, receive, send)
            return
        ticket = scope[TICKET] = Ticket(self, Arrival.of(scope))
        try:
            refusal = await self._enter(ticket)
            if refusal is None:
                await self._app(scope, receive, self._noting(ticket, send))
            else:
                locale = locale_of_headers(ticket.arrival.headers)
                await problem(refusal, locale)(scope, receive, send)
        finally:
            ticket.leave_all()

    def count_caller(self, ticket: Ticket, caller: Caller) -> None:
        """Counts a request for its tenant and user. Raises TooManyAtOnce."""
        ticket.caller = caller
        ticket.leave("unknown_credential")
        tenant, user = caller.scope.tenant, (caller.scope.tenant, caller.scope.user)
        credential = ticket.arrival.credential
        self._known[credential] = tenant
        self._known.move_to_end(credential)
        if len(self._known) > MOST_CREDENTIALS:
            self._known.popitem(last=False)
        if "process" not in ticket.leaving or "tenant" in ticket.leaving:
            return
        if self._tenants[tenant] >= self._limits.tenant:
            raise self._too_many("tenant")
        if self._users[user] >= self._limits.user:
            raise self._too_many("user")
        self._tenants[tenant] += 1
        self._users[user] += 1
        ticket.leaving["tenant"] = lambda: self._uncount(tenant, user)

    def _uncount(self, tenant: UUID, user: tuple[UUID, UUID]) -> None:
        decrease(self._tenants, tenant)
        decrease(self._users, user)

    def note_failure(self, arrival: Arrival) -> None:
        """Counts a failed authentication."""
        self._known.pop(arrival.credential, None)
        self._load.failed(arrival.headers, arrival.address)
        if arrival.authenticates:
            self._failures.note(arrival.address)

    async def _enter(self, ticket: Ticket) -> SaegimError | None:
        """Acquires the slots of a request; returns the error if there are none."""
        arrival = ticket.arrival
        known = arrival.credential in self._known
        blocked = 0.0 if known else self._failures.seconds_until_allowed(arrival.address)
        if blocked and arrival.authenticates:
            return self._too_many("failed_credentials", blocked)
        # MCP tool calls are counted as the API requests that they make.
        counted = arrival.path != MCP
        if counted and (refusal := await self._enter_as_sender(ticket)) is not None:
            return refusal
        if not known and not await self._take(ticket, "unknown_credential", self._unknown):
            return self._too_busy("unknown_credential")
        if counted and not await self._take(ticket, "process", self._process):
            return self._too_busy("process")
        return None

    async def _enter_as_sender(self, ticket: Ticket) -> SaegimError | None:
        """Acquires a slot of the sender; returns the error if there is none."""
        arrival, limits = ticket.arrival, self._limits
        if self._senders.streams.total() >= limits.streams:
            return self._too_busy("process")
        if self._senders.streams[arrival.sender] >= limits.streams_per_user:
            return self._too_many("user")
        if arrival.credential:
            leave = await self._senders.enter(arrival.sender)
            if leave is None:
                return self._too_many("user")
            ticket.leaving["user"] = leave
        if self._load.store_is_busy() and self._above_share(arrival.credential):
            return self._too_busy("store")
        return None

    async def _take(self, ticket: Ticket, bound: Bound, gate: Gate) -> bool:
        entered = await gate.enter(self._limits.wait_seconds)
        if entered:
            ticket.leaving[bound] = gate.leave
        return entered

    def _above_share(self, credential: bytes) -> bool:
        """Whether the sender's tenant uses its fair share of the requests in progress."""
        tenant = self._known.get(credential)
        share = self._process.inside // max(1, len(self._tenants))
        return tenant is None or self._tenants[tenant] >= max(1, share)

    def _noting(self, ticket: Ticket, send: Send) -> Send:
        """Wraps `send`: an event stream releases its request slot, a 401 is counted."""

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] == 401:
                    self.note_failure(ticket.arrival)
                kind = Headers(raw=message.get("headers", [])).get("content-type", "")
                if kind.startswith(EVENT_STREAM) and "process" in ticket.leaving:
                    self._count_stream(ticket, ticket.arrival.sender)
            await send(message)

        return noting

    def _count_stream(self, ticket: Ticket, sender: bytes) -> None:
        """Moves a request to the stream counts: streams mostly wait for a model."""
        for bound in ("user", "tenant", "process"):
            ticket.leave(bound)
        self._senders.streams[sender] += 1
        ticket.leaving["stream"] = lambda: decrease(self._senders.streams, sender)

    def _too_many(self, bound: Bound, seconds: float = 0.0) -> TooManyAtOnce:
        self._load.refused(bound)
        return too_many(bound, seconds)

    def _too_busy(self, bound: Bound) -> ServerOverloaded:
        self._load.refused(bound)
        return ServerOverloaded(f"bound: {bound}")


API = "/v1/"
REQUEST = re.compile(rb"[A-Z]+ /v1/[^ ]* HTTP/1\.1\r\n")
FIELDS = re.compile(
    rb"\r\n(authorization|cookie|saegim-user|origin|accept-language|content-length"
    rb"|transfer-encoding):[ \t]*([^\r\n]*)",
    re.IGNORECASE,
)


class EarlyRefusals:
    def __init__(self, senders: Senders, refused: Callable[[str], None]) -> None:
        self._senders = senders
        self._refused = refused

    def refusal(self, data: bytes) -> tuple[TooManyAtOnce, Locale] | None:
        """Returns the error and its language; None if the request goes to the application."""
        head, ended, body = data.partition(b"\r\n\r\n")
        if not ended or REQUEST.match(data) is None:
            return None
        # The first of repeated fields counts, as in the application.
        fields = {name.lower(): value.strip() for name, value in reversed(FIELDS.findall(head))}
        # Browsers need CORS headers to read a refusal.
        if b"origin" in fields or b"transfer-encoding" in fields:
            return None
        # Closing a connection while its body arrives loses the response.
        if fields.get(b"content-length", b"0") != str(len(body)).encode():
            return None
        headers = Headers(raw=list(fields.items()))
        arrival = Arrival(API, headers, None, credential_of(headers))
        if not arrival.credential or not self._senders.full(arrival.sender):
            return None
        self._refused("user")
        return too_many("user"), locale_of_headers(headers)
