"""Load shedding: what exceeds a bound is refused before it costs a connection to the database."""

import hashlib
import random
import re
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saegim.domain.errors import Overloaded, SaegimError, TooManyAtOnce
from saegim.domain.scope import Caller
from saegim.entrypoints.api.gates import FailureBudget, Gate
from saegim.entrypoints.api.problems import locale_of_headers, problem

TICKET = "saegim.ticket"
MCP = "/mcp"
SIGN_IN = "/sign-in"
# Probes and metrics of operators never wait behind requests.
EXEMPT = ("/health/", "/metrics")
MOST_CREDENTIALS = 10_000
RETRY_SECONDS = (1.0, 4.0)
COOKIE = re.compile(r"(?:^|;\s*)(?:__Host-)?saegim=([^;]*)")
EVENT_STREAM = "text/event-stream"

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
class Load:
    """What admission looks at beside its own counts, and whom it tells."""

    store_is_busy: Callable[[], bool]
    refused: Callable[[str], None]
    failed: Callable[[Headers, str | None], None]


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
        return cls(scope["path"], headers, client[0], _credential(headers))

    @property
    def sender(self) -> bytes:
        """Its credential with the user that it names."""
        return self.credential + self.headers.get("saegim-user", "").encode()

    @property
    def authenticates(self) -> bool:
        return bool(self.credential) or self.path == SIGN_IN


class Ticket:
    """A request that was let in, and the places that it holds until it is answered."""

    def __init__(self, admission: "Admission", arrival: Arrival) -> None:
        self._admission = admission
        self.arrival = arrival
        self.leaving: dict[Bound | Literal["stream"], Callable[[], None]] = {}
        self.caller: Caller | None = None
        self.refused = False

    def verified(self, caller: Caller) -> None:
        """The credential is good, and this is whose it is. Raises TooManyAtOnce."""
        self.caller = caller
        self.leave("unknown_credential")
        self._admission.count_caller(self, caller)

    def failed(self) -> None:
        """The credential is not good."""
        self._admission.note_failure(self.arrival)

    def leave(self, place: Bound) -> None:
        if (leave := self.leaving.pop(place, None)) is not None:
            leave()

    def leave_all(self) -> None:
        while self.leaving:
            self.leaving.popitem()[1]()


def ticket_of(scope: Scope) -> Ticket | None:
    """The ticket of a request that admission saw."""
    ticket = scope.get(TICKET)
    return ticket if isinstance(ticket, Ticket) else None


def verified(scope: Scope, caller: Caller) -> None:
    """Tells admission who sent a request. Raises TooManyAtOnce."""
    if (ticket := ticket_of(scope)) is not None:
        ticket.verified(caller)


def failed(scope: Scope) -> None:
    """Tells admission that a credential is not good, where the response does not say so."""
    if (ticket := ticket_of(scope)) is not None:
        ticket.failed()


class Admission:
    """Lets requests in up to bounds per user, tenant and process; 429 or 503 for the rest.

    A request is counted by its credential before anybody looks it up, and by its tenant and user
    afterwards. Where the database has a queue, tenants that use more than their share are
    refused first."""

    def __init__(self, app: ASGIApp, limits: AdmissionLimits, failures: int, load: Load) -> None:
        self._app = app
        self._limits = limits
        self._load = load
        self._failures = FailureBudget(failures)
        self._process = Gate(limits.process, limits.process)
        self._unknown = Gate(limits.unknown, 2 * limits.unknown)
        self._senders: dict[bytes, Gate] = {}
        self._users: Counter[tuple[UUID, UUID]] = Counter()
        self._tenants: Counter[UUID] = Counter()
        self._streams: Counter[bytes] = Counter()
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
                ticket.refused = True
                locale = locale_of_headers(ticket.arrival.headers)
                await problem(refusal, locale)(scope, receive, send)
        finally:
            ticket.leave_all()

    def count_caller(self, ticket: Ticket, caller: Caller) -> None:
        """Counts a request with its tenant and user. Raises TooManyAtOnce."""
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
        _decrease(self._tenants, tenant)
        _decrease(self._users, user)

    def note_failure(self, arrival: Arrival) -> None:
        """Counts a credential that was refused."""
        self._known.pop(arrival.credential, None)
        self._load.failed(arrival.headers, arrival.address)
        if arrival.authenticates:
            self._failures.note(arrival.address)

    async def _enter(self, ticket: Ticket) -> SaegimError | None:
        """Takes the places of a request; why it is refused, if it is."""
        arrival = ticket.arrival
        known = arrival.credential in self._known
        blocked = 0.0 if known else self._failures.seconds_until_allowed(arrival.address)
        if blocked and arrival.authenticates:
            return self._too_many("failed_credentials", blocked)
        # Each call of an MCP tool is a request of its own, which is counted.
        counted = arrival.path != MCP
        if counted and (refusal := await self._enter_as_sender(ticket)) is not None:
            return refusal
        if not known and not await self._take(ticket, "unknown_credential", self._unknown):
            return self._too_busy("unknown_credential")
        if counted and not await self._take(ticket, "process", self._process):
            return self._too_busy("process")
        return None

    async def _enter_as_sender(self, ticket: Ticket) -> SaegimError | None:
        """Takes a place among the requests of one sender; why it gets none, if it does not."""
        arrival, limits = ticket.arrival, self._limits
        if self._streams.total() >= limits.streams:
            return self._too_busy("process")
        if self._streams[arrival.sender] >= limits.streams_per_user:
            return self._too_many("user")
        if arrival.credential and not await self._take_sender(ticket, arrival.sender):
            return self._too_many("user")
        if self._load.store_is_busy() and self._above_share(arrival.credential):
            return self._too_busy("store")
        return None

    async def _take(self, ticket: Ticket, place: Bound, gate: Gate) -> bool:
        entered = await gate.enter(self._limits.wait_seconds)
        if entered:
            ticket.leaving[place] = gate.leave
        return entered

    async def _take_sender(self, ticket: Ticket, sender: bytes) -> bool:
        limits = self._limits
        gate = self._senders.setdefault(sender, Gate(limits.user, limits.waiting_per_user))
        if not await gate.enter(limits.wait_seconds):
            return False

        def leave() -> None:
            gate.leave()
            if gate.empty:
                self._senders.pop(sender, None)

        ticket.leaving["user"] = leave
        return True

    def _above_share(self, credential: bytes) -> bool:
        """Whether a sender's tenant has its share of the requests in progress already."""
        tenant = self._known.get(credential)
        share = self._process.inside // max(1, len(self._tenants))
        return tenant is None or self._tenants[tenant] >= max(1, share)

    def _noting(self, ticket: Ticket, send: Send) -> Send:
        """Looks at how a response begins: a stream gives its place back, a 401 is counted."""

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] == 401:
                    ticket.failed()
                kind = Headers(raw=message.get("headers", [])).get("content-type", "")
                if kind.startswith(EVENT_STREAM) and "process" in ticket.leaving:
                    self._count_stream(ticket, ticket.arrival.sender)
            await send(message)

        return noting

    def _count_stream(self, ticket: Ticket, sender: bytes) -> None:
        """A stream waits for a model most of the time: it is counted apart from requests."""
        for place in ("user", "tenant", "process"):
            ticket.leave(place)
        self._streams[sender] += 1
        ticket.leaving["stream"] = lambda: _decrease(self._streams, sender)

    def _too_many(self, bound: Bound, seconds: float = 0.0) -> TooManyAtOnce:
        self._load.refused(bound)
        wait = seconds or random.uniform(*RETRY_SECONDS)  # noqa: S311 - spreads load
        return TooManyAtOnce(f"bound: {bound}", wait)

    def _too_busy(self, bound: Bound) -> Overloaded:
        self._load.refused(bound)
        return Overloaded(f"bound: {bound}")


def _decrease[K](counts: Counter[K], name: K) -> None:
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]


def _credential(headers: Headers) -> bytes:
    """What stands for a credential, the same for all ways to write it; empty without one."""
    shown = headers.get("authorization", "")
    if shown:
        text = shown.partition(" ")[2].strip() or shown
    else:
        found = COOKIE.search(headers.get("cookie", ""))
        text = found[1] if found else ""
    return hashlib.blake2b(text.encode(), digest_size=16).digest() if text else b""
