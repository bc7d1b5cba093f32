"""HTTP connections with bounds: how many there are, and how long each may take."""

import asyncio
import json
import math
import resource
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from saegim.api.early_refusals import EarlyRefusals
from saegim.api.problems import retry_after, status_of
from saegim.app.settings import Settings
from saegim.domain.errors import LimitReached, SaegimError, ServerOverloaded, TimedOut
from saegim.domain.scope import Locale
from saegim.locales import translate

# Files of a process beside its connections: stores, logs, indexes, child processes.
FILES_BESIDE = 512
REASONS = {408: "Request Timeout", 429: "Too Many Requests", 503: "Service Unavailable"}


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """`header_seconds` also bounds how long a connection may be open without a request."""

    connections: int = 4_096
    header_seconds: float = 10.0
    write_seconds: float = 60.0

    @classmethod
    def of(cls, settings: Settings) -> "HttpLimits":
        """As the settings say, within what the system allows this process."""
        room = max(1, raise_file_limit() - FILES_BESIDE)
        return cls(
            min(settings.http_connections, room),
            settings.http_header_seconds,
            settings.http_write_seconds,
        )


def raise_file_limit() -> int:
    """Takes as many open files as the system allows this process; how many these are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


@dataclass(frozen=True, slots=True)
class SharedState:
    """What the connections of a process share."""

    limits: HttpLimits
    early: EarlyRefusals
    idle: "dict[BoundedHttp, None]" = field(default_factory=dict["BoundedHttp", None])
    """All idle connections, the one that is idle longest first."""


class BoundedHttp(H11Protocol):
    """Closes connections that send no whole request, or do not read what they asked for.

    Where there are too many, one that is idle makes room for a new one."""

    def __init__(self, shared: "SharedState", **given: Any) -> None:
        super().__init__(**given)
        self._limits, self._idle, self._early = shared.limits, shared.idle, shared.early
        self._no_request: asyncio.TimerHandle | None = None
        self._not_read: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections and not self._close_an_idle_one():
            self._end(ServerOverloaded())
        else:
            self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # Only where a request begins.
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            refusal = self._early.refusal(data)
            if refusal is not None:
                self._end(*refusal)
                return
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._not_read is None:
            self._not_read = self.loop.call_later(self._limits.write_seconds, self.hang_up)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._not_read is not None:
            self._not_read.cancel()
            self._not_read = None

    def _follow(self) -> None:
        """A connection without a request in progress has a deadline; one with a request none."""
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:  # pyright: ignore[reportUnnecessaryComparison] - None before the first request
            self._stop_waiting()
        elif self._no_request is None:
            self._idle[self] = None
            self._no_request = self.loop.call_later(self._limits.header_seconds, self._time_out)

    def _stop_waiting(self) -> None:
        self._idle.pop(self, None)
        if self._no_request is not None:
            self._no_request.cancel()
            self._no_request = None

    def _close_an_idle_one(self) -> bool:
        oldest = next(iter(self._idle), None)
        if oldest is None:
            return False
        oldest.hang_up()
        return True

    def hang_up(self) -> None:
        """Closes the connection at once."""
        self._stop_waiting()
        self.transport.abort()

    def _time_out(self) -> None:
        self._end(TimedOut())

    def _end(self, error: SaegimError, locale: Locale = "en") -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self.transport.write(_response(error, locale))
            self.transport.close()


def bounded_http(limits: HttpLimits, early: EarlyRefusals) -> type[asyncio.Protocol]:
    """The protocol for uvicorn, whose connections share these limits."""
    shared = SharedState(limits, early)

    def make(**given: Any) -> BoundedHttp:
        return BoundedHttp(shared, **given)

    # uvicorn only ever calls it.
    return cast("type[asyncio.Protocol]", cast("Callable[..., asyncio.Protocol]", make))


def _response(error: SaegimError, locale: Locale) -> bytes:
    status = status_of(error)
    body = {
        "type": f"urn:saegim:problem:{error.code}",
        "code": error.code,
        "title": translate(error.text, locale),
        "status": status,
        **({"detail": error.detail} if error.detail else {}),
    }
    content = json.dumps(body, ensure_ascii=False).encode()
    head = [
        f"HTTP/1.1 {status} {REASONS[status]}",
        "content-type: application/problem+json",
        f"content-length: {len(content)}",
        "connection: close",
    ]
    if isinstance(error, LimitReached):
        head.append(f"retry-after: {max(1, math.ceil(error.retry_after))}")
    elif status == 503:
        head.append(f"retry-after: {retry_after()}")
    return "\r\n".join([*head, "", ""]).encode() + content
