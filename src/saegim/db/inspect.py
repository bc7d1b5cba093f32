"""What an operator may see and the app's role may not: for `saegim doctor`."""

from dataclasses import dataclass
from uuid import UUID

from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg.errors import InvalidSchemaName, UndefinedTable
from psycopg.rows import DictRow, dict_row

from saegim.db.pool import query
from saegim.domain.errors import StoreUnavailable

CONNECT_SECONDS = 2


@dataclass(frozen=True, slots=True)
class IndexUse:
    """So many tenants have their index of a subject made with this embedder."""

    subject: str
    embedder: str
    dimensions: int
    tenants: int


async def server_identity(url: str) -> int:
    """The same for all databases of one server. Raises StoreUnavailable."""
    rows = await _ask(url, "server_identity")
    return int(rows[0]["system_identifier"])


async def index_uses(admin_url: str) -> list[IndexUse] | None:
    """The embedders in use; None where this login is fenced into one tenant itself.

    Raises StoreUnavailable.
    """
    (login,) = await _ask(admin_url, "sees_all_tenants")
    if not login["above"]:
        return None
    return [IndexUse(**row) for row in await _ask(admin_url, "index_uses")]


async def all_tenants(admin_url: str) -> list[UUID] | None:
    """Every tenant of the cell; None where this login is fenced into one tenant itself.

    Raises StoreUnavailable.
    """
    (login,) = await _ask(admin_url, "sees_all_tenants")
    if not login["above"]:
        return None
    return [row["tenant_id"] for row in await _ask(admin_url, "all_tenants")]


async def _ask(url: str, name: str) -> list[DictRow]:
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
