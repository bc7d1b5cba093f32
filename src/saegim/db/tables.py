"""Tables with tenant rows, from the catalogue. Needs the owner's login: it bypasses row-level
security."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection, OperationalError
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Composed, Identifier

from saegim.domain.errors import StoreUnavailable

SCHEMA = "saegim"
Owner = AsyncConnection[DictRow]

TABLES = """
select c.relname as name,
    array_agg(a.attname order by a.attnum) filter (where a.attgenerated = '') as columns,
    array_agg(format_type(a.atttypid, null) order by a.attnum) filter (where a.attgenerated = '')
        as types,
    (
        select array_agg(k.attname order by k.attnum) from pg_index i
        join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary
    ) as keys
from pg_class c
join pg_namespace n on n.oid = c.relnamespace and n.nspname = %(schema)s
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('r', 'p') and not c.relispartition
    and exists (
        select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id'
    )
group by c.oid, c.relname order by c.relname
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its columns, their types and its primary key."""

    name: str
    columns: Sequence[str]
    types: Sequence[str] = ()
    keys: Sequence[str] = ()

    @property
    def sql(self) -> Composed:
        return SQL("{}.{}").format(Identifier(SCHEMA), Identifier(self.name))

    @property
    def sql_columns(self) -> Composed:
        return listed(self.columns)


def listed(names: Sequence[str]) -> Composed:
    return SQL(", ").join(Identifier(name) for name in names)


@asynccontextmanager
async def owner(url: str) -> AsyncGenerator[Owner]:
    """Connects as the owner. Raises StoreUnavailable."""
    try:
        connection: Owner = await Owner.connect(url, autocommit=True, row_factory=dict_row)
    except OperationalError as outage:
        raise StoreUnavailable from outage
    async with connection:
        await connection.execute(f"set search_path to {SCHEMA}, public".encode())
        # A login under row-level security gets an error instead of missing rows.
        await connection.execute(b"set row_security to off")
        await connection.execute(b"set timezone to 'UTC'")
        yield connection


async def tenant_tables(connection: Owner, *, but: Sequence[str] = ()) -> list[Table]:
    """Lists the tables with tenant rows, except `but`."""
    cursor = await connection.execute(TABLES.encode(), {"schema": SCHEMA})
    return [Table(**row) for row in await cursor.fetchall() if row["name"] not in but]


async def first(connection: Owner, statement: bytes | Composed, *values: Any) -> DictRow | None:
    return await (await connection.execute(statement, values or None)).fetchone()
