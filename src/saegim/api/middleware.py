"""What every request gets: an id, a bound on its body, and a log line without content."""

import asyncio
import logging
import re
import time
from dataclasses import dataclass
from uuid import UUID, uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saegim.api.caller import AddressHash
from saegim.api.load_shedding import ticket_of
from saegim.api.problems import locale_of_headers, problem
from saegim.domain.errors import SaegimError, ServerOverloaded, TimedOut, TooLarge
from saegim.telemetry import spans
from saegim.telemetry.logs import request_id
from saegim.usage.metrics import Metrics

log = logging.getLogger("saegim.api")

LONGEST_REQUEST_ID = 64


# Whatever else a client may call a method: it must not become a label.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD = "other"


@dataclass(frozen=True, slots=True)
class _ResponseInfo:
    route: str
    status: int
    began: float
    turn: str | None


class RequestContext:
    """A request id in logs, problems and the response; one log line per request, which is counted,
    and is the root of its turn's trace where it began one."""

    def __init__(self, app: ASGIApp, observer: Metrics, addresses: AddressHash) -> None:
        self._app = app
        self._observer = observer
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identifier = _given_id(Headers(scope=scope)) or uuid4().hex
        token = request_id.set(identifier)
        began, status = time.perf_counter(), 0
        turn: str | None = None

        async def send_with_id(message: Message) -> None:
            nonlocal status, turn
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = identifier
                turn = headers.get("Saegim-Turn")
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            took = (time.perf_counter() - began) * 1000
            route = getattr(scope.get("route"), "path", "unknown")
            answered = _ResponseInfo(route, status, began, turn)
            fields = {"fields": _call(scope, answered, took) | self._client(scope)}
            log.info("%s %s %s %.1f ms", scope["method"], route, status, took, extra=fields)
            self._observe(scope, answered)
            request_id.reset(token)

    def _client(self, scope: Scope) -> dict[str, str]:
        """A keyed hash of the sender's address: tells senders apart, not where they are."""
        client = scope.get("client") or (None,)
        return {"client": self._addresses.of(client[0])}

    def _observe(self, scope: Scope, answered: "_ResponseInfo") -> None:
        method = scope["method"] if scope["method"] in METHODS else OTHER_METHOD
        seconds = time.perf_counter() - answered.began
        self._observer.request(method, answered.route, answered.status, seconds)
        if answered.turn is None:
            return
        about = {
            "http.request.method": method,
            "http.route": answered.route,
            "http.response.status_code": answered.status,
            "saegim.request": request_id.get() or "",
        }
        caller = Headers(scope=scope).get("traceparent", "")
        name = f"{method} {answered.route}"
        spans.note_request(UUID(answered.turn), name, answered.began, about, caller)


def _call(scope: Scope, answered: _ResponseInfo, took: float) -> dict[str, str | int | float]:
    """A request in the API call log: ids and figures, no content."""
    fields: dict[str, str | int | float] = {
        "method": scope["method"],
        "route": answered.route,
        "status": answered.status,
        "ms": round(took, 1),
    }
    ticket = ticket_of(scope)
    if ticket is not None and ticket.caller is not None:
        caller = ticket.caller
        fields["tenant"], fields["user"] = str(caller.scope.tenant), str(caller.scope.user)
        fields["key"], fields["credential"] = str(caller.key), caller.credential.value
    return fields if answered.turn is None else fields | {"turn": answered.turn}


def _given_id(headers: Headers) -> str | None:
    given = headers.get("x-request-id", "")
    fits = 0 < len(given) <= LONGEST_REQUEST_ID and given.isascii() and given.isprintable()
    return given if fits else None


# Files are read as they come, in parts; their route bounds them itself.
UPLOADS = re.compile(r"/v1/ingests/[^/]+/files/")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """`seconds` is for a whole body; a file that comes in parts has it for each of them."""

    most_bytes: int = 1_000_000
    most_bytes_of_all: int = 64_000_000
    seconds: float = 30.0


class BodyLimit:
    """Reads a body before anything else looks at the request, and refuses one that is too large
    or too slow."""

    def __init__(self, app: ASGIApp, limits: BodyLimits) -> None:
        self._app = app
        self._limits = limits
        self._buffered_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif UPLOADS.match(scope["path"]):
            await self._app(scope, self._timed(receive), send)
        else:
            await self._with_body(scope, receive, send)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, body = Headers(scope=scope), _Body()
        try:
            await self._read(headers, receive, body)
        except SaegimError as refusal:
            await problem(refusal, locale_of_headers(headers))(scope, receive, send)
            return
        finally:
            self._buffered_bytes -= body.size
        if not body.broken_off:
            await self._app(scope, _replayed(body, receive), send)

    async def _read(self, headers: Headers, receive: Receive, body: "_Body") -> None:
        """Reads a body whole. Raises TooLarge, TimedOut, Overloaded."""
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limits.most_bytes:
            raise self._too_large()
        if length == "0" and "transfer-encoding" not in headers:
            return
        try:
            async with asyncio.timeout(self._limits.seconds):
                while not body.whole:
                    size = body.add(await receive())
                    self._buffered_bytes += size
                    if body.size > self._limits.most_bytes:
                        raise self._too_large()
                    if self._buffered_bytes > self._limits.most_bytes_of_all:
                        raise ServerOverloaded("too many large requests at once")
        except TimeoutError:
            raise TimedOut from None

    def _too_large(self) -> TooLarge:
        return TooLarge(f"a body may have {self._limits.most_bytes} bytes")

    def _timed(self, receive: Receive) -> Receive:
        async def timed() -> Message:
            try:
                async with asyncio.timeout(self._limits.seconds):
                    return await receive()
            except TimeoutError:
                raise TimedOut from None

        return timed


class _Body:
    """A body as it comes in."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.whole = False
        self.broken_off = False

    def add(self, message: Message) -> int:
        """Takes the next part; how large it is."""
        if message["type"] == "http.disconnect":
            self.whole = self.broken_off = True
            return 0
        part: bytes = message.get("body", b"")
        self.parts.append(part)
        self.size += len(part)
        self.whole = not message.get("more_body", False)
        return len(part)


def _replayed(body: _Body, receive: Receive) -> Receive:
    """The body once more, then whatever else comes."""
    if not body.whole:
        return receive
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": b"".join(body.parts), "more_body": False}

    return replayed
