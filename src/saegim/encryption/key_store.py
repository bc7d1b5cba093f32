"""Wrapped keys in their own small Postgres database, apart from the data and its backups."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from saegim.db.pool import reraise_if_cancelled
from saegim.domain.errors import StoreUnavailable
from saegim.encryption.master_key import WrappedKey
from saegim.encryption.types import FIRST_VERSION, NOBODY, Head, KeyDestroyed, KeyName, StoredKey

SCHEMA = (
    b"""
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
    """,
    # The wrapping key, unless it is the first of its kind, and when the key starts to encrypt.
    b"alter table wrapped_key add column if not exists outer_name text",
    b"alter table wrapped_key add column if not exists active_at timestamptz",
    # The last sealed batch of each audit trail, apart from the trails.
    b"""
    create table if not exists audit_head (
        tenant_id uuid primary key,
        number integer not null,
        digest bytea not null,
        recorded_at timestamptz not null default now()
    )
    """,
)
FIND = b"""
select version, wrapped, outer_name, active_at from wrapped_key
where tenant_id = %s and owner_id = %s order by version
"""
PUT = b"""
insert into wrapped_key (tenant_id, owner_id, version, wrapped, outer_name, active_at)
values (%s, %s, %s, %s, %s, %s)
on conflict do nothing
"""
REWRAP = b"""
update wrapped_key set wrapped = %s, outer_name = %s
where tenant_id = %s and owner_id = %s and version = %s and wrapped = %s
"""
DROP = b"delete from wrapped_key where tenant_id = %s and owner_id = %s and version = %s"
# The update leaves a dead copy of the key's bytes, which the vacuum that follows removes.
DESTROY = b"""
insert into wrapped_key (tenant_id, owner_id, version, wrapped, destroyed_at)
values (%s, %s, %s, null, now())
on conflict (tenant_id, owner_id, version) do update
set wrapped = null, outer_name = null, destroyed_at = now()
where wrapped_key.wrapped is not null
"""
DROP_OTHERS = b"delete from wrapped_key where tenant_id = %s and owner_id = %s and version <> %s"
VACUUM = b"vacuum wrapped_key"
TOMBSTONES = b"""
select distinct owner_id from wrapped_key where tenant_id = %s and wrapped is null order by 1
"""
OWNERS = b"""
select distinct owner_id from wrapped_key
where tenant_id = %s and owner_id > %s and wrapped is not null order by 1 limit %s
"""
ROWS = b"""
select tenant_id, owner_id, version, wrapped, outer_name, active_at from wrapped_key
where (tenant_id, owner_id, version) > (%s, %s, %s) order by 1, 2, 3 limit %s
"""
TENANTS = b"""
select distinct tenant_id from wrapped_key where tenant_id > %s order by 1 limit %s
"""
# Forged cookies used to create such keys for tenants that do not exist.
UNUSED_TENANTS = b"""
select tenant_id from wrapped_key where tenant_id > %s
group by tenant_id
having bool_and(owner_id = %s) and max(made_at) < now() - interval '1 day'
order by 1 limit %s
"""
DROP_UNUSED_TENANT = b"""
delete from wrapped_key k where tenant_id = %s and owner_id = %s
    and made_at < now() - interval '1 day'
    and not exists (
        select from wrapped_key o where o.tenant_id = k.tenant_id and o.owner_id <> k.owner_id
    )
"""
ALL_HEADS = b"select tenant_id, number, digest from audit_head order by 1"
FIND_HEAD = b"select number, digest from audit_head where tenant_id = %s"
ADD_HEAD = b"""
insert into audit_head (tenant_id, number, digest) values (%s, %s, %s) on conflict do nothing
"""
MOVE_HEAD = b"""
update audit_head set number = %s, digest = %s, recorded_at = now()
where tenant_id = %s and number = %s and digest = %s
"""
OUTAGES = (OperationalError, InterfaceError, PoolTimeout, TimeoutError)
# A server that is cut off never answers; do not wait for the network to give up.
ANSWER_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A row of the keyring; one without a key is a tombstone."""

    tenant: UUID
    owner: UUID
    version: int
    key: StoredKey | None


def prepare(url: str) -> None:
    """Create or update the tables of the keyring."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in SCHEMA:
            connection.execute(statement)


class PostgresKeys:
    """Wrapped keys in the database of `SAEGIM_KEYRING_URL`. All methods raise StoreUnavailable.

    It also has the head of each audit trail, so that truncating a trail takes access to both
    databases."""

    def __init__(self, url: str, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._answer_seconds = answer_seconds
        self._pool: AsyncConnectionPool[AsyncConnection] = AsyncConnectionPool(
            url,
            min_size=0,
            max_size=4,
            timeout=answer_seconds - 0.5,
            open=False,
            check=AsyncConnectionPool.check_connection,
            kwargs={"autocommit": True, "connect_timeout": 2, "tcp_user_timeout": 4_000},
        )

    async def open(self) -> None:
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    async def find(self, tenant: UUID, owner: UUID) -> list[StoredKey]:
        """Return all versions of an owner's key. Raises KeyDestroyed for a tombstone."""
        rows = await self._rows(FIND, tenant, owner)
        if any(wrapped is None for _, wrapped, _, _ in rows):
            raise KeyDestroyed("the key was destroyed")
        return [
            StoredKey(version, bytes(wrapped), outer, active_at)
            for version, wrapped, outer, active_at in rows
        ]

    async def put_if_absent(self, tenant: UUID, owner: UUID, key: StoredKey) -> None:
        """Store a new version unless another process was first."""
        await self._run(PUT, tenant, owner, key.version, key.wrapped, key.outer, key.active_at)

    async def rewrap(self, name: KeyName, old: bytes, new: WrappedKey) -> bool:
        """Replace a wrapped key unless it was changed meanwhile."""
        key = (name.tenant, name.owner, name.version)
        return await self._run(REWRAP, new.content, new.outer, *key, old) > 0

    async def drop(self, name: KeyName) -> None:
        """Delete a version that nothing uses."""
        await self._run(DROP, name.tenant, name.owner, name.version)

    async def destroy(self, tenant: UUID, owner: UUID) -> None:
        """Destroy all of an owner's keys irreversibly, and leave a tombstone."""
        assert owner != NOBODY, "a tenant's key wraps all its users'"
        # The tombstone first, so that a concurrent request creates no new key.
        await self._run(DESTROY, tenant, owner, FIRST_VERSION)
        await self._run(DROP_OTHERS, tenant, owner, FIRST_VERSION)
        await self._run(VACUUM)

    async def tombstones(self, tenant: UUID) -> list[UUID]:
        """Return the owners in a tenant whose keys were destroyed."""
        return [row[0] for row in await self._rows(TOMBSTONES, tenant)]

    async def owners(self, tenant: UUID, after: UUID, most: int) -> list[UUID]:
        """Return a page of owners with keys in a tenant, without the tenant itself."""
        return [row[0] for row in await self._rows(OWNERS, tenant, after, most)]

    async def tenants(self, after: UUID, most: int) -> list[UUID]:
        return [row[0] for row in await self._rows(TENANTS, after, most)]

    async def unused_tenants(self, after: UUID, most: int) -> list[UUID]:
        """Return a page of tenants whose only key is their own and a day old."""
        return [row[0] for row in await self._rows(UNUSED_TENANTS, after, NOBODY, most)]

    async def drop_unused_tenant(self, tenant: UUID) -> bool:
        """Delete the key of a tenant that is still unused."""
        return await self._run(DROP_UNUSED_TENANT, tenant, NOBODY) > 0

    async def audit_head(self, tenant: UUID) -> Head | None:
        rows = await self._rows(FIND_HEAD, tenant)
        return Head(rows[0][0], bytes(rows[0][1])) if rows else None

    async def audit_heads(self) -> dict[UUID, Head]:
        """Return the recorded heads of all trails, by tenant."""
        rows = await self._rows(ALL_HEADS)
        return {tenant: Head(number, bytes(digest)) for tenant, number, digest in rows}

    async def move_audit_head(self, tenant: UUID, old: Head | None, new: Head) -> bool:
        """Record a new head if the recorded one is still `old`."""
        if old is None:
            return await self._run(ADD_HEAD, tenant, new.number, new.digest) > 0
        values = (new.number, new.digest, tenant, old.number, old.digest)
        return await self._run(MOVE_HEAD, *values) > 0

    async def rows(self, after: KeyRow | None, most: int) -> list[KeyRow]:
        start = (after.tenant, after.owner, after.version) if after else (NOBODY, NOBODY, -99)
        return [
            KeyRow(
                tenant,
                owner,
                version,
                None if wrapped is None else StoredKey(version, bytes(wrapped), outer, active_at),
            )
            for tenant, owner, version, wrapped, outer, active_at in await self._rows(
                ROWS, *start, most
            )
        ]

    async def _rows(self, statement: bytes, *values: object) -> list[tuple[Any, ...]]:
        async def fetch() -> list[tuple[Any, ...]]:
            async with self._connection() as connection:
                return await (await connection.execute(statement, values)).fetchall()

        task = asyncio.create_task(fetch())
        task.add_done_callback(_consume)
        try:
            # Not asyncio.timeout: the driver would spend seconds on cancelling the query.
            await asyncio.wait({task}, timeout=self._answer_seconds)
            answered = task.done()
        finally:
            task.cancel()
        if not answered:
            raise StoreUnavailable("the keyring does not answer")
        return task.result()

    async def _run(self, statement: bytes, *values: object) -> int:
        async with self._connection() as connection:
            return (await connection.execute(statement, values)).rowcount

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[AsyncConnection]:
        try:
            async with self._pool.connection() as connection:
                yield connection
        except OUTAGES as outage:
            reraise_if_cancelled(outage)
            raise StoreUnavailable from outage


def _consume(task: asyncio.Task[list[tuple[Any, ...]]]) -> None:
    """Retrieve the exception of an abandoned query, so that asyncio logs no warning."""
    if not task.cancelled():
        task.exception()
