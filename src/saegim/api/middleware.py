"""Request IDs, request logs without content, and limits on request bodies."""

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
# Other methods are not used as metric labels.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD = "other"
# Clients request these several times a second until a job is over.
POLLED = frozenset({"/v1/ingests/{ingest_id}"})
HTTP_ERROR = 400


@dataclass(frozen=True, slots=True)
class _ResponseInfo:
    route: str
    status: int
    began: float
    turn: str | None


class RequestContext:
    """Sets the request ID in logs and responses, writes one log line and one metric per request,
    and starts the trace of a turn."""

    def __init__(self, app: ASGIApp, observer: Metrics, addresses: AddressHash) -> None:
        self._app = app
        self._observer = observer
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identifier = _client_request_id(Headers(scope=scope)) or uuid4().hex
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
            response = _ResponseInfo(route, status, began, turn)
            fields = {"fields": _log_fields(scope, response, took) | self._client(scope)}
            level = logging.DEBUG if route in POLLED and status < HTTP_ERROR else logging.INFO
            log.log(level, "%s %s %s %.1f ms", scope["method"], route, status, took, extra=fields)
            self._observe(scope, response)
            request_id.reset(token)

    def _client(self, scope: Scope) -> dict[str, str]:
        """Returns a keyed hash of the client address."""
        client = scope.get("client") or (None,)
        return {"client": self._addresses.of(client[0])}

    def _observe(self, scope: Scope, response: _ResponseInfo) -> None:
        method = scope["method"] if scope["method"] in METHODS else OTHER_METHOD
        seconds = time.perf_counter() - response.began
        self._observer.request(method, response.route, response.status, seconds)
        if response.turn is None:
            return
        attributes = {
            "http.request.method": method,
            "http.route": response.route,
            "http.response.status_code": response.status,
            "saegim.request": request_id.get() or "",
        }
        parent = Headers(scope=scope).get("traceparent", "")
        name = f"{method} {response.route}"
        spans.note_request(UUID(response.turn), name, response.began, attributes, parent)


def _log_fields(scope: Scope, response: _ResponseInfo, ms: float) -> dict[str, str | int | float]:
    """Returns the fields of the request log: IDs and figures, no content."""
    fields: dict[str, str | int | float] = {
        "method": scope["method"],
        "route": response.route,
        "status": response.status,
        "ms": round(ms, 1),
    }
    ticket = ticket_of(scope)
    if ticket is not None and ticket.caller is not None:
        caller = ticket.caller
        fields["tenant"], fields["user"] = str(caller.scope.tenant), str(caller.scope.user)
        fields["key"], fields["credential"] = str(caller.key), caller.credential.value
    return fields if response.turn is None else fields | {"turn": response.turn}


def _client_request_id(headers: Headers) -> str | None:
    name = headers.get("x-request-id", "")
    valid = 0 < len(name) <= LONGEST_REQUEST_ID and name.isascii() and name.isprintable()
    return name if valid else None


# Uploads are streamed; their route limits their size.
UPLOADS = re.compile(r"/v1/ingests/[^/]+/files/")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """`seconds` limits a whole body, or each chunk of an upload."""

    most_bytes: int = 1_000_000
    most_bytes_of_all: int = 64_000_000
    seconds: float = 30.0


class BodyLimit:
    """Buffers request bodies and refuses those that are too large or too slow."""

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
        headers, body = Headers(scope=scope), bytearray()
        length = headers.get("content-length", "0")
        if length == "0" and "transfer-encoding" not in headers:
            await self._app(scope, receive, send)
            return
        try:
            if not length.isdigit() or int(length) > self._limits.most_bytes:
                raise self._too_large()
            whole = await self._read(receive, body)
        except SaegimError as refusal:
            await problem(refusal, locale_of_headers(headers))(scope, receive, send)
            return
        finally:
            self._buffered_bytes -= len(body)
        if whole:
            await self._app(scope, _replayed(bytes(body), receive), send)

    async def _read(self, receive: Receive, body: bytearray) -> bool:
        """Reads a body; returns False if the client disconnects. Raises TooLarge, TimedOut,
        ServerOverloaded."""
        more = True
        try:
            async with asyncio.timeout(self._limits.seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return False
                    chunk: bytes = message.get("body", b"")
                    body += chunk
                    self._buffered_bytes += len(chunk)
                    if len(body) > self._limits.most_bytes:
                        raise self._too_large()
                    if self._buffered_bytes > self._limits.most_bytes_of_all:
                        raise ServerOverloaded("too many large requests at once")
                    more = message.get("more_body", False)
        except TimeoutError:
            raise TimedOut from None
        return True

    def _too_large(self) -> TooLarge:
        return TooLarge(f"the limit is {self._limits.most_bytes} bytes")

    def _timed(self, receive: Receive) -> Receive:
        async def timed() -> Message:
            try:
                async with asyncio.timeout(self._limits.seconds):
                    return await receive()
            except TimeoutError:
                raise TimedOut from None

        return timed


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Returns a `receive` that replays the body first."""
    sent = False

    async def replayed() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
