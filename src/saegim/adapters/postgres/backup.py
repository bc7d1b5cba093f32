"""A cell's data as one file, consistent as of one moment, and back from it.

What recall searches of a person (vectors, terms) is sealed with the person's key, as all they said
is already. The keyring is not in it: a key that was destroyed since opens nothing of it, and before
a restore is committed every person with a tombstone is erased again."""

import io
import json
import zipfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, OperationalError
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Composed, Identifier, Literal

from saegim.adapters.keyring.cipher import Place
from saegim.adapters.keyring.keyring import KeyDestroyed, Keyring
from saegim.adapters.postgres.cells import ENTER_TENANT
from saegim.adapters.postgres.erasure import erase_rows
from saegim.adapters.postgres.revision import newest_revision
from saegim.domain.errors import Conflict, StoreUnavailable

FORM = "saegim-backup-1"
SCHEMA = "saegim"
# Found by search in one person's memory: sealed with that person's key.
SEALED = ("episode_vector", "memory_vector", "term_count")
# Made anew after a restore, or worth nothing by then.
LEFT_OUT = ("index_change", "link_code")

TABLES = """
select c.relname as name,
    array_agg(a.attname order by a.attnum) filter (where a.attgenerated = '') as columns
from pg_class c
join pg_namespace n on n.oid = c.relnamespace and n.nspname = %(schema)s
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('r', 'p') and not c.relispartition
    and exists (
        select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id'
    )
group by c.relname order by c.relname
"""
UNFINISHED = b"""
update saegim.turn set state = 'failed', error = 'restored', lease_owner = null, lease_until = null
where state in ('received', 'running')
"""


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: Sequence[str]


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds, counted by table."""

    rows: dict[str, int]


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back, who did not, and which tenants there are now."""

    rows: dict[str, int]
    erased: int
    tenants: tuple[UUID, ...]


class Backups:
    """Works with the owner's login, which sees every tenant."""

    def __init__(self, admin_url: str, keyring: Keyring) -> None:
        self._url = admin_url
        self._keyring = keyring

    async def back_up(self, file: Path, at: datetime) -> BackedUp:
        """Writes everything as of this moment. Raises StoreUnavailable."""
        rows: dict[str, int] = {}
        async with self._connected() as connection:
            await connection.execute(b"begin isolation level repeatable read read only")
            tables = await _tables(connection)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for table in tables:
                    if table.name in SEALED:
                        rows[table.name] = await self._write_sealed(connection, archive, table)
                    else:
                        rows[table.name] = await _write_plain(connection, archive, table)
                manifest = {
                    "form": FORM,
                    "revision": newest_revision(),
                    "made_at": at.isoformat(),
                    "tables": {table.name: list(table.columns) for table in tables},
                    "rows": rows,
                }
                archive.writestr("manifest.json", json.dumps(manifest, indent=2))
            await connection.execute(b"commit")
        return BackedUp(rows)

    async def restore(self, file: Path) -> Restored:
        """Brings a backup back into an empty, migrated database, all or nothing; people who were
        erased since stay erased. Raises Conflict where it does not fit."""
        with zipfile.ZipFile(file) as archive:
            manifest = json.loads(archive.read("manifest.json"))
            if manifest["form"] != FORM or manifest["revision"] != newest_revision():
                raise Conflict(f"the backup has schema {manifest['revision']}")
            async with self._connected() as connection, connection.transaction():
                if await _first(connection, b"select 1 as one from saegim.tenant limit 1"):
                    raise Conflict("the database is not empty")
                # Rows come table by table, so that there is no order that foreign keys like.
                await connection.execute(b"set local session_replication_role to replica")
                rows = {
                    name: await self._read(connection, archive, Table(name, columns))
                    for name, columns in manifest["tables"].items()
                }
                await connection.execute(b"set local session_replication_role to origin")
                await connection.execute(UNFINISHED)
                tenants = await _tenants(connection)
                erased = await self._erase_again(connection, tenants)
        return Restored(rows, erased, tenants)

    async def _write_sealed(
        self, connection: AsyncConnection[DictRow], archive: zipfile.ZipFile, table: Table
    ) -> int:
        """A table's rows person by person, each sealed with the person's key."""
        people = await connection.execute(
            SQL("select distinct tenant_id, member_id from {} order by 1, 2").format(_name(table))
        )
        count, lines = 0, list[str]()
        for person in await people.fetchall():
            tenant, member = person["tenant_id"], person["member_id"]
            try:
                cipher = await self._keyring.user(tenant, member)
            except KeyDestroyed:
                continue
            where = SQL(" where tenant_id = {} and member_id = {}").format(
                Literal(tenant), Literal(member)
            )
            content = await _copied(connection, table, where)
            count += content.count(b"\n")
            sealed = cipher.seal_bytes(content, _place(table, member))
            lines.append(
                json.dumps({"tenant": str(tenant), "member": str(member), "rows": sealed.hex()})
            )
        archive.writestr(f"sealed/{table.name}.jsonl", "\n".join(lines))
        return count

    async def _read(
        self, connection: AsyncConnection[DictRow], archive: zipfile.ZipFile, table: Table
    ) -> int:
        if table.name not in SEALED:
            content = archive.read(f"tables/{table.name}.copy")
            await _copy_in(connection, table, content)
            return content.count(b"\n")
        count = 0
        for line in archive.read(f"sealed/{table.name}.jsonl").decode().splitlines():
            person = json.loads(line)
            tenant, member = UUID(person["tenant"]), UUID(person["member"])
            try:
                cipher = await self._keyring.user(tenant, member)
            except KeyDestroyed:
                continue
            content = cipher.open_bytes(bytes.fromhex(person["rows"]), _place(table, member))
            await _copy_in(connection, table, content)
            count += content.count(b"\n")
        return count

    async def _erase_again(
        self, connection: AsyncConnection[DictRow], tenants: Sequence[UUID]
    ) -> int:
        erased = 0
        for tenant in tenants:
            await connection.execute(ENTER_TENANT, (str(tenant),))
            for member in await self._keyring.store.tombstones(tenant):
                counts = await erase_rows(connection, {"tenant": tenant, "member": member})
                erased += counts["member"]
        return erased

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[AsyncConnection[DictRow]]:
        try:
            connection: AsyncConnection[DictRow] = await AsyncConnection[DictRow].connect(
                self._url, autocommit=True, row_factory=dict_row
            )
        except OperationalError as outage:
            raise StoreUnavailable from outage
        async with connection:
            await connection.execute(f"set search_path to {SCHEMA}, public".encode())
            # A login that is fenced gets an error here, not a part of the rows.
            await connection.execute(b"set row_security to off")
            yield connection


async def _tables(connection: AsyncConnection[DictRow]) -> list[Table]:
    found = await connection.execute(TABLES.encode(), {"schema": SCHEMA})
    return [
        Table(row["name"], row["columns"])
        for row in await found.fetchall()
        if row["name"] not in LEFT_OUT
    ]


async def _tenants(connection: AsyncConnection[DictRow]) -> tuple[UUID, ...]:
    found = await connection.execute(b"select tenant_id from saegim.tenant order by 1")
    return tuple(row["tenant_id"] for row in await found.fetchall())


async def _first(connection: AsyncConnection[DictRow], statement: bytes) -> Any:
    return await (await connection.execute(statement)).fetchone()


async def _write_plain(
    connection: AsyncConnection[DictRow], archive: zipfile.ZipFile, table: Table
) -> int:
    content = await _copied(connection, table, SQL("").format())
    archive.writestr(f"tables/{table.name}.copy", content)
    return content.count(b"\n")


async def _copied(connection: AsyncConnection[DictRow], table: Table, where: Composed) -> bytes:
    statement = SQL("copy (select {} from {}{}) to stdout").format(
        _columns(table), _name(table), where
    )
    written = io.BytesIO()
    async with connection.cursor() as cursor, cursor.copy(statement) as rows:
        async for piece in rows:
            written.write(piece)
    return written.getvalue()


async def _copy_in(connection: AsyncConnection[DictRow], table: Table, content: bytes) -> None:
    statement = SQL("copy {} ({}) from stdin").format(_name(table), _columns(table))
    async with connection.cursor() as cursor, cursor.copy(statement) as rows:
        await rows.write(content)


def _name(table: Table) -> Composed:
    return SQL("{}.{}").format(Identifier(SCHEMA), Identifier(table.name))


def _columns(table: Table) -> Composed:
    return SQL(", ").join(Identifier(column) for column in table.columns)


def _place(table: Table, member: UUID) -> Place:
    return Place(f"backup.{table.name}", member)
