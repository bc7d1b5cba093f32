"""Connection pools and named queries."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection, AsyncPipeline, InterfaceError, OperationalError
from psycopg.abc import PQGen
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests


def reraise_if_cancelled(error: BaseException) -> None:
    """Raises CancelledError if this task was cancelled and got this error instead.

    A cancelled driver notifies its server and raises if the server is gone. Treating that as an
    outage would retry and never stop."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError from error


# psycopg has no public hook. If it renames these, its own slower pipelines are used.
# pyright: reportPrivateUsage=false


class Batch(AsyncPipeline):
    """A pipeline that sends all statements at once, when a result is fetched.

    psycopg sends each statement separately, with a round of the event loop each: 4 times the CPU
    time for two statements, 7 times for six."""

    def _communicate_gen(self) -> PQGen[None]:
        return
        yield

    def _fetch_gen(self, *, flush: bool) -> PQGen[None]:
        while self.command_queue:
            self.command_queue.popleft()()
        yield from super()._fetch_gen(flush=flush)


class BatchingConnection(AsyncConnection[DictRow]):
    @asynccontextmanager
    async def pipeline(self) -> AsyncGenerator[AsyncPipeline]:
        if self._pipeline is None:
            self._pipeline = Batch(self)
        async with super().pipeline() as pipeline:
            yield pipeline


Connection = AsyncConnection[DictRow]
Connect = Callable[..., Awaitable[AsyncConnection[Any]]]
CONNECT_SECONDS = 2
# A server that is silent for this long is probed.
SILENT_SECONDS = 0.2
# Requesting a connection makes the pool reconnect.
RECONNECT_SECONDS = 0.01


def reaching(connect_seconds: int = CONNECT_SECONDS) -> dict[str, Any]:
    """Returns timeouts for a server that is unreachable without an error."""
    return {"connect_timeout": connect_seconds, "tcp_user_timeout": 4_000}


@dataclass(frozen=True, slots=True)
class CellLimits:
    """Connection limits and timeouts of a cell."""

    connections: int = 20
    connect_seconds: int = CONNECT_SECONDS
    begin_seconds: float = 2.5
    queue_seconds: float = 5.0
    transaction_seconds: float = 15.0
    waiting_per_connection: int = 10


@dataclass(frozen=True, slots=True)
class PoolUse:
    """Connections of this process to a cell, and requests that wait for one."""

    size: int
    free: int
    most: int
    waiting: int


class CellPool:
    """A bounded pool with a queue of waiting requests.

    While the server is silent, one probe per process checks it. If it is down, every request that
    waited before the probe fails immediately instead of after its timeout."""

    def __init__(
        self, url: str, limits: CellLimits, connect: Connect = AsyncConnection.connect
    ) -> None:
        self._url = url
        self._connect = connect
        self._limits = limits
        self._most_waiting = limits.connections * limits.waiting_per_connection
        # Start of each wait, by its deadline; oldest first.
        self._waiting: dict[asyncio.Timeout, float] = {}
        self._heard_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._probe: asyncio.Task[None] | None = None
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            url,
            connection_class=BatchingConnection,
            min_size=1,
            max_size=limits.connections,
            timeout=limits.queue_seconds,
            # No backoff: every request tries to reconnect.
            reconnect_timeout=0.1,
            open=False,
            kwargs={
                "row_factory": dict_row,
                "autocommit": True,
                **reaching(limits.connect_seconds),
            },
        )

    async def open(self) -> None:
        """Starts connecting in the background; an outage raises on first use."""
        await self._pool.open()

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._probe is not None:
            self._probe.cancel()
        await self._pool.close()

    def use(self) -> PoolUse:
        stats = self._pool.get_stats()
        return PoolUse(
            size=stats.get("pool_size", 0),
            free=stats.get("pool_available", 0),
            most=self._limits.connections,
            waiting=stats.get("requests_waiting", 0),
        )

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    async def take(self) -> Connection:
        """Waits for a connection. Raises TimeoutError, and TooManyRequests if the queue is full."""
        if len(self._waiting) >= self._most_waiting:
            raise TooManyRequests("too many requests wait for a connection")
        seconds, loop = self._limits.queue_seconds, asyncio.get_running_loop()
        async with asyncio.timeout(seconds) as deadline:
            self._waiting[deadline] = loop.time()
            self._watch(loop, SILENT_SECONDS)
            try:
                # The deadline expires first, so that a late connection is not lost.
                return await self._pool.getconn(timeout=seconds + 1)
            finally:
                del self._waiting[deadline]

    async def put_back(self, connection: Connection) -> None:
        if not connection.broken and not connection.closed:
            self._heard_at = asyncio.get_running_loop().time()
        await self._pool.putconn(connection)

    def _watch(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        """Starts the timer that checks waiting requests, unless it runs."""
        if self._timer is None and self._probe is None:
            self._timer = loop.call_later(seconds, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        if not self._waiting:
            return
        since = max(self._heard_at, next(iter(self._waiting.values())))
        silent = loop.time() - since
        if silent < SILENT_SECONDS:
            self._watch(loop, SILENT_SECONDS - silent)
        else:
            self._probe = loop.create_task(self._run_probe(loop))

    async def _run_probe(self, loop: asyncio.AbstractEventLoop) -> None:
        began = loop.time()
        try:
            async with asyncio.timeout(self._limits.begin_seconds):
                reached = await self._connect(self._url, **reaching(self._limits.connect_seconds))
                await reached.close()
        except (OperationalError, InterfaceError, TimeoutError):
            # The server may have come back since: later requests wait for the next probe.
            for deadline, since in self._waiting.items():
                if since <= began and not deadline.expired():
                    deadline.reschedule(loop.time())
        else:
            self._heard_at = loop.time()
            with suppress(PoolTimeout, TooManyRequests):
                await self.put_back(await self._pool.getconn(timeout=RECONNECT_SECONDS))
        self._probe = None
        if self._waiting:
            self._watch(loop, SILENT_SECONDS)


PACKAGE = Path(__file__).parents[1]
_NAME = re.compile(r"^-- name: (?P<name>\w+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NamedQuery:
    name: str
    description: str
    text: bytes


@cache
def named_queries() -> dict[str, NamedQuery]:
    """Returns the named queries of all features."""
    queries: dict[str, NamedQuery] = {}
    for file in sorted(PACKAGE.rglob("queries.sql")):
        for query in _parse(file.read_text("utf-8")):
            if query.name in queries:
                raise ValueError(f"duplicate query {query.name}")
            queries[query.name] = query
    return queries


def query(name: str) -> bytes:
    return named_queries()[name].text


def _parse(source: str) -> list[NamedQuery]:
    starts = list(_NAME.finditer(source))
    ends = [match.start() for match in starts[1:]] + [len(source)]
    return [
        _named(match["name"], source[match.end() : end])
        for match, end in zip(starts, ends, strict=True)
    ]


def _named(name: str, body: str) -> NamedQuery:
    lines = body.strip().splitlines()
    comments = [line for line in lines if line.startswith("--")]
    statement = "\n".join(line for line in lines if not line.startswith("--"))
    description = " ".join(line.removeprefix("--").strip() for line in comments)
    return NamedQuery(name, description, statement.strip().rstrip(";").encode())
