"""What every request gets: an id, and a log line without content."""

import logging
import time
from dataclasses import dataclass
from uuid import UUID, uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saegim.api.authentication_log import AddressHash
from saegim.api.load_shedding import ticket_of
from saegim.telemetry import spans
from saegim.telemetry.logs import request_id
from saegim.usage.metrics import Metrics

log = logging.getLogger("saegim.api")

LONGEST_REQUEST_ID = 64


# Whatever else a client may call a method: it must not become a label.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD = "other"


@dataclass(frozen=True, slots=True)
class _Answered:
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
            answered = _Answered(route, status, began, turn)
            fields = {"fields": _call(scope, answered, took) | self._client(scope)}
            log.info("%s %s %s %.1f ms", scope["method"], route, status, took, extra=fields)
            self._observe(scope, answered)
            request_id.reset(token)

    def _client(self, scope: Scope) -> dict[str, str]:
        """A keyed hash of the sender's address: tells senders apart, not where they are."""
        client = scope.get("client") or (None,)
        return {"client": self._addresses.of(client[0])}

    def _observe(self, scope: Scope, answered: "_Answered") -> None:
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


def _call(scope: Scope, answered: _Answered, took: float) -> dict[str, str | int | float]:
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
