"""Work on a database that is cut off ends as what cut it off, wherever it was."""

import asyncio
import contextlib
from uuid import uuid4

import psycopg
import pytest
from psycopg import OperationalError

from saegim.db.tables import owner
from saegim.domain.errors import NotFound, StoreUnavailable
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.types import KeyName
from saegim.governance.tenant_move.copier import snapshot
from tests.stack import Databases, Stack

MANY_ROWS = b"copy (select generate_series(1, 100000)) to stdout"
SLEEPING = b"""
select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and state = 'active' and wait_event_type in ('Lock', 'Timeout')
"""
# Whoever enters a tenant looks up its place, and waits for it.
HOLD_BACK = b"lock table saegim.tenant_directory in access exclusive mode"


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
        async with stack.services.db.cells.home.transaction(tenant) as connection:
            with pytest.raises(OperationalError):
                await connection.execute(b"select pg_terminate_backend(pg_backend_pid())")
            raise NotFound("turn")

    with pytest.raises(NotFound):
        await lose_and_fail()

    assert await stack.services.auth.tenants.assistants(tenant)


class Sleeper:
    """A client that is cancelled during a query while the server disconnects."""

    def __init__(self, admin: str) -> None:
        self._admin = admin
        self.goes_on = False

    async def stop(self, sleeping: "asyncio.Task[None]") -> None:
        with psycopg.connect(self._admin, autocommit=True) as admin:
            while (pid := admin.execute(SLEEPING).fetchone()) is None:
                assert not sleeping.done(), "it does not wait"
                await asyncio.sleep(0.01)
            # Nothing else runs between the two: the driver is told to stop, and then finds that
            # its connection is gone.
            sleeping.cancel()
            admin.execute(b"select pg_terminate_backend(%s, 10000)", pid)
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(sleeping, 120)
        assert not self.goes_on


async def test_a_cancelled_transaction_ends_as_cancelled_though_its_server_hangs_up(
    stack: Stack, databases: Databases
) -> None:
    sleeper = Sleeper(databases.admin_url)

    async def sleep() -> None:
        with contextlib.suppress(StoreUnavailable):
            async with stack.services.db.cells.home.transaction(
                stack.tenant.tenant.id
            ) as connection:
                await connection.execute(b"select pg_sleep(600)")
        sleeper.goes_on = True

    await sleeper.stop(asyncio.create_task(sleep()))


async def test_a_cancelled_beginning_is_not_begun_anew(stack: Stack, databases: Databases) -> None:
    sleeper = Sleeper(databases.admin_url)

    async def begin() -> None:
        async with stack.services.db.cells.home.transaction(stack.tenant.tenant.id):
            sleeper.goes_on = True

    with psycopg.connect(databases.admin_url) as admin:
        admin.execute(HOLD_BACK)
        await sleeper.stop(asyncio.create_task(begin()))


async def test_a_cancelled_read_is_not_asked_anew(stack: Stack, databases: Databases) -> None:
    sleeper = Sleeper(databases.admin_url)

    async def read() -> None:
        with contextlib.suppress(StoreUnavailable):
            await stack.services.db.cells.home.place_of(stack.tenant.tenant.id)
        sleeper.goes_on = True

    with psycopg.connect(databases.admin_url) as admin:
        admin.execute(HOLD_BACK)
        await sleeper.stop(asyncio.create_task(read()))


async def test_a_cancelled_look_at_the_keyring_ends_as_cancelled(
    stack: Stack, databases: Databases
) -> None:
    keyring = databases.servers.postgres.url(databases.keyring)
    sleeper, keys = Sleeper(keyring), PostgresKeys(keyring, 60)
    await keys.open()

    async def drop() -> None:
        with contextlib.suppress(StoreUnavailable):
            await keys.drop(KeyName(stack.tenant.tenant.id, uuid4(), 1))
        sleeper.goes_on = True

    try:
        with psycopg.connect(keyring) as admin:
            admin.execute(b"lock table wrapped_key in access exclusive mode")
            await sleeper.stop(asyncio.create_task(drop()))
    finally:
        await keys.close()
