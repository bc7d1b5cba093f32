"""A cell's data as one sealed file, consistent as of one moment, and back from it.

What recall searches of a person (vectors, terms) is sealed with the person's key inside the file,
as all they said is already. Without the keyring in it, a key that was destroyed since opens nothing
of it; with or without, before a restore is committed every person with a tombstone is erased
again."""

import asyncio
import zlib
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from psycopg.sql import SQL, Composed

from saegim.db.revision import newest_revision
from saegim.db.row_copy import (
    NOTHING,
    in_pieces,
    read_rows,
    uuid_at,
    with_first,
    write_rows,
)
from saegim.db.tables import Owner, Table, first, owner, tenant_tables
from saegim.domain.errors import Conflict
from saegim.encryption import key_backup
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.keyring import Keyring
from saegim.encryption.master_key import MasterKey
from saegim.encryption.sealed_file import FilePart, MasterLock, SealedReader, SealedWriter
from saegim.encryption.types import Head, KeyDestroyed
from saegim.governance.erasure.repository import continue_erasures, erase_rows

FORM = "saegim-backup-2"
KEYRING = "keyring"
AUDIT_HEADS = "audit_heads"
# Found by search in one person's memory: sealed with that person's key.
SEALED = ("episode_vector", "memory_vector", "term_count")
# Made anew after a restore, or worth nothing by then.
LEFT_OUT = ("index_change", "link_code", "tenant_move")
PERSON = ("tenant_id", "member_id")
IDS_BYTES = 32
# Keys are looked up one by one, over a few connections.
KEYS_AT_ONCE = 100

ENTER_TENANT = b"select set_config('app.tenant', %s, true)"
UNFINISHED = b"""
update saegim.turn set state = 'failed', error = 'restored', lease_owner = null, lease_until = null
where state in ('received', 'running')
"""

# Rows that are copied in fire no trigger.
COUNT_EMBEDDERS = b"""
insert into saegim.embedder_use (embedder, indexes)
select embedder, count(*) from saegim.index_state group by embedder
on conflict (embedder) do update set indexes = excluded.indexes
"""

type Person = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True)
class BackupResult:
    """What a backup holds, counted by table."""

    rows: dict[str, int]


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What came back, who did not, and which tenants there are now."""

    rows: dict[str, int]
    erased: int
    tenants: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """What a whole backup says of itself."""

    made_at: str
    revision: str
    rows: dict[str, int]
    keyring: bool


async def check(file: Path, master: MasterKey) -> BackupSummary:
    """Reads a backup to its end. Raises Conflict where it is not whole, or not of this master
    key: nobody else can make one that passes."""
    with _opened(file) as content:
        reader = await SealedReader.open(content, MasterLock(master))
        names = {item.name for item in reader.parts() if isinstance(item, FilePart)}
    about, end = reader.about, reader.end
    assert end is not None, "it was read to its end"
    if about["form"] != FORM:
        raise Conflict("not a backup file")
    return BackupSummary(about["made_at"], about["revision"], end["rows"], KEYRING in names)


class Backups:
    """Works with the owner's login, which sees every tenant."""

    def __init__(self, admin_url: str, keyring: Keyring, keys: PostgresKeys) -> None:
        self._url = admin_url
        self._keyring = keyring
        self._keys = keys

    async def back_up(
        self, file: Path, at: datetime, *, with_keyring: bool = False, force: bool = False
    ) -> BackupResult:
        """Writes everything as of this moment. Raises StoreUnavailable, and Conflict where there
        is such a file already."""
        if not force and await asyncio.to_thread(file.exists):
            raise Conflict(f"{file} exists")
        about = {"form": FORM, "revision": newest_revision(), "made_at": at.isoformat()}
        with await SealedWriter.create(file, about, MasterLock(self._keyring.master)) as out:
            rows = await self._write_tables(out, with_keyring=with_keyring)
            out.finish(rows=rows)
        return BackupResult(rows)

    async def restore(self, file: Path) -> RestoreResult:
        """Brings a backup back into an empty, migrated database, all or nothing; people who were
        erased since stay erased. Raises Conflict where it does not fit."""
        # To its end first: nothing of a file that was tampered with reaches the database.
        checked = await check(file, self._keyring.master)
        if checked.revision != newest_revision():
            raise Conflict(f"the backup has schema {checked.revision}")
        with _opened(file) as content:
            reader = await SealedReader.open(content, MasterLock(self._keyring.master))
            async with owner(self._url) as connection, connection.transaction():
                if await first(connection, b"select 1 as one from saegim.tenant limit 1"):
                    raise Conflict("the database is not empty")
                # Rows come table by table, so that there is no order that foreign keys like.
                await connection.execute(b"set local session_replication_role to replica")
                rows = await self._read_tables(connection, reader)
                await connection.execute(b"set local session_replication_role to origin")
                await connection.execute(UNFINISHED)
                await connection.execute(COUNT_EMBEDDERS)
                tenants = await _tenants(connection)
                erased = await erase_again(connection, self._keyring, tenants)
        return RestoreResult(rows, erased, tenants)

    async def _write_tables(self, out: SealedWriter, *, with_keyring: bool) -> dict[str, int]:
        # Before the snapshot: it holds every batch that is recorded by now.
        heads = await self._keys.audit_heads() if with_keyring else {}
        async with owner(self._url) as connection:
            await connection.execute(b"begin isolation level repeatable read read only")
            tables = await tenant_tables(connection, but=LEFT_OUT)
            if with_keyring:
                # After the snapshot was taken: every key that sealed one of its rows is known.
                await self._write_keyring(out, heads)
            people = await self._people(connection)
            rows = {
                table.name: await _write_sealed(connection, out, table, people)
                if table.name in SEALED
                else await write_plain(connection, out, table)
                for table in tables
            }
            await connection.execute(b"commit")
        return rows

    async def _write_keyring(self, out: SealedWriter, heads: Mapping[UUID, Head]) -> None:
        out.begin(KEYRING)
        async for piece in key_backup.written(self._keys):
            out.write(piece)
        out.begin(AUDIT_HEADS)
        out.write(key_backup.heads_text(heads))

    async def _people(self, connection: Owner) -> Mapping[Person, Cipher]:
        """The keys of everybody who has something that is sealed; erased people have none."""
        found = await connection.execute(
            SQL(" union ").join(
                SQL("select tenant_id, member_id from {}").format(Table(name, ()).sql)
                for name in SEALED
            )
        )
        people = [(row["tenant_id"], row["member_id"]) for row in await found.fetchall()]
        ciphers = dict[Person, Cipher]()
        for begin in range(0, len(people), KEYS_AT_ONCE):
            some = people[begin : begin + KEYS_AT_ONCE]
            for person, cipher in zip(
                some, await asyncio.gather(*map(self._cipher, some)), strict=True
            ):
                if cipher is not None:
                    ciphers[person] = cipher
        return ciphers

    async def _cipher(self, person: Person) -> Cipher | None:
        try:
            return await self._keyring.user(*person)
        except KeyDestroyed:
            return None

    async def _read_tables(self, connection: Owner, reader: SealedReader) -> dict[str, int]:
        rows = dict[str, int]()
        for part, pieces in reader.sections():
            if part.name == KEYRING:
                await key_backup.bring_back(self._keys, pieces)
                continue
            if part.name == AUDIT_HEADS:
                await key_backup.add_heads(self._keys, b"".join(pieces))
                continue
            table = Table(part.name, part.about["columns"])
            if table.name in SEALED:
                rows[table.name] = await self._read_sealed(connection, table, pieces)
            else:
                rows[table.name] = await write_rows(connection, table, pieces)
        return rows

    async def _read_sealed(self, connection: Owner, table: Table, pieces: Iterator[bytes]) -> int:
        count = 0
        for piece in pieces:
            person = UUID(bytes=piece[:16]), UUID(bytes=piece[16:IDS_BYTES])
            cipher = await self._cipher(person)
            if cipher is not None:
                opened = cipher.open_bytes(piece[IDS_BYTES:], _place(table, person[1]))
                count += await write_rows(connection, table, [zlib.decompress(opened)])
        return count


async def erase_again(connection: Owner, keyring: Keyring, tenants: Sequence[UUID]) -> int:
    """Erases everybody whose key was destroyed, and lets open erasures go on; how many people of
    the first kind there were."""
    erased = 0
    for tenant in tenants:
        await connection.execute(ENTER_TENANT, (str(tenant),))
        for member in await keyring.store.tombstones(tenant):
            counts = await erase_rows(connection, {"tenant": tenant, "member": member})
            erased += counts["member"]
        await continue_erasures(connection, tenant)
    return erased


async def write_plain(
    connection: Owner, out: SealedWriter, table: Table, where: Composed = NOTHING
) -> int:
    """Writes a table; how many rows it has."""
    out.begin(table.name, columns=list(table.columns))
    count = 0
    async for piece, rows in in_pieces(read_rows(connection, table, where)):
        await asyncio.to_thread(out.write, piece)
        count += rows
    return count


async def _write_sealed(
    connection: Owner, out: SealedWriter, table: Table, people: Mapping[Person, Cipher]
) -> int:
    """A table's rows person by person, each sealed with the person's key."""
    table = with_first(table, PERSON)
    out.begin(table.name, columns=list(table.columns))
    count = 0
    async for person, rows in _by_person(connection, table):
        cipher = people.get(person)
        if cipher is not None:
            content = zlib.compress(b"".join(rows), 1)
            sealed = cipher.seal_bytes(content, _place(table, person[1]))
            out.write(person[0].bytes + person[1].bytes + sealed, compress=False)
            count += len(rows)
    return count


async def _by_person(connection: Owner, table: Table) -> AsyncGenerator[tuple[Person, list[bytes]]]:
    """All rows of one person after the other, in one pass over the table."""
    person: Person | None = None
    gathered = list[bytes]()
    ordered = SQL(" order by tenant_id, member_id").format()
    async for row in read_rows(connection, table, ordered):
        whose = uuid_at(row, 0), uuid_at(row, 1)
        if person is not None and whose != person:
            yield person, gathered
            gathered = []
        person = whose
        gathered.append(row)
    if person is not None:
        yield person, gathered


async def _tenants(connection: Owner) -> tuple[UUID, ...]:
    found = await connection.execute(b"select tenant_id from saegim.tenant order by 1")
    return tuple(row["tenant_id"] for row in await found.fetchall())


def _opened(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as error:
        raise Conflict(f"{file} cannot be read: {error.strerror}") from error


def _place(table: Table, member: UUID) -> FieldLocation:
    return FieldLocation(f"backup.{table.name}", member)
