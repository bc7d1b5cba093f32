"""HTTP connections with limits on their number and duration."""

import asyncio
import resource
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from saegim.api.load_shedding import EarlyRefusals
from saegim.api.problems import problem
from saegim.app.settings import Settings
from saegim.domain.errors import SaegimError, ServerOverloaded, TimedOut
from saegim.domain.scope import Locale

# Open files besides connections of clients: databases, logs, indexes, child processes.
OTHER_FILES = 512


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """`header_seconds` also bounds how long a connection may be open without a request."""

    connections: int = 4_096
    header_seconds: float = 10.0
    write_seconds: float = 60.0

    @classmethod
    def of(cls, settings: Settings) -> "HttpLimits":
        """Return the limits of the settings, within those of the operating system."""
        connections = min(settings.http_connections, max(1, raise_file_limit() - OTHER_FILES))
        return cls(connections, settings.http_header_seconds, settings.http_write_seconds)


def raise_file_limit() -> int:
    """Raise the soft limit of open files to the hard limit, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


@dataclass(frozen=True, slots=True)
class SharedState:
    """State that the connections of a process share."""

    limits: HttpLimits
    early: EarlyRefusals
    idle: "dict[BoundedHttp, None]" = field(default_factory=dict["BoundedHttp", None])
    """Idle connections, the longest idle first."""


class BoundedHttp(H11Protocol):
    """Closes connections that do not complete a request, or do not read the response.

    With too many connections, a new one replaces an idle one."""

    def __init__(self, shared: SharedState, **options: Any) -> None:
        super().__init__(**options)
        self._limits, self._idle, self._early = shared.limits, shared.idle, shared.early
        self._request_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections and not self._close_idle():
            self._end(ServerOverloaded())
        else:
            self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # Only at the start of a request.
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            refusal = self._early.refusal(data)
            if refusal is not None:
                self._end(*refusal)
                return
        super().data_received(data)
        self._update_timer()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._update_timer()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._write_timer is None:
            self._write_timer = self.loop.call_later(self._limits.write_seconds, self.hang_up)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _update_timer(self) -> None:
        """Start the timer if no request is in progress, else stop it."""
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:  # pyright: ignore[reportUnnecessaryComparison] - None before the first request
            self._stop_timer()
        elif self._request_timer is None:
            self._idle[self] = None
            self._request_timer = self.loop.call_later(self._limits.header_seconds, self._time_out)

    def _stop_timer(self) -> None:
        self._idle.pop(self, None)
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _close_idle(self) -> bool:
        oldest = next(iter(self._idle), None)
        if oldest is None:
            return False
        oldest.hang_up()
        return True

    def hang_up(self) -> None:
        """Close the connection at once."""
        self._stop_timer()
        self.transport.abort()

    def _time_out(self) -> None:
        self._end(TimedOut())

    def _end(self, error: SaegimError, locale: Locale = "en") -> None:
        self._stop_timer()
        if not self.transport.is_closing():
            self.transport.write(_response(error, locale))
            self.transport.close()


def bounded_http(limits: HttpLimits, early: EarlyRefusals) -> type[asyncio.Protocol]:
    """Return a protocol for uvicorn whose connections share these limits."""
    # uvicorn only calls it.
    return cast("type[asyncio.Protocol]", partial(BoundedHttp, SharedState(limits, early)))


def _response(error: SaegimError, locale: Locale) -> bytes:
    response = problem(error, locale)
    status = HTTPStatus(response.status_code)
    headers = [*response.headers.items(), ("connection", "close")]
    lines = [f"HTTP/1.1 {status} {status.phrase}", *(f"{name}: {text}" for name, text in headers)]
    return "\r\n".join([*lines, "", ""]).encode() + response.body
