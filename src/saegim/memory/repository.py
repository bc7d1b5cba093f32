"""Records in Postgres."""

from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import batched
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.types import Turn
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all
from saegim.domain.errors import NotFound, OptionalServiceDown
from saegim.domain.ids import LAST_ID, Clock, first_id
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.memory import record_rows
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
    Filters,
    ForgottenBatch,
    MemoryType,
    Month,
    NewRecord,
    Origin,
    Record,
    RecordCounts,
    RecordQuery,
    Revise,
    Searchable,
    Version,
)
from saegim.text import analysis

# Ids begin in 1970; records may be older.
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
ALL = Filters()
LATEST = datetime(9999, 1, 1, tzinfo=UTC)
# Rows decrypted at a time.
PAGE = 500
# Records forgotten in one transaction.
TOGETHER = 50


class PostgresRecords:
    def __init__(
        self, cells: Cells, keyring: Keyring, clock: Clock, jobs: JobQueue, cache: RedisStateCache
    ) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock
        self._jobs = jobs
        self._cache = cache

    # Extraction ------------------------------------------------------------------------------

    async def write(
        self,
        scope: Scope,
        turns: Sequence[Turn],
        changes: Mapping[UUID, Sequence[Change]],
        origin: Origin,
        stale: Collection[UUID] = (),
    ) -> tuple[Record, ...]:
        """Apply the changes of turns in one transaction, forget `stale` and mark the turns as
        extracted.

        Turns that were extracted, left out, redacted or deleted since they were read stay as they
        are; a model may replace the fallback. Changes to forgotten records are dropped.
        """
        records, is_marked = list[Record](), False
        async with self.writing(scope, actor_of(origin)) as writer:
            rows = await writer.all("lock_turns", turns=sorted(turn.id for turn in turns))
            redactions = {
                row["turn_id"]: turn_rows.redactions_of(row["redactions"]) for row in rows
            }
            for turn in turns:
                if redactions.get(turn.id) != turn.redactions:
                    continue
                marked = {"turn": turn.id, "origin": origin, "now": writer.now}
                if await writer.one("mark_extracted", **marked) is not None:
                    is_marked = True
                    records += await writer.apply_all(changes.get(turn.id, ()))
            kept = {record.id for record in records}
            if is_marked:
                await writer.forget([record for record in stale if record not in kept])
        return tuple({record.id: record for record in records}.values())

    async def save_failure(
        self, scope: Scope, turn: UUID, error: str, output: str
    ) -> ExtractionFailure:
        """Save a failed extraction for a retry; `error` is a class name without content."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        now = self._clock.now()
        row = await self._cells.fetch_one(
            scope.tenant,
            "save_failure",
            member=scope.user,
            turn=turn,
            error=error,
            output=cipher.seal(output, FieldLocation(record_rows.OUTPUT, turn)),
            now=now,
        )
        return ExtractionFailure(turn, error, output, row["attempts"] if row else 0, now)

    async def failures(self, tenant: UUID, count: int) -> tuple[ExtractionFailure, ...]:
        """List failed extractions, oldest first."""
        rows = await self._cells.fetch_all(tenant, "list_failures", count=count)
        failures: list[ExtractionFailure] = []
        for row in rows:
            turn = row["turn_id"]
            cipher = await self._keyring.user(tenant, row["member_id"])
            output = cipher.open(row["output"], FieldLocation(record_rows.OUTPUT, turn))
            failure = ExtractionFailure(turn, row["error"], output, row["attempts"], row["at"])
            failures.append(failure)
        return tuple(failures)

    # Changes ---------------------------------------------------------------------------------

    async def add(self, scope: Scope, new: NewRecord, because: ChangeReason) -> Record:
        """Store a record, or return the existing one with its natural key."""
        async with self.writing(scope, because) as writer:
            return await writer.add(new)

    async def revise(self, scope: Scope, revise: Revise, because: ChangeReason) -> Record:
        """Store a new version, if it differs. Raises Changed if the caller saw another version."""
        async with self.writing(scope, because) as writer:
            return await writer.revise(revise)

    async def roll_back(self, scope: Scope, earlier: Revise, because: ChangeReason) -> Record:
        """Store an earlier version as a new one. Raises Changed like `revise`."""
        async with self.writing(scope, because) as writer:
            return await writer.revise(earlier, Action.ROLL_BACK)

    async def pin(self, scope: Scope, record: UUID, pinned: bool, because: ChangeReason) -> Record:
        async with self.writing(scope, because) as writer:
            return await writer.pin(record, pinned)

    async def retain(
        self, scope: Scope, record: UUID, label: str | None, because: ChangeReason
    ) -> Record:
        """Set or remove the retention label of a record."""
        async with self.writing(scope, because) as writer:
            return await writer.retain(record, label)

    async def forget(self, scope: Scope, records: Sequence[UUID], because: ChangeReason) -> int:
        """Forget records and return their number; `undo` works until they are purged."""
        async with self.writing(scope, because) as writer:
            return await writer.forget(records)

    async def forget_said(
        self, scope: Scope, records: Sequence[UUID], because: ChangeReason
    ) -> None:
        """Forget records and redact their words from turns and summaries."""
        async with self.redacting(scope, because) as (writer, redactor):
            await writer.forget(records)
            await redactor.redact([*records, *writer.dependents])

    async def undo(self, scope: Scope, record: UUID, because: ChangeReason) -> Record:
        """Restore a forgotten record and undo its redactions."""
        async with self.redacting(scope, because) as (writer, redactor):
            return await redactor.undo(writer, record)

    async def forget_together(
        self, scope: Scope, records: Sequence[UUID] | None, because: ChangeReason
    ) -> ForgottenBatch:
        """Forget records, or all there are, and redact their words; the time names them for undo.

        Several transactions, each with some records; all or none of each."""
        at, forgotten = self._clock.now(), 0
        chunks = iter(batched(records or (), TOGETHER))
        while chunk := next(chunks, None) if records else await self._some(scope):
            async with self.redacting(scope, because, at) as (writer, redactor):
                forgotten += await writer.forget(chunk)
                await redactor.redact([*chunk, *writer.dependents])
        return ForgottenBatch(forgotten, at)

    async def undo_together(
        self, scope: Scope, which: Sequence[UUID] | datetime | None, because: ChangeReason
    ) -> int:
        """Restore records, or those forgotten together at a time; return their number."""
        if isinstance(which, datetime):
            rows = await self._rows(scope, "memories_forgotten_at", at=which)
            which = [row["memory_id"] for row in rows]
        restored = 0
        # The oldest first: one that replaced another closes it again.
        for record in sorted(which or ()):
            # A digest whose sources changed cannot be restored.
            with suppress(NotFound):
                await self.undo(scope, record, because)
                restored += 1
        return restored

    async def _some(self, scope: Scope) -> list[UUID]:
        query = RecordQuery(count=TOGETHER)
        rows = await self._page(scope, query, LAST_ID, query.count)
        return [row["memory_id"] for row in rows]

    async def forget_session(self, scope: Scope, session: UUID, because: ChangeReason) -> int:
        """Forget the records that come from a session alone; return their number."""
        async with self.writing(scope, because) as writer:
            rows = await writer.all("memories_of_session", session=session)
            return await writer.forget([row["memory_id"] for row in rows])

    async def purge(self, tenant: UUID, forgotten_before: datetime, most: int) -> int:
        """Delete records forgotten before a time; return their number."""
        async with self._cells.transaction(tenant) as connection:
            rows = await fetch_all(
                connection, "purged_memories", tenant=tenant, before=forgotten_before, most=most
            )
            memories = [row["memory_id"] for row in rows]
            owners = {
                "members": sorted({row["member_id"] for row in rows}),
                "profiles": sorted({row["profile_id"] for row in rows}),
            }
            for name in ("drop_memory_vectors", "drop_memories"):
                await execute(connection, name, tenant=tenant, memories=memories, **owners)
        return len(memories)

    async def similar(self, scope: Scope, searchable: Searchable, count: int) -> tuple[Record, ...]:
        """Find the valid records nearest by words or by meaning."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        cell = await self._cells.for_tenant(scope.tenant)
        words = QueryTerms(searchable.terms)
        vectors = await ask(cell, scope, cipher, words, searchable.embedding)
        near = await self._rows(
            scope,
            "near_memories",
            index_version=vectors.index_version,
            embedding=vectors.embedding,
            terms=vectors.records.terms.literal(),
            now=self._clock.now(),
            count=count,
        )
        ids = [row["memory_id"] for row in near]
        rows = await self._rows(scope, "find_memories", memories=ids)
        records = {row["memory_id"]: record_rows.read(row, cipher) for row in rows}
        found = (records[each] for each in ids if each in records)
        # A new statement confirms or replaces the sources of a digest, not the digest.
        return tuple(record for record in found if not record.is_digest)

    # Reads -----------------------------------------------------------------------------------

    async def get(self, scope: Scope, record: UUID) -> Record:
        """Find a record, superseded or not. Raises NotFound if it is forgotten."""
        rows = await self._rows(scope, "find_memories", memories=[record])
        if not rows:
            raise NotFound("memory")
        return record_rows.read(rows[0], await self._keyring.user(scope.tenant, scope.user))

    async def find(self, scope: Scope, records: Sequence[UUID]) -> tuple[Record, ...]:
        """Find records that are not forgotten, superseded or not, newest first."""
        rows = await self._rows(scope, "find_memories", memories=list(records))
        cipher = await self._keyring.user(scope.tenant, scope.user)
        found = (record_rows.read(row, cipher) for row in rows)
        return tuple(sorted(found, key=lambda record: record.id, reverse=True))

    async def going_with(self, scope: Scope, records: Sequence[UUID]) -> tuple[Record, ...]:
        """Find what goes when a user forgets records: what they replaced, and what rests on one."""
        rows = await self._rows(scope, "memories_going_with", memories=list(records))
        return await self.find(scope, [row["memory_id"] for row in rows])

    async def browse(self, scope: Scope, listing: RecordQuery) -> tuple[Record, ...]:
        """List records that contain all `words`, in the order of the query."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        words = analysis.fold(listing.words).split()
        matching: list[Record] = []
        before = _first_before(listing) if listing.sort == "newest" else listing.before
        size = PAGE if words else listing.count
        while len(matching) < listing.count:
            rows = await self._page(scope, listing, before, size)
            records = [record_rows.read(row, cipher) for row in rows]
            matching += [record for record in records if _contains(record, words)]
            if len(rows) < size:
                break
            before = records[-1].id
        return tuple(matching[: listing.count])

    async def browse_all(self, scope: Scope, filters: Filters = ALL) -> list[Record]:
        """List all valid records but digests, newest first."""
        records: list[Record] = []
        before: UUID | None = None
        while True:
            query = RecordQuery(filters=filters, before=before, count=PAGE)
            page = await self.browse(scope, query)
            records += [record for record in page if not record.is_digest]
            if len(page) < PAGE:
                return records
            before = page[-1].id

    async def counts(self, scope: Scope) -> RecordCounts:
        """Count valid records by type, and forgotten ones."""
        rows = await self._rows(scope, "count_memories_by_type", now=self._clock.now())
        return RecordCounts(
            total=sum(row["records"] for row in rows),
            pinned=sum(row["pinned"] for row in rows),
            to_review=sum(row["to_review"] for row in rows),
            forgotten=sum(row["forgotten"] for row in rows),
            types={MemoryType(row["type"]): row["records"] for row in rows if row["records"]},
        )

    async def timeline(self, scope: Scope, time_zone: str) -> tuple[Month, ...]:
        """Count valid records by month, newest first."""
        rows = await self._rows(
            scope, "count_memories_by_month", time_zone=time_zone, now=self._clock.now()
        )
        return tuple(Month(row["year"], row["month"], row["records"]) for row in rows)

    async def versions(self, scope: Scope, record: UUID) -> tuple[Version, ...]:
        """List the versions of a record, newest first."""
        await self.get(scope, record)
        rows = await self._rows(scope, "list_memory_versions", memory=record)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return tuple(record_rows.read_version(row, cipher) for row in rows)

    async def trail(self, scope: Scope, record: UUID, count: int) -> tuple[AuditEvent, ...]:
        """List the audit trail of a record, newest first."""
        rows = await self._rows(scope, "list_audit_events_of_subject", subject=record, count=count)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return tuple(record_rows.read_event(row, cipher) for row in rows)

    # Digests ---------------------------------------------------------------------------------

    async def keep_digest(self, digest: Digest, new: NewRecord, because: ChangeReason) -> bool:
        """Store a digest and its record; False if it exists.

        Changing or forgetting one of its sources deletes it.
        """
        scope = digest.scope
        async with self.writing(scope, because) as writer:
            sources = sorted(digest.sources)
            key = writer.cipher.fingerprint(f"digest:{','.join(map(str, sources))}")
            added = await writer.one(
                "add_digest",
                digest=digest.id,
                natural_hash=key,
                body=record_rows.seal_digest(digest, writer.cipher),
                sources=sources,
                first_said_at=digest.first,
                last_said_at=digest.last,
                now=writer.now,
            )
            if added is not None:
                await writer.add(new, Action.CONSOLIDATE, digest.id)
        return added is not None

    async def records_of_digest(self, scope: Scope, digest: UUID) -> tuple[Record, ...]:
        """List the records of a digest that still exist, oldest first. Raises NotFound."""
        digests = {each.id: each for each in await self.digests(scope)}
        if digest not in digests:
            raise NotFound("memory")
        rows = await self._rows(scope, "find_memories", memories=list(digests[digest].sources))
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return tuple(sorted((record_rows.read(row, cipher) for row in rows), key=lambda r: r.id))

    async def digests(self, scope: Scope) -> tuple[Digest, ...]:
        """List the digests of a user, newest first."""
        rows = await self._rows(scope, "list_digests")
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return tuple(record_rows.read_digest(row, cipher) for row in rows)

    @asynccontextmanager
    async def writing(
        self, scope: Scope, because: ChangeReason, at: datetime | None = None
    ) -> AsyncGenerator[RecordWriter]:
        """Open a transaction that changes the memory of a user; a job then derives from it."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        async with (
            self._cells.transaction(scope.tenant) as connection,
            self.writing_on(connection, scope, cipher, because, at) as writer,
        ):
            yield writer

    @asynccontextmanager
    async def writing_on(
        self,
        connection: Connection,
        scope: Scope,
        cipher: Cipher,
        because: ChangeReason,
        at: datetime | None = None,
    ) -> AsyncGenerator[RecordWriter]:
        """Change the memory of a user in an open transaction."""
        writer = RecordWriter(connection, scope, cipher, at or self._clock.now(), because)
        await writer.open()
        yield writer
        await writer.close(self._jobs)

    @asynccontextmanager
    async def redacting(
        self, scope: Scope, because: ChangeReason, at: datetime | None = None
    ) -> AsyncGenerator[tuple[RecordWriter, Redactor]]:
        """Open a transaction that redacts turns; then drop the cached states of their sessions."""
        async with self.writing(scope, because, at) as writer:
            redactor = self.redactor(writer)
            yield writer, redactor
        await self.drop_states(scope, redactor.sessions)

    def redactor(self, writer: RecordWriter) -> Redactor:
        """Return a redactor in the transaction of a writer; then call `drop_states`."""
        return Redactor(
            writer.connection, writer.scope, writer.cipher, writer.index_version, self._jobs
        )

    async def drop_states(self, scope: Scope, sessions: Iterable[UUID]) -> None:
        """Drop the cached states of redacted sessions, after the commit."""
        # If the cache is down, its stale entries are not read, and expire.
        with suppress(OptionalServiceDown):
            for session in sessions:
                await self._cache.drop(scope, session)

    async def _page(
        self, scope: Scope, listing: RecordQuery, before: UUID | None, size: int
    ) -> list[Row]:
        filters = listing.filters
        values = {
            "before": before,
            "since": filters.said_from or EARLIEST,
            "types": sorted(filters.types or MemoryType),
            "forgotten": listing.forgotten,
            "to_review": listing.to_review,
            "pinned": [listing.pinned] if listing.pinned is not None else [True, False],
            "as_of": listing.as_of or self._clock.now(),
            "count": size,
        }
        if listing.sort == "newest":
            return await self._rows(scope, "list_memories", **values)
        until = (filters.said_until or LATEST) - timedelta(microseconds=1)
        more = {"until": until, "sort": listing.sort}
        return await self._rows(scope, "list_sorted_memories", **values, **more)

    async def _rows(self, scope: Scope, name: str, **values: object) -> list[Row]:
        cell = await self._cells.for_tenant(scope.tenant)
        return await cell.read(scope.tenant, name, **turn_rows.owner(scope), **values)


def _first_before(listing: RecordQuery) -> UUID:
    until = listing.filters.said_until
    latest = first_id(max(until, EPOCH)) if until else LAST_ID
    return min(listing.before or LAST_ID, latest)


def _contains(record: Record, words: list[str]) -> bool:
    text = analysis.fold(f"{record.content} {record.topic} {' '.join(record.tags)}")
    return all(word in text for word in words)
