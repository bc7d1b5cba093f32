"""Work on a database that is cut off ends as what cut it off, wherever it was."""

import asyncio

import pytest
from psycopg import OperationalError

from saegim.adapters.postgres.carrying import snapshot
from saegim.adapters.postgres.tables import owner
from saegim.domain.errors import NotFound
from tests.stack import Databases, Stack

MANY_ROWS = b"copy (select generate_series(1, 100000)) to stdout"


async def copy_in_a_snapshot(
    databases: Databases, started: asyncio.Event, begun: asyncio.Event
) -> None:
    async with owner(databases.admin_url) as connection, snapshot(connection):
        started.set()
        await begun.wait()
        async with connection.cursor() as cursor, cursor.copy(MANY_ROWS) as rows:
            async for _ in rows:
                pass


@pytest.mark.parametrize("steps", range(1, 9))
async def test_a_snapshot_ends_as_cancelled_wherever_its_copy_is_cut(
    databases: Databases, steps: int
) -> None:
    started, begun = asyncio.Event(), asyncio.Event()
    copying = asyncio.create_task(copy_in_a_snapshot(databases, started, begun))
    await started.wait()
    begun.set()
    for _ in range(steps):
        await asyncio.sleep(0)

    copying.cancel()

    with pytest.raises(asyncio.CancelledError):
        await copying


async def test_an_error_within_a_transaction_is_told_though_its_connection_is_lost(
    stack: Stack,
) -> None:
    tenant = stack.tenant.tenant.id

    async def lose_and_fail() -> None:
        async with stack.services.cells.home.transaction(tenant) as connection:
            with pytest.raises(OperationalError):
                await connection.execute(b"select pg_terminate_backend(pg_backend_pid())")
            raise NotFound("turn")

    with pytest.raises(NotFound):
        await lose_and_fail()

    assert await stack.services.tenants.assistants(tenant)
