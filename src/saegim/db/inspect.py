"""Queries across tenants with the owner's login, for operators."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg.errors import InvalidSchemaName, UndefinedTable
from psycopg.rows import DictRow, dict_row

from saegim.db.pool import query
from saegim.domain.errors import StoreUnavailable

CONNECT_SECONDS = 2


@dataclass(frozen=True, slots=True)
class IndexUse:
    """Number of tenants whose index uses an embedder."""

    subject: str
    embedder: str
    dimensions: int
    tenants: int


@dataclass(frozen=True, slots=True)
class ListedTenant:
    """A tenant as operators see it."""

    id: UUID
    name: str
    created_at: datetime


async def server_identity(url: str) -> int:
    """Returns an ID that all databases of one server share. Raises StoreUnavailable."""
    rows = await _run(url, "server_identity")
    return int(rows[0]["system_identifier"])


async def index_uses(admin_url: str) -> list[IndexUse] | None:
    """Returns the embedders in use; None without access to all tenants. Raises StoreUnavailable."""
    rows = await _across_tenants(admin_url, "index_uses")
    return None if rows is None else [IndexUse(**row) for row in rows]


async def all_tenants(admin_url: str) -> list[UUID] | None:
    """Returns the IDs of all tenants; None without access to all of them. Raises
    StoreUnavailable."""
    tenants = await list_tenants(admin_url)
    return None if tenants is None else [tenant.id for tenant in tenants]


async def list_tenants(admin_url: str) -> list[ListedTenant] | None:
    """Returns all tenants of a cell, oldest first; None without access to all of them. Raises
    StoreUnavailable."""
    rows = await _across_tenants(admin_url, "all_tenants")
    if rows is None:
        return None
    return [ListedTenant(row["tenant_id"], row["name"], row["created_at"]) for row in rows]


async def _across_tenants(url: str, name: str) -> list[DictRow] | None:
    (login,) = await _run(url, "sees_all_tenants")
    return await _run(url, name) if login["above"] else None


async def _run(url: str, name: str) -> list[DictRow]:
    try:
        async with (
            await AsyncConnection.connect(url, connect_timeout=CONNECT_SECONDS) as connection,
            connection.cursor(row_factory=dict_row) as cursor,
        ):
            return await (await cursor.execute(query(name))).fetchall()
    except (UndefinedTable, InvalidSchemaName) as missing:
        raise StoreUnavailable("there is no schema yet: run `saegim migrate`") from missing
    except (OperationalError, InterfaceError) as outage:
        raise StoreUnavailable from outage
