"""Wrapped keys in a small Postgres database of their own, outside the data and its backups."""

import psycopg
from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from saegim.adapters.keyring.keyring import KeyDestroyed, KeyName
from saegim.domain.errors import StoreUnavailable

SCHEMA = b"""
create table if not exists wrapped_key (
    tenant_id uuid not null,
    owner_id uuid not null,
    version integer not null,
    wrapped bytea,
    made_at timestamptz not null default now(),
    destroyed_at timestamptz,
    primary key (tenant_id, owner_id, version),
    check ((wrapped is null) = (destroyed_at is not null))
)
"""
FIND = b"select wrapped from wrapped_key where tenant_id = %s and owner_id = %s and version = %s"
PUT = b"""
insert into wrapped_key (tenant_id, owner_id, version, wrapped) values (%s, %s, %s, %s)
on conflict do nothing
"""
OUTAGES = (OperationalError, InterfaceError, PoolTimeout)


def prepare(url: str) -> None:
    """Makes the keyring's one table."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SCHEMA)


class PostgresKeys:
    """Implements `WrappedKeys` on the database of `SAEGIM_KEYRING_URL`."""

    def __init__(self, url: str) -> None:
        self._pool: AsyncConnectionPool[AsyncConnection] = AsyncConnectionPool(
            url,
            min_size=0,
            max_size=4,
            timeout=0.8,
            open=False,
            check=AsyncConnectionPool.check_connection,
            kwargs={"autocommit": True, "connect_timeout": 2},
        )

    async def open(self) -> None:
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    async def find(self, name: KeyName) -> bytes | None:
        try:
            async with self._pool.connection() as connection:
                cursor = await connection.execute(FIND, (name.tenant, name.owner, name.version))
                row = await cursor.fetchone()
        except OUTAGES as outage:
            raise StoreUnavailable from outage
        if row is None:
            return None
        if row[0] is None:
            raise KeyDestroyed(name)
        return bytes(row[0])

    async def put_if_absent(self, name: KeyName, wrapped: bytes) -> bytes:
        try:
            async with self._pool.connection() as connection:
                await connection.execute(PUT, (name.tenant, name.owner, name.version, wrapped))
        except OUTAGES as outage:
            raise StoreUnavailable from outage
        stored = await self.find(name)
        assert stored is not None, "a key that was just put is there"
        return stored
