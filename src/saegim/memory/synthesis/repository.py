"""Derived records in Postgres."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.db.cells import Cells, Row
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.memory import record_rows
from saegim.memory.jobs import synthesise_job
from saegim.memory.synthesis.entities import entities_of
from saegim.memory.synthesis.profile import profile_of
from saegim.memory.synthesis.statement_groups import StatementGroup, group
from saegim.memory.synthesis.types import (
    DerivedFields,
    DerivedKind,
    DerivedMemory,
    DerivedStatement,
    ProfilePart,
)
from saegim.memory.types import MemoryType, Record

BODY = "derived_memory.body"
ALL_KINDS = tuple(DerivedKind)
# The newest records that are derived from.
MOST_RECORDS = 5_000
_SHARED = tuple(field.name for field in fields(DerivedFields))
_SEALED = ("title", "text", "wording", "proofs", "confidence", "part", "until", "order")
LEAST_PROOFS = 2
_MOST_OBSERVATIONS = 200


def derive(records: Sequence[Record], now: datetime) -> tuple[DerivedStatement, ...]:
    """Return all that follows from records that are not forgotten; the same for any order."""
    groups = group(records, now)
    return (*observations_of(groups), *profile_of(groups), *entities_of(groups))


def next_change(records: Sequence[Record], now: datetime) -> datetime | None:
    """Return when a record ends by itself, so that the result changes without a new statement."""
    ends = (record.valid_to for record in records if record.superseded_by is not None)
    return min((end for end in ends if end is not None and end > now), default=None)


def observations_of(groups: Sequence[StatementGroup]) -> list[DerivedStatement]:
    """Return the statements that were made several times, the newest ones."""
    repeated = [
        each
        for each in groups
        if each.proofs >= LEAST_PROOFS and each.newest.type is not MemoryType.TODO
    ]
    repeated.sort(key=lambda each: (each.newest.said_at, each.newest.id), reverse=True)
    return [each.derived(DerivedKind.OBSERVATION) for each in repeated[:_MOST_OBSERVATIONS]]


@dataclass(frozen=True, slots=True)
class _DerivedRow:
    """A derived record to store."""

    memory: DerivedMemory
    basis: bytes
    key_hash: bytes


@dataclass(frozen=True, slots=True)
class RebuildChanges:
    """What a rebuild changes, and when records end by themselves."""

    saved: tuple[_DerivedRow, ...] = ()
    gone: tuple[UUID, ...] = ()
    next_change: datetime | None = None

    def __len__(self) -> int:
        return len(self.saved) + len(self.gone)


@dataclass(frozen=True, eq=False)
class PostgresDerived:
    cells: Cells
    keyring: Keyring
    clock: Clock
    jobs: JobQueue

    async def owner(self, tenant: UUID, profile: UUID) -> Scope | None:
        """Return the scope of a profile; None if it was deleted."""
        row = await self.cells.fetch_one(tenant, "find_profile_owner", profile=profile)
        return None if row is None else Scope(tenant, row["member_id"], profile)

    async def rebuild_at(self, scope: Scope, at: datetime) -> None:
        """Queue a rebuild for a time, unless one is queued."""
        delay = max((at - self.clock.now()).total_seconds(), 1.0)
        job = synthesise_job(scope.tenant, scope.profile, delay)
        async with self.cells.transaction(scope.tenant) as connection:
            await self.jobs.defer_once(connection, job)

    async def rebuild(self, scope: Scope) -> RebuildChanges:
        """Make the stored derived records equal to `derive` of the records. Idempotent."""
        cipher = await self.keyring.user(scope.tenant, scope.user)
        async with self.cells.transaction(scope.tenant) as connection:
            rows = turn_rows.OwnedRows(connection, scope)
            if await rows.one("lock_memory") is None:
                return RebuildChanges()
            records = await rows.all("list_living_memories", most=MOST_RECORDS)
            known = await rows.all("list_derived", kinds=list(ALL_KINDS))
            now = self.clock.now()
            changes = await asyncio.to_thread(_changes, records, known, cipher, now)
            await rows.run("drop_derived", derived=list(changes.gone))
            for each in changes.saved:
                await rows.run("save_derived", **_columns(each, cipher), now=now)
        return changes

    async def remove_all(self, scope: Scope) -> int:
        """Remove the derived records of a profile; return their number."""
        async with self.cells.transaction(scope.tenant) as connection:
            rows = turn_rows.OwnedRows(connection, scope)
            known = await rows.all("list_derived", kinds=list(ALL_KINDS))
            await rows.run("drop_derived", derived=[row["derived_id"] for row in known])
        return len(known)

    async def browse(
        self, scope: Scope, kinds: Sequence[DerivedKind] = ALL_KINDS
    ) -> tuple[DerivedMemory, ...]:
        """List derived records, newest first, undone ones too."""
        rows = await self._rows(scope, "list_derived", kinds=list(kinds))
        cipher = await self.keyring.user(scope.tenant, scope.user)
        return tuple(read_derived(row, cipher) for row in rows)

    async def all_records(self, scope: Scope) -> list[Record]:
        """List the records that are derived from: all that are not forgotten."""
        rows = await self._rows(scope, "list_living_memories", most=MOST_RECORDS)
        cipher = await self.keyring.user(scope.tenant, scope.user)
        return [record_rows.read(row, cipher) for row in rows]

    async def records(self, scope: Scope, records: Sequence[UUID]) -> dict[UUID, Record]:
        """Find the records behind derived ones; forgotten ones are left out."""
        rows = await self._rows(scope, "find_memories", memories=list(records))
        cipher = await self.keyring.user(scope.tenant, scope.user)
        return {row["memory_id"]: record_rows.read(row, cipher) for row in rows}

    async def mark(self, scope: Scope, derived: UUID, *, undone: bool) -> DerivedMemory:
        """Undo a derived record, or restore it. Raises NotFound."""
        undone_at = self.clock.now() if undone else None
        values = turn_rows.owner(scope) | {"derived": derived, "undone_at": undone_at}
        row = await self.cells.fetch_one(scope.tenant, "undo_derived", **values)
        if row is None:
            raise NotFound("derived memory")
        return read_derived(row, await self.keyring.user(scope.tenant, scope.user))

    async def word(self, scope: Scope, memory: DerivedMemory, wording: str) -> bool:
        """Save a model's wording; False if the derived record changed meanwhile."""
        cipher = await self.keyring.user(scope.tenant, scope.user)
        async with self.cells.transaction(scope.tenant) as connection:
            rows = turn_rows.OwnedRows(connection, scope)
            stored = await rows.all("list_derived", kinds=[memory.kind])
            row = next((each for each in stored if each["derived_id"] == memory.id), None)
            if row is None or read_derived(row, cipher) != memory:
                return False
            body = _seal(replace(memory, wording=wording), cipher)
            changed = await rows.run("word_derived", derived=memory.id, body=body, seen=row["body"])
        return changed > 0

    async def _rows(self, scope: Scope, name: str, **values: object) -> list[Row]:
        cell = await self.cells.for_tenant(scope.tenant)
        return await cell.read(scope.tenant, name, **turn_rows.owner(scope), **values)


def _changes(
    rows: Sequence[Row], known: Sequence[Row], cipher: Cipher, now: datetime
) -> RebuildChanges:
    """Compare what follows from the records with what is stored."""
    records = {row["memory_id"]: record_rows.read(row, cipher) for row in rows}
    stored = {row["key_hash"]: row for row in known}
    saved: list[_DerivedRow] = []
    left = dict(stored)
    for derived in derive(list(records.values()), now):
        key_hash = cipher.fingerprint(f"derived:{derived.kind}:{derived.key}")
        basis = _basis(derived, records, cipher)
        row = left.pop(key_hash, None)
        before = read_derived(row, cipher) if row else None
        same_basis = row is not None and row["basis"] == basis
        if same_basis and before is not None and is_same(before, derived):
            continue
        keeps = same_basis and before is not None and before.text == derived.text
        shared = {name: getattr(derived, name) for name in _SHARED}
        memory = DerivedMemory(
            **shared,
            id=before.id if before else new_id(now),
            wording=before.wording if keeps and before else None,
        )
        saved.append(_DerivedRow(memory, basis, key_hash))
    gone = tuple(row["derived_id"] for row in left.values())
    return RebuildChanges(tuple(saved), gone, next_change(list(records.values()), now))


def is_same(memory: DerivedMemory, derived: DerivedStatement) -> bool:
    """Return whether a stored record is what was derived, but for a model's wording."""
    return all(getattr(memory, name) == getattr(derived, name) for name in _SHARED)


def _basis(derived: DerivedStatement, records: dict[UUID, Record], cipher: Cipher) -> bytes:
    sources = sorted(f"{source}:{records[source].version}" for source in derived.sources)
    return cipher.fingerprint(f"basis:{','.join(sources)}")


def _columns(row: _DerivedRow, cipher: Cipher) -> dict[str, object]:
    return {
        "derived": row.memory.id,
        "kind": row.memory.kind,
        "key_hash": row.key_hash,
        "basis": row.basis,
        "body": _seal(row.memory, cipher),
        "sources": list(row.memory.sources),
        "against": list(row.memory.against),
        "first_seen": row.memory.first_seen,
        "last_seen": row.memory.last_seen,
    }


def _seal(memory: DerivedMemory, cipher: Cipher) -> bytes:
    body = {name: getattr(memory, name) for name in _SEALED}
    body["until"] = memory.until.isoformat() if memory.until else None
    return cipher.seal(json.dumps(body, ensure_ascii=False), FieldLocation(BODY, memory.id))


def read_derived(row: Row, cipher: Cipher) -> DerivedMemory:
    """Decrypt a row."""
    body = json.loads(cipher.open(row["body"], FieldLocation(BODY, row["derived_id"])))
    body["part"] = ProfilePart(body["part"]) if body["part"] else None
    body["until"] = datetime.fromisoformat(body["until"]) if body["until"] else None
    return DerivedMemory(
        **body,
        id=row["derived_id"],
        kind=DerivedKind(row["kind"]),
        sources=tuple(row["sources"]),
        against=tuple(row["against"]),
        first_seen=row["first_seen"],
        last_seen=row["last_seen"],
        undone_at=row["undone_at"],
    )
