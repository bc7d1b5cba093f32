"""A cell's data as one file, consistent as of one moment, and back from it.

What recall searches of a person (vectors, terms) is sealed with the person's key, as all they said
is already. The keyring is not in it: a key that was destroyed since opens nothing of it, and before
a restore is committed every person with a tombstone is erased again."""

import json
import zipfile
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from psycopg.sql import SQL, Composed, Literal

from saegim.adapters.keyring.cipher import Place
from saegim.adapters.keyring.keyring import KeyDestroyed, Keyring
from saegim.adapters.postgres.erasure import erase_rows
from saegim.adapters.postgres.revision import newest_revision
from saegim.adapters.postgres.tables import Owner, Table, first, owner, tenant_tables
from saegim.domain.errors import Conflict

FORM = "saegim-backup-1"
PIECE_BYTES = 1 << 20
# Found by search in one person's memory: sealed with that person's key.
SEALED = ("episode_vector", "memory_vector", "term_count")
# Made anew after a restore, or worth nothing by then.
LEFT_OUT = ("index_change", "link_code", "tenant_move")

ENTER_TENANT = b"select set_config('app.tenant', %s, true)"
UNFINISHED = b"""
update saegim.turn set state = 'failed', error = 'restored', lease_owner = null, lease_until = null
where state in ('received', 'running')
"""


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


@dataclass(frozen=True, slots=True)
class Checked:
    """What a whole backup says of itself."""

    made_at: str
    revision: str
    rows: dict[str, int]


def check(file: Path) -> Checked:
    """Reads a backup to its end and counts. Raises Conflict where something of it is missing."""
    try:
        with zipfile.ZipFile(file) as archive:
            damaged = archive.testzip()
            manifest = json.loads(archive.read("manifest.json"))
            for name, rows in manifest["rows"].items():
                if name not in SEALED and _count(_pieces(archive, _entry(name))) != rows:
                    raise Conflict(f"{name} does not have the {rows} rows it should")
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise Conflict(f"this is no whole backup: {error}") from error
    if damaged:
        raise Conflict(f"{damaged} is damaged")
    return Checked(manifest["made_at"], manifest["revision"], manifest["rows"])


class Backups:
    """Works with the owner's login, which sees every tenant."""

    def __init__(self, admin_url: str, keyring: Keyring) -> None:
        self._url = admin_url
        self._keyring = keyring

    async def back_up(self, file: Path, at: datetime) -> BackedUp:
        """Writes everything as of this moment. Raises StoreUnavailable."""
        rows: dict[str, int] = {}
        async with owner(self._url) as connection:
            await connection.execute(b"begin isolation level repeatable read read only")
            tables = await tenant_tables(connection, but=LEFT_OUT)
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
            async with owner(self._url) as connection, connection.transaction():
                if await first(connection, b"select 1 as one from saegim.tenant limit 1"):
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

    async def _write_sealed(self, connection: Owner, archive: zipfile.ZipFile, table: Table) -> int:
        """A table's rows person by person, each sealed with the person's key."""
        people = await connection.execute(
            SQL("select distinct tenant_id, member_id from {} order by 1, 2").format(table.sql)
        )
        count = 0
        with archive.open(_sealed_entry(table.name), "w", force_zip64=True) as written:
            for person in await people.fetchall():
                tenant, member = person["tenant_id"], person["member_id"]
                try:
                    cipher = await self._keyring.user(tenant, member)
                except KeyDestroyed:
                    continue
                where = SQL(" where tenant_id = {} and member_id = {}").format(
                    Literal(tenant), Literal(member)
                )
                content = b"".join([piece async for piece in _copied(connection, table, where)])
                count += content.count(b"\n")
                rows = cipher.seal_bytes(content, _place(table, member)).hex()
                line = {"tenant": str(tenant), "member": str(member), "rows": rows}
                written.write(json.dumps(line).encode() + b"\n")
        return count

    async def _read(self, connection: Owner, archive: zipfile.ZipFile, table: Table) -> int:
        if table.name not in SEALED:
            return await _copy_in(connection, table, _pieces(archive, _entry(table.name)))
        count = 0
        with archive.open(_sealed_entry(table.name)) as lines:
            for person in map(json.loads, lines):
                tenant, member = UUID(person["tenant"]), UUID(person["member"])
                try:
                    cipher = await self._keyring.user(tenant, member)
                except KeyDestroyed:
                    continue
                content = cipher.open_bytes(bytes.fromhex(person["rows"]), _place(table, member))
                count += await _copy_in(connection, table, [content])
        return count

    async def _erase_again(self, connection: Owner, tenants: Sequence[UUID]) -> int:
        erased = 0
        for tenant in tenants:
            await connection.execute(ENTER_TENANT, (str(tenant),))
            for member in await self._keyring.store.tombstones(tenant):
                counts = await erase_rows(connection, {"tenant": tenant, "member": member})
                erased += counts["member"]
        return erased


async def _tenants(connection: Owner) -> tuple[UUID, ...]:
    found = await connection.execute(b"select tenant_id from saegim.tenant order by 1")
    return tuple(row["tenant_id"] for row in await found.fetchall())


async def _write_plain(connection: Owner, archive: zipfile.ZipFile, table: Table) -> int:
    count = 0
    with archive.open(_entry(table.name), "w", force_zip64=True) as written:
        async for piece in _copied(connection, table, SQL("").format()):
            written.write(piece)
            count += piece.count(b"\n")
    return count


async def _copied(connection: Owner, table: Table, where: Composed) -> AsyncGenerator[bytes]:
    """A table's rows as they come: a table may be larger than memory."""
    statement = SQL("copy (select {} from {}{}) to stdout").format(
        table.sql_columns, table.sql, where
    )
    async with connection.cursor() as cursor, cursor.copy(statement) as rows:
        async for piece in rows:
            yield bytes(piece)


async def _copy_in(connection: Owner, table: Table, content: Iterable[bytes]) -> int:
    """How many rows came in."""
    count = 0
    statement = SQL("copy {} ({}) from stdin").format(table.sql, table.sql_columns)
    async with connection.cursor() as cursor, cursor.copy(statement) as rows:
        for piece in content:
            await rows.write(piece)
            count += piece.count(b"\n")
    return count


def _pieces(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as content:
        while piece := content.read(PIECE_BYTES):
            yield piece


def _count(pieces: Iterable[bytes]) -> int:
    return sum(piece.count(b"\n") for piece in pieces)


def _entry(name: str) -> str:
    return f"tables/{name}.copy"


def _sealed_entry(name: str) -> str:
    return f"sealed/{name}.jsonl"


def _place(table: Table, member: UUID) -> Place:
    return Place(f"backup.{table.name}", member)
