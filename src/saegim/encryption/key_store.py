"""Wrapped keys in a small Postgres database of their own, outside the data and its backups."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from saegim.db.cancellation import reraise_if_cancelled
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
    # What wraps the key, where it is not the first of its kind, and from when on it seals.
    b"alter table wrapped_key add column if not exists outer_name text",
    b"alter table wrapped_key add column if not exists active_at timestamptz",
    # The last sealed batch of each audit trail, apart from the trails themselves.
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
# The bytes of a key are overwritten, not only unlinked: a row that is updated leaves a dead copy,
# which the vacuum that follows takes away.
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
# Opening a forged cookie used to make such keys for tenants that do not exist.
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
# A server that is cut off says nothing: whoever asks it must not wait for the network to give up.
ANSWER_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A row of the keyring; one without a key is a tombstone."""

    tenant: UUID
    owner: UUID
    version: int
    key: StoredKey | None


def prepare(url: str) -> None:
    """Makes the keyring's one table, or brings it up to date."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in SCHEMA:
            connection.execute(statement)


class PostgresKeys:
    """Stores wrapped keys in the database of `SAEGIM_KEYRING_URL`, apart from the data they seal.

    The last batch of each audit trail stands there too, so that whoever cuts off the end of a trail
    has to change both databases. All methods raise StoreUnavailable."""

    def __init__(self, url: str) -> None:
        self._pool: AsyncConnectionPool[AsyncConnection] = AsyncConnectionPool(
            url,
            min_size=0,
            max_size=4,
            timeout=2.5,
            open=False,
            check=AsyncConnectionPool.check_connection,
            kwargs={"autocommit": True, "connect_timeout": 2, "tcp_user_timeout": 4_000},
        )

    async def open(self) -> None:
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    async def find(self, tenant: UUID, owner: UUID) -> list[StoredKey]:
        """All versions of an owner's key; raises KeyDestroyed for a tombstone."""
        rows = await self._rows(FIND, tenant, owner)
        if any(wrapped is None for _, wrapped, _, _ in rows):
            raise KeyDestroyed("the key was destroyed")
        return [
            StoredKey(version, bytes(wrapped), outer, active_at)
            for version, wrapped, outer, active_at in rows
        ]

    async def put_if_absent(self, tenant: UUID, owner: UUID, key: StoredKey) -> None:
        """Stores a new version unless another process was first."""
        await self._run(PUT, tenant, owner, key.version, key.wrapped, key.outer, key.active_at)

    async def rewrap(self, name: KeyName, old: bytes, new: WrappedKey) -> bool:
        """Puts another wrapping in place of the old one, unless somebody else did."""
        named = (name.tenant, name.owner, name.version)
        return await self._run(REWRAP, new.content, new.outer, *named, old) > 0

    async def drop(self, name: KeyName) -> None:
        """Takes away a version that sealed nothing that is left."""
        await self._run(DROP, name.tenant, name.owner, name.version)

    async def destroy(self, tenant: UUID, owner: UUID) -> None:
        """Destroys all of an owner's keys for good, and leaves a tombstone."""
        assert owner != NOBODY, "a tenant's key wraps all its users'"
        # The tombstone first: whoever comes between finds it and makes no new key.
        await self._run(DESTROY, tenant, owner, FIRST_VERSION)
        await self._run(DROP_OTHERS, tenant, owner, FIRST_VERSION)
        await self._run(VACUUM)

    async def tombstones(self, tenant: UUID) -> list[UUID]:
        """The owners in a tenant whose keys were destroyed."""
        return [row[0] for row in await self._rows(TOMBSTONES, tenant)]

    async def owners(self, tenant: UUID, after: UUID, most: int) -> list[UUID]:
        """Owners with keys in a tenant, the tenant itself aside, in order."""
        return [row[0] for row in await self._rows(OWNERS, tenant, after, most)]

    async def tenants(self, after: UUID, most: int) -> list[UUID]:
        """Tenants with keys, in order."""
        return [row[0] for row in await self._rows(TENANTS, after, most)]

    async def unused_tenants(self, after: UUID, most: int) -> list[UUID]:
        """Tenants, in order, whose only key is their own and a day old: no user ever had one."""
        return [row[0] for row in await self._rows(UNUSED_TENANTS, after, NOBODY, most)]

    async def drop_unused_tenant(self, tenant: UUID) -> bool:
        """Deletes the key of a tenant that is unused still."""
        return await self._run(DROP_UNUSED_TENANT, tenant, NOBODY) > 0

    async def audit_head(self, tenant: UUID) -> Head | None:
        """The last batch as it was recorded."""
        rows = await self._rows(FIND_HEAD, tenant)
        return Head(rows[0][0], bytes(rows[0][1])) if rows else None

    async def audit_heads(self) -> dict[UUID, Head]:
        """The recorded heads of all trails, by tenant."""
        rows = await self._rows(ALL_HEADS)
        return {tenant: Head(number, bytes(digest)) for tenant, number, digest in rows}

    async def move_audit_head(self, tenant: UUID, old: Head | None, new: Head) -> bool:
        """Records another, unless the recorded one is not `old` any more."""
        if old is None:
            return await self._run(ADD_HEAD, tenant, new.number, new.digest) > 0
        values = (new.number, new.digest, tenant, old.number, old.digest)
        return await self._run(MOVE_HEAD, *values) > 0

    async def rows(self, after: KeyRow | None, most: int) -> list[KeyRow]:
        """Everything that is stored, in order."""
        begin = (after.tenant, after.owner, after.version) if after else (NOBODY, NOBODY, -99)
        return [
            KeyRow(
                tenant,
                owner,
                version,
                None if wrapped is None else StoredKey(version, bytes(wrapped), outer, active_at),
            )
            for tenant, owner, version, wrapped, outer, active_at in await self._rows(
                ROWS, *begin, most
            )
        ]

    async def _rows(self, statement: bytes, *values: object) -> list[tuple[Any, ...]]:
        async def ask() -> list[tuple[Any, ...]]:
            async with self._connection() as connection:
                return await (await connection.execute(statement, values)).fetchall()

        asking = asyncio.create_task(ask())
        asking.add_done_callback(_heard)
        try:
            # Not a timeout: the driver goes on for seconds to cancel what nobody hears.
            await asyncio.wait({asking}, timeout=ANSWER_SECONDS)
            answered = asking.done()
        finally:
            asking.cancel()
        if not answered:
            raise StoreUnavailable("the keyring does not answer")
        return asking.result()

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


def _heard(asking: asyncio.Task[list[tuple[Any, ...]]]) -> None:
    """What became of a question that nobody waits for any more is nobody's business."""
    if not asking.cancelled():
        asking.exception()
