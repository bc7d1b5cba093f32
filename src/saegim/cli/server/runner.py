"""Runs the API on a socket until a signal comes."""

import asyncio
import signal
import socket
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress

import uvicorn

from saegim.app.container import Services
from saegim.cli.server.http_protocol import HttpLimits, bounded_http
from saegim.cli.server.listener import BACKLOG
from saegim.web.app import create_site

ACCEPTED_AT_ONCE = 2
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ApiServer(uvicorn.Server):
    """Leaves signals to the caller: uvicorn would raise them again at the end."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.answering = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            # uvicorn's backlog, how many it accepts at once, would also limit the system's.
            listening.listen(BACKLOG)
        self.answering.set()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    def stop(self) -> None:
        """Stop after the running requests; the second time, at once."""
        self.force_exit = self.should_exit
        self.should_exit = True


async def serve(
    services: Services,
    listening: socket.socket,
    grace_seconds: int,
    meanwhile: Callable[[], Awaitable[None]],
) -> None:
    """Serve until a signal comes; `meanwhile` runs once requests are answered."""
    limits = HttpLimits.of(services.settings)
    site = create_site(services)
    config = uvicorn.Config(
        site,
        http=bounded_http(limits, site.state.early_refusals),
        # How many connections are accepted at once, between requests.
        backlog=ACCEPTED_AT_ONCE,
        log_config=None,
        access_log=False,
        ws="none",
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=grace_seconds,
    )
    server = ApiServer(config)
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, server.stop)
    beside = asyncio.create_task(_once_started(server, meanwhile))
    try:
        await server.serve(sockets=[listening])
    finally:
        beside.cancel()
        with suppress(asyncio.CancelledError):
            await beside


async def _once_started(server: ApiServer, meanwhile: Callable[[], Awaitable[None]]) -> None:
    await server.answering.wait()
    try:
        await meanwhile()
    except Exception:
        # The task is awaited only at the end, so an error must stop the server.
        server.stop()
        raise
