"""Team memory in Postgres, encrypted with the tenant's key."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from psycopg.errors import UniqueViolation

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.domain import pending_audit_event
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import LAST_ID, Clock, new_id
from saegim.domain.scope import Caller, Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.memory.types import MemoryType
from saegim.team_memory.types import (
    Contribution,
    NewTeamRecord,
    TeamRecord,
    TeamStatement,
    TeamVersion,
)
from saegim.text.analysis import fold

BODY, SOURCE_BODY = "team_memory.body", "team_memory_source.body"


class PostgresTeamMemory:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def spaces(self, tenant: UUID, collections: Collection[UUID]) -> dict[UUID, str]:
        """Return those of the collections that are shared, with their names."""
        values = {"collections": list(collections)}
        rows = await self._cells.read(tenant, "shared_collections", **values)
        return {row["collection_id"]: row["name"] for row in rows}

    async def add(self, tenant: UUID, new: NewTeamRecord) -> TeamRecord:
        """Store a record; one with the same content gets the contribution."""
        cipher, now = await self._keyring.tenant(tenant), self._clock.now()
        record = new_id(now)
        statement = new.statement
        values = {
            "tenant": tenant,
            "collection": new.collection,
            "content_hash": _hash(new.collection, statement.content, cipher),
        }
        async with self._cells.transaction(tenant) as connection:
            sealed = {"type": statement.type, "body": _seal(statement, record, cipher)}
            said_at = new.contribution.said_at
            added = await fetch_one(
                connection,
                "add_team_memory",
                **values,
                **sealed,
                record=record,
                said_at=said_at,
                now=now,
            )
            if added is not None:
                version = {"version": 1, "member": new.contribution.member}
                await execute(
                    connection,
                    "add_team_memory_version",
                    tenant=tenant,
                    record=record,
                    **sealed,
                    **version,
                    now=now,
                )
            row = await fetch_one(connection, "same_team_memory", **values)
            if row is None:
                raise Conflict("the same record was deleted at this moment")
            pending_audit_event.about(row["team_memory_id"])
            await _contribute(connection, row, new.contribution, cipher)
            [stored] = await _with_sources(connection, [row], cipher)
        return stored

    async def confirm(
        self, tenant: UUID, collections: Collection[UUID], record: UUID, by: Contribution
    ) -> TeamRecord:
        """Add a member to those who say so. Raises NotFound."""
        cipher = await self._keyring.tenant(tenant)
        async with self._cells.transaction(tenant) as connection:
            row = await _lock(connection, tenant, collections, record)
            await _contribute(connection, row, by, cipher)
            [confirmed] = await _with_sources(connection, [row], cipher)
        return confirmed

    async def revise(
        self,
        stored: TeamRecord,
        tenant: UUID,
        statement: TeamStatement,
        by: Contribution,
        seen: ExpectedVersion | None = None,
    ) -> TeamRecord:
        """Store a new version, which only its writer has said so far. Raises NotFound,
        VersionConflict, and Conflict if the collection has a record with that content."""
        cipher, now = await self._keyring.tenant(tenant), self._clock.now()
        try:
            async with self._cells.transaction(tenant) as connection:
                row = await _lock(connection, tenant, [stored.collection], stored.id)
                [current] = await _with_sources(connection, [row], cipher)
                if seen is not None:
                    seen.require(current)
                if statement == current.statement:
                    return current
                values = {
                    "tenant": tenant,
                    "record": stored.id,
                    "version": current.version + 1,
                    "type": statement.type,
                    "body": _seal(statement, stored.id, cipher),
                    "now": now,
                }
                await execute(connection, "add_team_memory_version", **values, member=by.member)
                others = {"tenant": tenant, "record": stored.id, "member": by.member}
                await execute(connection, "drop_other_team_memory_sources", **others)
                await _contribute(connection, row, by, cipher)
                content_hash = _hash(stored.collection, statement.content, cipher)
                revised = await fetch_one(
                    connection, "revise_team_memory", **values, content_hash=content_hash
                )
                assert revised is not None, "it is locked"
                [record] = await _with_sources(connection, [revised], cipher)
                return record
        except UniqueViolation as error:
            raise Conflict("the collection has a record with this content") from error

    async def remove(self, scope: Scope, record: TeamRecord, *, of_others: bool) -> None:
        """Delete a record with its history. If others said it too, the user's contribution is taken
        back and it stays, unless it is deleted `of_others`."""
        tenant = scope.tenant
        cipher = await self._keyring.tenant(tenant)
        async with self._cells.transaction(tenant) as connection:
            row = await _lock(connection, tenant, [record.collection], record.id)
            [current] = await _with_sources(connection, [row], cipher)
            values = {"tenant": tenant, "record": record.id}
            if of_others or all(each.member == scope.user for each in current.contributions):
                await execute(connection, "drop_team_memory", **values)
            else:
                await execute(connection, "drop_team_memory_source", **values, member=scope.user)

    async def find(self, tenant: UUID, collections: Collection[UUID], record: UUID) -> TeamRecord:
        """Return a record of the collections. Raises NotFound."""
        values = {"record": record, "collections": list(collections)}
        row = await self._cells.read_one(tenant, "find_team_memory", **values)
        if row is None:
            raise NotFound("team memory")
        [found] = await self._opened(tenant, [row])
        return found

    async def browse(
        self,
        tenant: UUID,
        collections: Collection[UUID],
        count: int,
        before: UUID | None = None,
    ) -> list[TeamRecord]:
        """List the records of collections, newest first."""
        if not collections:
            return []
        values = {"collections": [*collections], "before": before or LAST_ID, "count": count}
        rows = await self._cells.read(tenant, "list_team_memory", **values)
        return await self._opened(tenant, rows)

    async def readable(self, caller: Caller, count: int) -> Sequence[TeamRecord]:
        """Return the newest records that the caller may read, without who said them."""
        tenant = caller.scope.tenant
        rows = await self._cells.read(
            tenant,
            "readable_team_memory",
            assistant=caller.assistant,
            groups=sorted(caller.groups),
            count=count,
        )
        return _read(rows, (), await self._keyring.tenant(tenant)) if rows else []

    async def versions(self, tenant: UUID, record: UUID) -> Sequence[TeamVersion]:
        """List the versions of a record, newest first."""
        rows = await self._cells.read(tenant, "list_team_memory_versions", record=record)
        cipher = await self._keyring.tenant(tenant)
        return [
            TeamVersion(
                row["version"], _statement(row, cipher), row["changed_by"], row["changed_at"]
            )
            for row in rows
        ]

    async def _opened(self, tenant: UUID, rows: Sequence[Row]) -> list[TeamRecord]:
        if not rows:
            return []
        ids = [row["team_memory_id"] for row in rows]
        sources = await self._cells.read(tenant, "list_team_memory_sources", records=ids)
        return _read(rows, sources, await self._keyring.tenant(tenant))


async def _lock(
    connection: Connection, tenant: UUID, collections: Collection[UUID], record: UUID
) -> Row:
    row = await fetch_one(
        connection,
        "lock_team_memory",
        tenant=tenant,
        collections=list(collections),
        record=record,
    )
    if row is None:
        raise NotFound("team memory")
    return row


async def _contribute(connection: Connection, row: Row, by: Contribution, cipher: Cipher) -> None:
    record: UUID = row["team_memory_id"]
    body = json.dumps([by.name, by.quote], ensure_ascii=False)
    await execute(
        connection,
        "add_team_memory_source",
        tenant=row["tenant_id"],
        record=record,
        member=by.member,
        memory=by.memory,
        turn=by.turn,
        body=cipher.seal(body, FieldLocation(SOURCE_BODY, record)),
        said_at=by.said_at,
        now=by.shared_at,
    )


async def _with_sources(
    connection: Connection, rows: Sequence[Row], cipher: Cipher
) -> Sequence[TeamRecord]:
    values = {"tenant": rows[0]["tenant_id"], "records": [row["team_memory_id"] for row in rows]}
    sources = await fetch_all(connection, "list_team_memory_sources", **values)
    return _read(rows, sources, cipher)


def _read(rows: Sequence[Row], sources: Sequence[Row], cipher: Cipher) -> list[TeamRecord]:
    by_record: Mapping[UUID, list[Contribution]] = defaultdict(list)
    for row in sources:
        by_record[row["team_memory_id"]].append(_contribution(row, cipher))
    return [
        TeamRecord(
            id=row["team_memory_id"],
            collection=row["collection_id"],
            statement=_statement(row, cipher),
            said_at=row["said_at"],
            version=row["version"],
            created_at=row["created_at"],
            changed_at=row["changed_at"],
            contributions=tuple(by_record[row["team_memory_id"]]),
        )
        for row in rows
    ]


def _contribution(row: Row, cipher: Cipher) -> Contribution:
    location = FieldLocation(SOURCE_BODY, row["team_memory_id"])
    name, quote = json.loads(cipher.open(row["body"], location))
    return Contribution(
        row["member_id"],
        name,
        quote,
        row["said_at"],
        row["shared_at"],
        row["memory_id"],
        row["turn_id"],
        row["wrote"],
    )


def _statement(row: Row, cipher: Cipher) -> TeamStatement:
    location = FieldLocation(BODY, row["team_memory_id"])
    content, topic = json.loads(cipher.open(row["body"], location))
    return TeamStatement(MemoryType(row["type"]), content, topic)


def _seal(statement: TeamStatement, record: UUID, cipher: Cipher) -> bytes:
    body = json.dumps([statement.content, statement.topic], ensure_ascii=False)
    return cipher.seal(body, FieldLocation(BODY, record))


def _hash(collection: UUID, content: str, cipher: Cipher) -> bytes:
    plain = " ".join(fold(content).strip(" .!").split())
    return cipher.fingerprint(f"team memory:{collection}:{plain}")
