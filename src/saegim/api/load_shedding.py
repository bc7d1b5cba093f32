"""Load shedding: refuses requests over a limit before they use a database connection."""

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saegim.api.problems import locale_of_headers, problem
from saegim.api.senders import (
    EXEMPT,
    MCP,
    Arrival,
    Bound,
    FailureBudget,
    Gate,
    Senders,
    decrease,
    too_many,
)
from saegim.domain.errors import SaegimError, ServerOverloaded, TooManyAtOnce
from saegim.domain.scope import Caller

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
