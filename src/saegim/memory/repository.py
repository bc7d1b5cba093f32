"""Records in Postgres."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.db.cells import Cells, Row, execute, fetch_all, fetch_one
from saegim.domain.errors import NotFound
from saegim.domain.ids import LAST_ID, Clock, first_id
from saegim.domain.scope import Scope
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.memory import record_rows
from saegim.memory.ports import Similar
from saegim.memory.recall.query_vectors import QueryTerms, ask
from saegim.memory.record_writer import RecordWriter, actor_of
from saegim.memory.redaction_repository import Redactor
from saegim.memory.types import (
    Action,
    AuditEvent,
    Change,
    ChangeReason,
    Digest,
    ExtractionFailure,
    MemoryType,
    Month,
    NewRecord,
    Origin,
    Record,
    RecordQuery,
    Revise,
    Searchable,
    Version,
)
from saegim.text import analysis

# Ids begin here; what was said may be older.
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
# How many rows a look for words opens at a time.
PAGE = 500


class PostgresRecords:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock, jobs: JobQueue) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock
        self._jobs = jobs

    # What a turn told ------------------------------------------------------------------------

    async def write(
        self, scope: Scope, turn: UUID, changes: Sequence[Change], origin: Origin
    ) -> tuple[Record, ...] | None:
        """Applies what a turn told, all or nothing, and marks the turn as extracted.

        None if it was extracted before; what a twin extracted may be extracted again by a model.
        The actor of the trail is the origin. Changes of a record that is gone by then are dropped.
        """
        async with self._writing(scope, actor_of(origin)) as writing:
            marked = await fetch_one(
                writing.connection,
                "mark_extracted",
                tenant=scope.tenant,
                member=scope.user,
                turn=turn,
                origin=origin,
                now=writing.now,
            )
            if marked is None:
                return None
            records = [await writing.apply(change) for change in changes]
        return tuple({record.id: record for record in records if record}.values())

    async def extracted(self, scope: Scope, turn: UUID) -> Origin | None:
        """Who extracted a turn; None if nobody did."""
        async with self._cells.transaction(scope.tenant) as connection:
            row = await fetch_one(connection, "find_extraction", tenant=scope.tenant, turn=turn)
        return Origin(row["origin"]) if row and row["origin"] else None

    async def save_failure(
        self, scope: Scope, turn: UUID, error: str, output: str
    ) -> ExtractionFailure:
        """Keeps what could not be read, for replay; `error` is a class name, never content."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        now = self._clock.now()
        async with self._cells.transaction(scope.tenant) as connection:
            row = await fetch_one(
                connection,
                "save_failure",
                tenant=scope.tenant,
                member=scope.user,
                turn=turn,
                error=error,
                output=cipher.seal(output, FieldLocation(record_rows.OUTPUT, turn)),
                now=now,
            )
        return ExtractionFailure(turn, error, output, row["attempts"] if row else 0, now)

    async def failures(self, tenant: UUID, count: int) -> tuple[ExtractionFailure, ...]:
        """Turns that wait for a replay, oldest first."""
        async with self._cells.transaction(tenant) as connection:
            rows = await fetch_all(connection, "list_failures", tenant=tenant, count=count)
        found: list[ExtractionFailure] = []
        for row in rows:
            cipher = await self._keyring.user(tenant, row["member_id"])
            output = cipher.open(row["output"], FieldLocation(record_rows.OUTPUT, row["turn_id"]))
            found.append(
                ExtractionFailure(row["turn_id"], row["error"], output, row["attempts"], row["at"])
            )
        return tuple(found)

    # Changes ---------------------------------------------------------------------------------

    async def add(self, scope: Scope, new: NewRecord, because: ChangeReason) -> Record:
        """Stores a record; the one that is there, if its natural key is known."""
        async with self._writing(scope, because) as writing:
            return await writing.add(new)

    async def revise(self, scope: Scope, revise: Revise, because: ChangeReason) -> Record:
        """Stores a new version; one that says the same as the last is none. Raises Changed where
        another record was seen.
        """
        async with self._writing(scope, because) as writing:
            return await writing.revise(revise)

    async def roll_back(self, scope: Scope, earlier: Revise, because: ChangeReason) -> Record:
        """Makes an earlier version the newest one again, as a version of its own. Raises Changed
        where another record was seen.
        """
        async with self._writing(scope, because) as writing:
            return await writing.revise(earlier, Action.ROLL_BACK)

    async def pin(self, scope: Scope, record: UUID, pinned: bool, because: ChangeReason) -> Record:
        """Puts a record into every context, or no longer."""
        async with self._writing(scope, because) as writing:
            return await writing.pin(record, pinned)

    async def retain(
        self, scope: Scope, record: UUID, label: str | None, because: ChangeReason
    ) -> Record:
        """Sets a record's retention label, or takes it away."""
        async with self._writing(scope, because) as writing:
            return await writing.retain(record, label)

    async def forget(self, scope: Scope, records: Sequence[UUID], because: ChangeReason) -> int:
        """Takes records out of every read; how many were there. They can be undone until purged."""
        async with self._writing(scope, because) as writing:
            return await writing.forget(records)

    async def forget_said(
        self, scope: Scope, records: Sequence[UUID], because: ChangeReason
    ) -> int:
        """Forgets records, and strikes their words from what was said (`striking.py`)."""
        async with self._writing(scope, because) as writing:
            forgotten = await writing.forget(records)
            await self._redactor(writing).redact(records)
            return forgotten

    async def undo(self, scope: Scope, record: UUID, because: ChangeReason) -> Record:
        """Brings a forgotten record back, with what was struck for it."""
        async with self._writing(scope, because) as writing:
            remembered = await writing.undo(record)
            await self._redactor(writing).restore(remembered)
            return remembered

    async def forget_session(self, scope: Scope, session: UUID, because: ChangeReason) -> int:
        """Forgets what was derived from a session's turns alone; how many records."""
        async with self._writing(scope, because) as writing:
            rows = await fetch_all(
                writing.connection,
                "memories_of_session",
                **turn_rows.owned(scope),
                session=session,
            )
            return await writing.forget([row["memory_id"] for row in rows])

    async def purge(self, tenant: UUID, forgotten_before: datetime, most: int) -> int:
        """Removes for good what was forgotten before; how many records."""
        async with self._cells.transaction(tenant) as connection:
            rows = await fetch_all(
                connection, "purged_memories", tenant=tenant, before=forgotten_before, most=most
            )
            gone = [row["memory_id"] for row in rows]
            owners = {
                "members": sorted({row["member_id"] for row in rows}),
                "profiles": sorted({row["profile_id"] for row in rows}),
            }
            for name in ("drop_memory_vectors", "drop_memories"):
                await execute(connection, name, tenant=tenant, memories=gone, **owners)
        return len(gone)

    async def similar(
        self, scope: Scope, searchable: Searchable, count: int
    ) -> tuple[Similar, ...]:
        """The records that hold now and are nearest by words or by meaning."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        cell = await self._cells.for_tenant(scope.tenant)
        words = QueryTerms(searchable.terms)
        asked = await ask(cell, scope, cipher, words, searchable.embedding)
        near = await self._rows(
            scope,
            "near_memories",
            index_version=asked.index_version,
            embedding=asked.embedding,
            terms=asked.records.terms.literal(),
            now=self._clock.now(),
            count=count,
        )
        ids = [row["memory_id"] for row in near]
        rows = await self._rows(scope, "find_memories", memories=ids)
        records = {row["memory_id"]: record_rows.read(row, cipher) for row in rows}
        return tuple(
            Similar(records[row["memory_id"]], row["lexical"], row["dense"])
            for row in near
            # A digest is never what a new statement confirms or replaces: its sources are.
            if row["memory_id"] in records and not records[row["memory_id"]].is_digest
        )

    # Reads -----------------------------------------------------------------------------------

    async def get(self, scope: Scope, record: UUID) -> Record:
        """One record, superseded or not, unless it is forgotten."""
        rows = await self._rows(scope, "find_memories", memories=[record])
        if not rows:
            raise NotFound("memory")
        return record_rows.read(rows[0], await self._keyring.user(scope.tenant, scope.user))

    async def browse(self, scope: Scope, listing: RecordQuery) -> tuple[Record, ...]:
        """Records newest first; `words` are looked for in what they say."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        words = analysis.fold(listing.words).split()
        found: list[Record] = []
        before = _first_before(listing)
        size = PAGE if words else listing.count
        while len(found) < listing.count:
            rows = await self._page(scope, listing, before, size)
            records = [record_rows.read(row, cipher) for row in rows]
            found += [record for record in records if _says(record, words)]
            if len(rows) < size:
                break
            before = records[-1].id
        return tuple(found[: listing.count])

    async def timeline(self, scope: Scope, time_zone: str) -> tuple[Month, ...]:
        """How many records that hold now were said in each month, newest first."""
        rows = await self._rows(
            scope, "count_memories_by_month", time_zone=time_zone, now=self._clock.now()
        )
        return tuple(Month(row["year"], row["month"], row["records"]) for row in rows)

    async def versions(self, scope: Scope, record: UUID) -> tuple[Version, ...]:
        """All versions of a record, newest first."""
        await self.get(scope, record)
        rows = await self._rows(scope, "list_memory_versions", memory=record)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return tuple(record_rows.read_version(row, cipher) for row in rows)

    async def trail(self, scope: Scope, record: UUID | None, count: int) -> tuple[AuditEvent, ...]:
        """What was done to a record, or to all of a person's memory, newest first."""
        if record is None:
            rows = await self._rows(scope, "list_audit_events", count=count)
        else:
            rows = await self._rows(
                scope, "list_audit_events_of_subject", subject=record, count=count
            )
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return tuple(record_rows.read_event(row, cipher) for row in rows)

    # Digests ---------------------------------------------------------------------------------

    async def keep_digest(self, digest: Digest, new: NewRecord, because: ChangeReason) -> bool:
        """Stores a digest and the record that tells it; False if it was there.

        The record goes when one of its sources is changed or forgotten by a person.
        """
        scope = digest.scope
        async with self._writing(scope, because) as writing:
            sources = sorted(digest.sources)
            key = writing.cipher.fingerprint(f"digest:{','.join(map(str, sources))}")
            added = await fetch_one(
                writing.connection,
                "add_digest",
                **turn_rows.owned(scope),
                digest=digest.id,
                natural_hash=key,
                body=record_rows.seal_digest(digest, writing.cipher),
                sources=sources,
                first_said_at=digest.first,
                last_said_at=digest.last,
                now=writing.now,
            )
            if added is not None:
                await writing.add(new, Action.CONSOLIDATE, digest.id)
        return added is not None

    async def records_of_digest(self, scope: Scope, digest: UUID) -> tuple[Record, ...]:
        """The records that a digest tells and that are still there, oldest first."""
        found = {each.id: each for each in await self.digests(scope)}
        if digest not in found:
            raise NotFound("memory")
        rows = await self._rows(scope, "find_memories", memories=list(found[digest].sources))
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return tuple(sorted((record_rows.read(row, cipher) for row in rows), key=lambda r: r.id))

    async def digests(self, scope: Scope) -> tuple[Digest, ...]:
        """A person's digests, newest first."""
        rows = await self._rows(scope, "list_digests")
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return tuple(record_rows.read_digest(row, cipher) for row in rows)

    @asynccontextmanager
    async def _writing(self, scope: Scope, because: ChangeReason) -> AsyncGenerator[RecordWriter]:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        async with self._cells.transaction(scope.tenant) as connection:
            writing = RecordWriter(connection, scope, cipher, self._clock.now(), because)
            await writing.open()
            yield writing
            await writing.close()

    def _redactor(self, writing: RecordWriter) -> Redactor:
        return Redactor(
            writing.connection, writing.scope, writing.cipher, writing.index_version, self._jobs
        )

    async def _page(self, scope: Scope, listing: RecordQuery, before: UUID, size: int) -> list[Row]:
        return await self._rows(
            scope,
            "list_memories",
            before=before,
            since=listing.filters.said_from or EARLIEST,
            types=sorted(listing.filters.types or MemoryType),
            forgotten=listing.forgotten,
            as_of=listing.as_of or self._clock.now(),
            count=size,
        )

    async def _rows(self, scope: Scope, name: str, **values: object) -> list[Row]:
        cell = await self._cells.for_tenant(scope.tenant)
        whose = {"member": scope.user, "profile": scope.profile}
        return await cell.read(scope.tenant, name, **whose, **values)


def _first_before(listing: RecordQuery) -> UUID:
    until = listing.filters.said_until
    latest = first_id(max(until, EPOCH)) if until else LAST_ID
    return min(listing.before or LAST_ID, latest)


def _says(record: Record, words: list[str]) -> bool:
    """Whether every word stands in what a record says."""
    said = analysis.fold(f"{record.content} {record.topic} {' '.join(record.tags)}")
    return all(word in said for word in words)
