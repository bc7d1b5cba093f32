"""Export all of a tenant's data to one encrypted file, and import it elsewhere.

The file holds the tenant's keys, so a passphrase locks it; the destination wraps them with its own
master key. Users erased on either side stay erased."""

import base64
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg.sql import SQL, Literal

from saegim.auth.account_repository import SERVER
from saegim.db.cells import HOME_CELL, execute, fetch_one
from saegim.db.revision import newest_revision
from saegim.db.row_copy import rows_in, with_first, with_tenant, write_rows
from saegim.db.tables import Owner, Table, first, owner, tenant_tables
from saegim.domain.errors import Conflict, NameTaken, NotFound
from saegim.domain.ids import Clock, new_id
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.key_store import PostgresKeys
from saegim.encryption.keyring import Keyring
from saegim.encryption.sealed_file import Lock, SealedReader, SealedWriter
from saegim.encryption.types import NOBODY, Head, KeyDestroyed, KeyName
from saegim.governance.backup.backups import (
    COUNT_EMBEDDERS,
    UNFINISHED,
    erase_again,
    open_file,
    write_plain,
)

FORM = "saegim-tenant-1"
KEYS = "keys"
# The directory is the destination's own; the rest is rebuilt or worthless by then.
LEFT_OUT = (
    "index_change", "invitation", "job_failure", "link_code", "reset_link", "tenant_directory",
    "tenant_move",
)  # fmt: skip
OWNERS_PER_PAGE = 500
EMBEDDERS = b"select distinct embedder from saegim.index_state where tenant_id = %s"
EMAILS = b"select member_id, email from saegim.account where tenant_id = %s"
HASH_EMAIL = b"""
update saegim.account set email_hash = %s where tenant_id = %s and member_id = %s
"""
IS_THERE = b"select 1 as one from saegim.tenant where tenant_id = %s"

type Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The imported tenant, its rows, and the number of users erased again."""

    tenant: UUID
    rows: dict[str, int]
    erased: int


@dataclass(frozen=True, slots=True)
class Destination:
    """The cell to import into, and whether the tenant gets a new id."""

    cell: str = HOME_CELL
    new_id: bool = False
    embedders: Collection[str] = ()


class TenantFiles:
    """Uses the database owners' logins of the cells, by cell name."""

    def __init__(
        self, owners: Mapping[str, str], keyring: Keyring, heads: PostgresKeys, clock: Clock
    ) -> None:
        self._owners = owners
        self._keyring = keyring
        self._heads = heads
        self._clock = clock

    async def export(
        self, tenant: UUID, file: Path, lock: Lock, progress: Progress
    ) -> dict[str, int]:
        """Write a tenant to a file, and count the rows by table. Raises NotFound, NameTaken."""
        if file.exists():  # noqa: ASYNC240  one check of a local folder
            raise NameTaken(f"{file} exists")
        async with owner(self._url(HOME_CELL)) as home:
            location = await fetch_one(home, "find_cell", tenant=tenant)
        if location is None:
            raise NotFound("tenant")
        about = {"form": FORM, "revision": newest_revision(), "tenant": str(tenant)}
        about["made_at"] = self._clock.now().isoformat()
        # Before the snapshot, which then has every audit batch recorded so far.
        head = await self._heads.audit_head(tenant)
        async with SealedWriter.create(file, about, lock) as out:
            rows = await _write_tables(self._url(location["cell"]), tenant, out, progress)
            # After the rows, so that every key of theirs is included.
            out.begin(KEYS)
            keys = await self._keys_of(tenant)
            keys["audit_head"] = None if head is None else [head.number, head.digest.hex()]
            out.write(json.dumps(keys).encode())
            out.finish(rows=rows)
        return rows

    async def bring_in(
        self, file: Path, lock: Lock, to: Destination, progress: Progress
    ) -> ImportResult:
        """Import a tenant in one transaction. Raises Conflict if it does not fit."""
        about = await _check(file, lock)
        source = UUID(about["tenant"])
        tenant = new_id(self._clock.now()) if to.new_id else source
        with file.open("rb") as content:
            reader = await SealedReader.open(content, lock)
            async with (
                owner(self._url(HOME_CELL)) as home,
                owner(self._url(to.cell)) as target,
                target.transaction(),
            ):
                await _refuse_known(home, target, tenant)
                await target.execute(b"set local session_replication_role to replica")
                rows = await self._read_tables(target, reader, tenant, progress)
                await target.execute(b"set local session_replication_role to origin")
                await self._settle(target, tenant, to)
                erased = await erase_again(target, self._keyring, [tenant])
                await self._hash_emails(target, tenant)
            await self._enter(tenant, to.cell)
        return ImportResult(tenant, rows, erased)

    async def _read_tables(
        self, target: Owner, reader: SealedReader, tenant: UUID, progress: Progress
    ) -> dict[str, int]:
        rows = dict[str, int]()
        for part, pieces in reader.sections():
            if part.name == KEYS:
                await self._bring_keys(tenant, json.loads(b"".join(pieces)))
                continue
            table = Table(part.name, part.about["columns"])
            own = (b"".join(with_tenant(row, tenant) for row in rows_in(piece)) for piece in pieces)
            rows[table.name] = await write_rows(target, table, own)
            progress(table.name, rows[table.name])
        return rows

    async def _settle(self, target: Owner, tenant: UUID, to: Destination) -> None:
        """Check the embedders, and fail unfinished turns."""
        cursor = await target.execute(EMBEDDERS, (tenant,))
        for row in await cursor.fetchall():
            if row["embedder"] not in to.embedders:
                raise Conflict(f"this installation has no embedder {row['embedder']}")
        await target.execute(UNFINISHED + b" and tenant_id = %s", (tenant,))
        await execute(target, "unwatch_turns", tenant=tenant)
        await target.execute(COUNT_EMBEDDERS)

    async def _hash_emails(self, target: Owner, tenant: UUID) -> None:
        """Hash the e-mails of accounts with the key of this server, which sign-ins look up."""
        server = await self._keyring.tenant(SERVER)
        cursor = await target.execute(EMAILS, (tenant,))
        for row in await cursor.fetchall():
            member: UUID = row["member_id"]
            cipher = await self._keyring.user(tenant, member)
            email = cipher.open(row["email"], FieldLocation("account.email", member))
            hashed = server.fingerprint(f"email:{email}")
            await target.execute(HASH_EMAIL, (hashed, tenant, member))

    async def _enter(self, tenant: UUID, cell: str) -> None:
        for name in dict.fromkeys((cell, HOME_CELL)):
            async with owner(self._url(name)) as connection:
                now = self._clock.now()
                await execute(connection, "set_cell", tenant=tenant, cell=cell, now=now)

    async def _keys_of(self, tenant: UUID) -> dict[str, Any]:
        """Return the keys of the tenant and its users, and the erased users."""
        keys, after = await self._versions(tenant, NOBODY), NOBODY
        while owners := await self._keyring.store.owners(tenant, after, OWNERS_PER_PAGE):
            for each in owners:
                keys += await self._versions(tenant, each)
            after = owners[-1]
        erased = await self._keyring.store.tombstones(tenant)
        return {"keys": keys, "erased": [str(each) for each in erased]}

    async def _versions(self, tenant: UUID, of: UUID) -> list[dict[str, Any]]:
        try:
            cached = await self._keyring.refresh(tenant, of)
        except KeyDestroyed:
            return []
        active = {key.version: key.active_at for key in cached.stored}
        return [
            {
                "owner": str(of),
                "version": version,
                "key": base64.b64encode(key).decode(),
                "active_at": None if (at := active[version]) is None else at.isoformat(),
            }
            for version, key in cached.keys.items()
        ]

    async def _bring_keys(self, tenant: UUID, content: Mapping[str, Any]) -> None:
        """Store keys wrapped for this installation. Raises Conflict if it has different ones."""
        for each in content["erased"]:
            await self._keyring.store.destroy(tenant, UUID(each))
        erased = set(await self._keyring.store.tombstones(tenant))
        # The tenant's own keys first: they wrap the others.
        ordered = sorted(
            content["keys"], key=lambda key: (key["owner"] != str(NOBODY), key["owner"])
        )
        expected = dict[UUID, dict[int, bytes]]()
        for key in ordered:
            of = UUID(key["owner"])
            if of not in erased:
                secret = base64.b64decode(key["key"])
                expected.setdefault(of, {})[key["version"]] = secret
                active_at = key["active_at"] and datetime.fromisoformat(key["active_at"])
                await self._keyring.put(KeyName(tenant, of, key["version"]), secret, active_at)
        if content["audit_head"] is not None:
            number, digest = content["audit_head"]
            await self._heads.move_audit_head(tenant, None, Head(number, bytes.fromhex(digest)))
        for of, keys in expected.items():
            if dict((await self._keyring.refresh(tenant, of)).keys) != keys:
                raise Conflict("the keyring already has different keys for this tenant")

    def _url(self, cell: str) -> str:
        if cell not in self._owners:
            raise NotFound(f"cell {cell}")
        return self._owners[cell]


async def _check(file: Path, lock: Lock) -> Mapping[str, Any]:
    """Read a file to its end, so that nothing of a tampered file reaches a database."""
    with open_file(file) as content:
        reader = await SealedReader.open(content, lock)
        for _ in reader.parts():
            pass
    if reader.about["form"] != FORM:
        raise Conflict("not a tenant export file")
    if reader.about["revision"] != newest_revision():
        raise Conflict(f"the file has schema {reader.about['revision']}")
    return reader.about


async def _write_tables(
    url: str, tenant: UUID, out: SealedWriter, progress: Progress
) -> dict[str, int]:
    async with owner(url) as connection:
        await connection.execute(b"begin isolation level repeatable read read only")
        rows = dict[str, int]()
        where = SQL(" where tenant_id = {}").format(Literal(tenant))
        for table in await tenant_tables(connection, but=LEFT_OUT):
            ordered = with_first(table, ("tenant_id",))
            rows[table.name] = await write_plain(connection, out, ordered, where)
            progress(table.name, rows[table.name])
        await connection.execute(b"commit")
    return rows


async def _refuse_known(home: Owner, target: Owner, tenant: UUID) -> None:
    known = await fetch_one(home, "find_cell", tenant=tenant)
    if known is not None or await first(target, IS_THERE, tenant) is not None:
        raise Conflict("the tenant already exists; use --new-id to import it under a new ID")
