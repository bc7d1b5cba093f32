"""Connection pools and named queries."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection, AsyncPipeline, InterfaceError, OperationalError
from psycopg.abc import PQGen
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests

# psycopg has no other seam: where it renames these, pipelines are its own again, and slower.
# pyright: reportPrivateUsage=false


class Batch(AsyncPipeline):
    """A pipeline that sends nothing until an answer is wanted, and then all that waits.

    psycopg's own sends each statement by itself, which costs a round of the event loop apiece: four
    times the processor time of a pipeline of two, seven times of one of six."""

    def _communicate_gen(self) -> PQGen[None]:
        return
        yield

    def _fetch_gen(self, *, flush: bool) -> PQGen[None]:
        while self.command_queue:
            self.command_queue.popleft()()
        yield from super()._fetch_gen(flush=flush)


class BatchingConnection(AsyncConnection[DictRow]):
    """A connection whose pipelines are batches."""

    @asynccontextmanager
    async def pipeline(self) -> AsyncGenerator[AsyncPipeline]:
        """Context manager to switch the connection into pipeline mode."""
        if self._pipeline is None:
            self._pipeline = Batch(self)
        async with super().pipeline() as pipeline:
            yield pipeline


Connection = AsyncConnection[DictRow]
# A server that is cut off says nothing: what was sent to it is given up after some seconds.
REACHING: dict[str, Any] = {"connect_timeout": 2, "tcp_user_timeout": 4_000}
# How long nothing may come back from a server before it is probed.
SILENT_SECONDS = 0.2
# Asking the pool for a connection is what makes it connect again; nobody waits for this one.
RECONNECT_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class CellLimits:
    """How many connections a process holds to a cell, and how long it waits for it."""

    connections: int = 20
    begin_seconds: float = 2.5
    queue_seconds: float = 5.0
    transaction_seconds: float = 15.0
    waiting_per_connection: int = 10


@dataclass(frozen=True, slots=True)
class PoolUse:
    """Connections that this process holds to a cell, and how many requests wait for one."""

    size: int
    free: int
    most: int
    waiting: int


class CellPool:
    """A bounded pool. Requests keep their place in its queue until they get a connection.

    While a server is silent, one probe per process finds out whether it is still there. If it is
    gone, every waiting request fails at once instead of at the end of its wait."""

    def __init__(self, url: str, limits: CellLimits) -> None:
        self._url = url
        self._limits = limits
        self._most_waiting = limits.connections * limits.waiting_per_connection
        # By the deadline of each waiting request: since when it waits. The oldest is first.
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
            # A pool that backs off would stay down after Postgres is up: every request tries anew.
            reconnect_timeout=0.1,
            open=False,
            kwargs={"row_factory": dict_row, "autocommit": True, **REACHING},
        )

    async def open(self) -> None:
        """Starts connecting in the background; a database that is down is met on first use."""
        await self._pool.open()

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._probe is not None:
            self._probe.cancel()
        await self._pool.close()

    def use(self) -> PoolUse:
        """How its connections are used, right now."""
        found = self._pool.get_stats()
        return PoolUse(
            size=found.get("pool_size", 0),
            free=found.get("pool_available", 0),
            most=self._limits.connections,
            waiting=found.get("requests_waiting", 0),
        )

    @property
    def waiting(self) -> int:
        """How many requests wait for a connection."""
        return len(self._waiting)

    async def take(self) -> Connection:
        """Waits for a connection. Raises TimeoutError where the server is gone or the wait is too
        long, TooManyRequests where too many wait already."""
        if len(self._waiting) >= self._most_waiting:
            raise TooManyRequests("too many requests wait for a connection")
        seconds, loop = self._limits.queue_seconds, asyncio.get_running_loop()
        async with asyncio.timeout(seconds) as deadline:
            self._waiting[deadline] = loop.time()
            self._watch(loop, SILENT_SECONDS)
            try:
                # The deadline comes first, so that a late connection is never lost.
                return await self._pool.getconn(timeout=seconds + 1)
            finally:
                del self._waiting[deadline]

    async def put_back(self, connection: Connection) -> None:
        if not connection.broken and not connection.closed:
            self._heard_at = asyncio.get_running_loop().time()
        await self._pool.putconn(connection)

    def _watch(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        """Looks after requests that wait; there is one watch for all of them."""
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
        try:
            async with asyncio.timeout(self._limits.begin_seconds):
                await (await AsyncConnection.connect(self._url, **REACHING)).close()
        except (OperationalError, InterfaceError, TimeoutError):
            for deadline in self._waiting:
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
    """All named queries, of every feature."""
    found: dict[str, NamedQuery] = {}
    for file in sorted(PACKAGE.rglob("queries.sql")):
        for query in _parse(file.read_text("utf-8")):
            if query.name in found:
                raise ValueError(f"two queries are called {query.name}")
            found[query.name] = query
    return found


def query(name: str) -> bytes:
    """The text of the query with this name."""
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
