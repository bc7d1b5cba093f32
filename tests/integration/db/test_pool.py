"""A busy pool keeps its order and its bound; a server that is gone is noticed by one probe."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from benchmarks.doubles.patience import PATIENT_CELL
from saegim.db.cells import HOME_CELL, Cell, CellLimits
from saegim.db.pool import SILENT_SECONDS, Connect
from saegim.domain.errors import StoreUnavailable
from tests.stack import Databases

SESSIONS = b"select sessions from pg_stat_database where datname = %s"
WAITING = 40
LONG_QUEUE = replace(PATIENT_CELL, connections=2, waiting_per_connection=WAITING)


@asynccontextmanager
async def opened(
    url: str, limits: CellLimits, connect: Connect = psycopg.AsyncConnection.connect
) -> AsyncIterator[Cell]:
    cell = Cell(HOME_CELL, url, limits, connect)
    await cell.open()
    try:
        yield cell
    finally:
        await cell.close()


def sessions(databases: Databases) -> int:
    """Returns the number of sessions that the server has opened for this database."""
    with psycopg.connect(databases.servers.postgres.url("postgres"), autocommit=True) as admin:
        row = admin.execute(SESSIONS, (databases.data,)).fetchone()
    assert row is not None
    return row[0]


def probes_since(began: float) -> float:
    """Returns how many probes there may have been: a busy machine makes a server silent, too."""
    return 1 + (time.monotonic() - began) / SILENT_SECONDS


async def test_a_busy_pool_opens_no_connection_beyond_its_limit(databases: Databases) -> None:
    served: list[int] = []
    async with opened(databases.app_url, LONG_QUEUE) as cell:
        before, began = sessions(databases), time.monotonic()

        async def work(number: int) -> None:
            async with cell.connection() as connection:
                served.append(number)
                await connection.execute(b"select pg_sleep(0.04)")

        await asyncio.gather(*(work(number) for number in range(WAITING)))
        opened_sessions = sessions(databases) - before
    assert opened_sessions <= 2 + probes_since(began)
    # Two connections answer side by side, so neighbours may change places.
    assert all(abs(number - place) <= 1 for place, number in enumerate(served))


async def test_silent_connections_are_probed_by_one_connection_at_a_time(
    databases: Databases,
) -> None:
    limits = replace(LONG_QUEUE, connections=1, waiting_per_connection=2 * WAITING)
    async with opened(databases.app_url, limits) as cell:
        before, began = sessions(databases), time.monotonic()

        async def work(seconds: float) -> None:
            async with cell.connection() as connection:
                await connection.execute(b"select pg_sleep(%s)", (seconds,))

        await asyncio.gather(work(0.7), *(work(0) for _ in range(WAITING)))
        opened_sessions = sessions(databases) - before
    assert opened_sessions <= 1 + probes_since(began)


async def test_all_who_wait_hear_of_a_dead_server_by_few_connections() -> None:
    knocks = 0

    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal knocks
        knocks += 1
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    url = f"postgresql://app@127.0.0.1:{port}/saegim"
    limits, began = replace(LONG_QUEUE, queue_seconds=3600), time.monotonic()
    async with server, opened(url, limits) as cell, asyncio.timeout(120):
        reads = (cell.place_of(uuid4()) for _ in range(WAITING))
        found = await asyncio.gather(*reads, return_exceptions=True)
    assert {type(error) for error in found} == {StoreUnavailable}
    # The pool tries again and again, too.
    assert knocks < WAITING / 2 + 4 * probes_since(began)


class OneFailure:
    """Probes, once it is `on`: the first fails when it is let go, the next get no answer."""

    def __init__(self) -> None:
        self.on = False
        self.begun, self.fails = asyncio.Event(), asyncio.Event()

    async def connect(self, url: str, **limits: Any) -> psycopg.AsyncConnection[Any]:
        if not self.on:
            return await psycopg.AsyncConnection.connect(url, **limits)
        if self.begun.is_set():
            await asyncio.sleep(3600)
        self.begun.set()
        await self.fails.wait()
        raise psycopg.OperationalError


async def test_a_probe_fails_no_request_that_came_after_its_start(databases: Databases) -> None:
    probes = OneFailure()
    limits = replace(PATIENT_CELL, connections=1, queue_seconds=3600)
    async with (
        opened(databases.app_url, limits, probes.connect) as cell,
        asyncio.timeout(120),
    ):
        async with cell.connection():
            probes.on = True
            early = asyncio.create_task(cell.place_of(uuid4()))
            await probes.begun.wait()
            late = asyncio.create_task(cell.place_of(uuid4()))
            while cell.pool().waiting < 2:
                await asyncio.sleep(0)
            probes.fails.set()
            with pytest.raises(StoreUnavailable):
                await early
        assert await late is None


async def test_more_waiting_requests_than_the_queue_holds_fail_at_once(
    databases: Databases,
) -> None:
    limits = replace(PATIENT_CELL, connections=1, waiting_per_connection=3)
    async with opened(databases.app_url, limits) as cell:
        async with cell.connection():
            waiting = [asyncio.create_task(cell.place_of(uuid4())) for _ in range(3)]
            await asyncio.sleep(0)
            with pytest.raises(StoreUnavailable):
                await cell.place_of(uuid4())
        assert await asyncio.gather(*waiting) == [None] * 3
