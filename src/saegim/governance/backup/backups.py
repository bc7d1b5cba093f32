"""Back up a cell to one encrypted file, consistent as of one moment, and restore it.

Vectors and terms are encrypted with the user's key inside the file, like all other text. A restore
erases every user with a tombstone again before it commits."""

import asyncio
import zlib
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import batched
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
from saegim.domain.errors import Conflict, NameTaken
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
# Search data of one user, encrypted with that user's key.
SEALED = ("episode_vector", "memory_vector", "term_count")
# Rebuilt after a restore, or worthless by then.
LEFT_OUT = ("index_change", "link_code", "reset_link", "tenant_move")
PERSON = ("tenant_id", "member_id")
IDS_BYTES = 32
# Keys are fetched one by one, over a few connections.
KEYS_PER_BATCH = 100

ENTER_TENANT = b"select set_config('app.tenant', %s, true)"
UNFINISHED = b"""
update saegim.turn set state = 'failed', error = 'restored', lease_owner = null, lease_until = null
where state in ('received', 'running')
"""

# Copied rows fire no trigger.
COUNT_EMBEDDERS = b"""
insert into saegim.embedder_use (embedder, indexes)
select embedder, count(*) from saegim.index_state group by embedder
on conflict (embedder) do update set indexes = excluded.indexes
"""

type Person = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The restored rows, the users erased again, and the tenants."""

    rows: dict[str, int]
    erased: int
    tenants: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class BackupSummary:
    made_at: str
    revision: str
    rows: dict[str, int]
    keyring: bool


async def check(file: Path, master: MasterKey) -> BackupSummary:
    """Read a backup to its end. Raises Conflict if it is incomplete or of another master key."""
    with open_file(file) as content:
        reader = await SealedReader.open(content, MasterLock(master))
        names = {item.name for item in reader.parts() if isinstance(item, FilePart)}
    about, end = reader.about, reader.end
    assert end is not None, "the file was read to its end"
    if about["form"] != FORM:
        raise Conflict("not a backup file")
    return BackupSummary(about["made_at"], about["revision"], end["rows"], KEYRING in names)


class Backups:
    """Uses the database owner's login, which sees every tenant."""

    def __init__(self, admin_url: str, keyring: Keyring, keys: PostgresKeys) -> None:
        self._url = admin_url
        self._keyring = keyring
        self._keys = keys

    async def back_up(
        self, file: Path, at: datetime, *, with_keyring: bool = False, force: bool = False
    ) -> dict[str, int]:
        """Write a backup, and return the rows of each table.

        Raises StoreUnavailable, and NameTaken if the file exists."""
        if not force and await asyncio.to_thread(file.exists):
            raise NameTaken(f"{file} exists")
        about = {"form": FORM, "revision": newest_revision(), "made_at": at.isoformat()}
        async with SealedWriter.create(file, about, MasterLock(self._keyring.master)) as out:
            rows = await self._write_tables(out, with_keyring=with_keyring)
            out.finish(rows=rows)
        return rows

    async def restore(self, file: Path) -> RestoreResult:
        """Restore a backup into an empty, migrated database, in one transaction; users erased since
        stay erased. Raises Conflict if it does not fit."""
        # Read to the end first, so that nothing of a tampered file reaches the database.
        checked = await check(file, self._keyring.master)
        if checked.revision != newest_revision():
            raise Conflict(f"the backup has schema {checked.revision}")
        with open_file(file) as content:
            reader = await SealedReader.open(content, MasterLock(self._keyring.master))
            async with owner(self._url) as connection, connection.transaction():
                if await first(connection, b"select 1 as one from saegim.tenant limit 1"):
                    raise Conflict("the database is not empty")
                # Rows come table by table, in no order that satisfies foreign keys.
                await connection.execute(b"set local session_replication_role to replica")
                rows = await self._read_tables(connection, reader)
                await connection.execute(b"set local session_replication_role to origin")
                await connection.execute(UNFINISHED)
                await connection.execute(COUNT_EMBEDDERS)
                tenants = await _tenants(connection)
                erased = await erase_again(connection, self._keyring, tenants)
        return RestoreResult(rows, erased, tenants)

    async def _write_tables(self, out: SealedWriter, *, with_keyring: bool) -> dict[str, int]:
        # Before the snapshot, which then has every batch recorded so far.
        heads = await self._keys.audit_heads() if with_keyring else {}
        async with owner(self._url) as connection:
            await connection.execute(b"begin isolation level repeatable read read only")
            tables = await tenant_tables(connection, but=LEFT_OUT)
            if with_keyring:
                # After the snapshot, so that every key of its rows is included.
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
        """Return the keys of users with encrypted search data; erased users have none."""
        cursor = await connection.execute(
            SQL(" union ").join(
                SQL("select tenant_id, member_id from {}").format(Table(name, ()).sql)
                for name in SEALED
            )
        )
        people = [(row["tenant_id"], row["member_id"]) for row in await cursor.fetchall()]
        ciphers = dict[Person, Cipher]()
        for batch in batched(people, KEYS_PER_BATCH):
            fetched = await asyncio.gather(*map(self._cipher, batch))
            pairs = zip(batch, fetched, strict=True)
            ciphers |= {person: cipher for person, cipher in pairs if cipher is not None}
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
                content = cipher.open_bytes(piece[IDS_BYTES:], _location(table, person[1]))
                count += await write_rows(connection, table, [zlib.decompress(content)])
        return count


async def erase_again(connection: Owner, keyring: Keyring, tenants: Sequence[UUID]) -> int:
    """Erase users whose key was destroyed, queue open erasures, and return how many were erased."""
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
    """Write a table, and return the number of rows."""
    out.begin(table.name, columns=list(table.columns))
    count = 0
    async for piece, rows in in_pieces(read_rows(connection, table, where)):
        await asyncio.to_thread(out.write, piece)
        count += rows
    return count


async def _write_sealed(
    connection: Owner, out: SealedWriter, table: Table, people: Mapping[Person, Cipher]
) -> int:
    """Write a table's rows user by user, each encrypted with the user's key."""
    table = with_first(table, PERSON)
    out.begin(table.name, columns=list(table.columns))
    count = 0
    async for person, rows in _by_person(connection, table):
        cipher = people.get(person)
        if cipher is not None:
            content = zlib.compress(b"".join(rows), 1)
            sealed = cipher.seal_bytes(content, _location(table, person[1]))
            out.write(person[0].bytes + person[1].bytes + sealed, compress=False)
            count += len(rows)
    return count


async def _by_person(connection: Owner, table: Table) -> AsyncGenerator[tuple[Person, list[bytes]]]:
    """Yield the rows of each user, in one pass over the table."""
    person: Person | None = None
    batch = list[bytes]()
    ordered = SQL(" order by tenant_id, member_id").format()
    async for row in read_rows(connection, table, ordered):
        current = uuid_at(row, 0), uuid_at(row, 1)
        if person is not None and current != person:
            yield person, batch
            batch = []
        person = current
        batch.append(row)
    if person is not None:
        yield person, batch


async def _tenants(connection: Owner) -> tuple[UUID, ...]:
    cursor = await connection.execute(b"select tenant_id from saegim.tenant order by 1")
    return tuple(row["tenant_id"] for row in await cursor.fetchall())


def open_file(file: Path) -> BinaryIO:
    """Raises Conflict if the file cannot be read."""
    try:
        return file.open("rb")
    except OSError as error:
        raise Conflict(f"{file} cannot be read: {error.strerror}") from error


def _location(table: Table, member: UUID) -> FieldLocation:
    return FieldLocation(f"backup.{table.name}", member)
