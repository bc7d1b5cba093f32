"""Ingests and their files in Postgres."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from uuid import UUID

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.ids import Clock, new_id
from saegim.domain.tenancy import CollectionAccess
from saegim.jobs.queue import JobQueue, clean_up_job
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import sweep_job
from saegim.library.ports import DocumentSource
from saegim.library.types import FileState, Ingest, IngestFile
from saegim.quotas.repository import Quota, Quotas, require_room
from saegim.webhooks.outbox import Outbox, WebhookEvent

# Bytes of a file that steps behind the smaller ones of its ingest.
LARGE_FILE = 1_000_000


class PostgresIngests:
    def __init__(
        self, cells: Cells, jobs: JobQueue, clock: Clock, quotas: Quotas | None = None
    ) -> None:
        self._cells = cells
        self._quotas = quotas or Quotas()
        self._jobs = jobs
        self._clock = clock
        self._outbox = Outbox(jobs, clock)

    async def create(
        self,
        tenant: UUID,
        ingest: UUID,
        collection: UUID,
        type: str,  # noqa: A002 - the API's word
        source: UUID | None = None,
        added_by: UUID | None = None,
    ) -> None:
        """Open an ingest. Raises NotFound for an unknown collection."""
        async with self._cells.transaction(tenant) as connection:
            added = await execute(
                connection,
                "add_ingest",
                tenant=tenant,
                ingest=ingest,
                collection=collection,
                type=type,
                source=source,
                added_by=added_by,
                now=self._clock.now(),
            )
            await self._jobs.defer_once(connection, clean_up_job(tenant))
        if not added:
            raise NotFound("collection")

    async def add_file(
        self,
        tenant: UUID,
        ingest: UUID,
        name: str,
        media_type: str | None = None,
        modified: datetime | None = None,
    ) -> UUID:
        """Add a file to upload; the same name replaces the first."""
        async with self._cells.transaction(tenant) as connection:
            file = await self._add_file(connection, tenant, ingest, name, media_type, modified)
            await self._jobs.defer_once(connection, sweep_job(tenant))
        return file

    async def add_small_file(
        self, tenant: UUID, ingest: UUID, name: str, content: bytes
    ) -> IngestFile:
        """Add a file of one part, and queue its job, in one transaction."""
        async with self._cells.transaction(tenant) as connection:
            file = await self._add_file(connection, tenant, ingest, name)
            await self._add_part(connection, tenant, file, 0, content)
            return await self._enqueue(connection, tenant, file)

    async def _add_file(
        self,
        connection: Connection,
        tenant: UUID,
        ingest: UUID,
        name: str,
        media_type: str | None = None,
        modified: datetime | None = None,
    ) -> UUID:
        now = self._clock.now()
        row = await fetch_one(connection, "find_ingest", tenant=tenant, ingest=ingest)
        if _require(row)["cancel_requested"]:
            raise Conflict("the ingest was cancelled")
        for quota in (Quota.DOCUMENTS, Quota.DOCUMENT_MB):
            await require_room(connection, tenant, self._quotas, quota)
        row = await fetch_one(
            connection,
            "add_ingest_file",
            tenant=tenant,
            file=new_id(now),
            ingest=ingest,
            name=name,
            media_type=media_type,
            modified=modified,
            now=now,
        )
        if row is None:
            raise Conflict("this file is already being stored")
        await execute(connection, "drop_file_parts", tenant=tenant, file=row["file_id"])
        return row["file_id"]

    async def add_part(self, tenant: UUID, file: UUID, part: int, content: bytes) -> None:
        async with self._cells.transaction(tenant) as connection:
            key, now = {"tenant": tenant, "file": file}, self._clock.now()
            if await fetch_one(connection, "note_received", **key, now=now) is None:
                raise Conflict("the upload was cancelled")
            await self._add_part(connection, tenant, file, part, content)

    async def _add_part(
        self, connection: Connection, tenant: UUID, file: UUID, part: int, content: bytes
    ) -> None:
        values = {"tenant": tenant, "file": file, "part": part, "content": content}
        await execute(connection, "add_file_part", **values)

    async def abandon(self, tenant: UUID, file: UUID) -> None:
        """Delete an interrupted upload."""
        async with self._cells.transaction(tenant) as connection:
            values = {"tenant": tenant, "file": file, "now": self._clock.now()}
            if await fetch_one(connection, "abandon_upload", **values) is not None:
                await execute(connection, "drop_file_parts", tenant=tenant, file=file)

    async def sweep(self, tenant: UUID, before: datetime, most: int) -> int:
        """Delete uploads without data since a time, and return how many; queue the next sweep
        while others are running."""
        async with self._cells.transaction(tenant) as connection:
            values = {"tenant": tenant, "before": before, "most": most}
            now = self._clock.now()
            rows = await fetch_all(connection, "sweep_uploads", **values, now=now)
            await self._drop_parts(connection, tenant, rows)
            if not rows and await fetch_one(connection, "receiving_files", tenant=tenant):
                await self._jobs.defer_once(connection, sweep_job(tenant))
        return len(rows)

    async def _drop_parts(self, connection: Connection, tenant: UUID, files: list[Row]) -> None:
        dropped = [row["file_id"] for row in files]
        await execute(connection, "drop_parts_of_files", tenant=tenant, files=dropped)

    async def enqueue(self, tenant: UUID, file: UUID) -> IngestFile:
        """Mark a file as uploaded and queue its job, in one transaction."""
        async with self._cells.transaction(tenant) as connection:
            return await self._enqueue(connection, tenant, file)

    async def _enqueue(self, connection: Connection, tenant: UUID, file: UUID) -> IngestFile:
        values = {"tenant": tenant, "file": file, "now": self._clock.now()}
        row = _require(await fetch_one(connection, "enqueue_file", **values))
        kind = JobKind.INGEST_FILE
        await self._jobs.defer(connection, Job(kind, tenant, file, lock=f"{kind}:{tenant}"))
        return _file(row)

    async def find(self, tenant: UUID, ingest: UUID) -> Ingest:
        """Return an ingest with its files. Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            find = {"tenant": tenant, "ingest": ingest}
            row = _require(await fetch_one(connection, "find_ingest", **find))
            files = await fetch_all(connection, "list_ingest_files", **find)
        return _ingest(row, files)

    async def target(self, tenant: UUID, ingest: UUID) -> tuple[CollectionAccess, str]:
        """Return who may write to the collection of an ingest, and its type. Raises NotFound."""
        row = _require(await self._cells.read_one(tenant, "ingest_access", ingest=ingest))
        audience = frozenset(row["audience"])
        return CollectionAccess(row["collection_id"], row["owner_id"], audience), row["type"]

    async def start(self, tenant: UUID, file: UUID) -> tuple[Ingest, IngestFile] | None:
        """Note that a file is being read, and return it with its ingest; None if it is over, or if
        its job is queued again behind smaller files of the ingest."""
        async with self._cells.transaction(tenant) as connection:
            values = {"tenant": tenant, "file": file, "now": self._clock.now()}
            small = {"tenant": tenant, "file": file, "large": LARGE_FILE}
            if await fetch_one(connection, "smaller_file_waits", **small):
                await self._enqueue(connection, tenant, file)
                return None
            row = await fetch_one(connection, "start_file", **values)
            if row is None:
                return None
            find = {"tenant": tenant, "ingest": row["ingest_id"]}
            ingest = _require(await fetch_one(connection, "find_ingest", **find))
        return _ingest(ingest, [row]), _file(row)

    async def fetch(self, tenant: UUID, file: IngestFile, to: Path) -> bytes:
        """Write a file's content to disk, and return its SHA-256."""
        digest, part, size = sha256(), 0, 0
        with to.open("wb") as target:
            while size < file.size:
                find = {"file": file.id, "part": part}
                row = await self._cells.read_one(tenant, "read_file_part", **find)
                if row is None:  # it is being uploaded again
                    break
                target.write(row["content"])
                digest.update(row["content"])
                part, size = part + 1, size + len(row["content"])
        return digest.digest()

    async def progress(
        self, tenant: UUID, file: UUID, state: FileState, counts: Mapping[str, int]
    ) -> bool:
        """Record a file's progress, and return whether its ingest was cancelled."""
        values = {"file": file, "state": state, "now": self._clock.now(), **counts}
        row = await self._cells.fetch_one(tenant, "note_progress", **values)
        return row is None or bool(row["cancel_requested"])

    async def is_current(self, tenant: UUID, brought_by: DocumentSource) -> bool:
        """Whether the file is still the newest of its source item."""
        find = asdict(brought_by)
        return bool(await self._cells.read(tenant, "find_current_item", **find))

    async def finish(
        self,
        tenant: UUID,
        file: UUID,
        state: FileState,
        error: str | None,
        counts: Mapping[str, int],
        document: UUID | None = None,
    ) -> None:
        """Finish a file, of one document if given, and delete its content."""
        async with self._cells.transaction(tenant) as connection:
            values = {"tenant": tenant, "file": file, "state": state, "error": error, **counts}
            values |= {"document": document, "now": self._clock.now()}
            await execute(connection, "finish_file", **values)
            await execute(connection, "drop_file_parts", tenant=tenant, file=file)
            await self._queue_end(connection, tenant, file)

    async def give_up(self, tenant: UUID, file: UUID) -> None:
        """Fail a file whose job failed for good, and keep its content for a replay of the job."""
        async with self._cells.transaction(tenant) as connection:
            values = {"tenant": tenant, "file": file, "now": self._clock.now()}
            await execute(connection, "give_up_file", **values)
            await self._queue_end(connection, tenant, file)

    async def _queue_end(self, connection: Connection, tenant: UUID, file: UUID) -> None:
        """Queue the event of the end of an ingest with its last file."""
        ended = await fetch_one(connection, "ingest_over", tenant=tenant, file=file)
        if ended is not None:
            ingest = ended["ingest_id"]
            await self._outbox.queue_event(connection, tenant, WebhookEvent.INGEST_DONE, ingest)

    async def cancel(self, tenant: UUID, ingest: UUID) -> None:
        """Request that an ingest stops. Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            key = {"tenant": tenant, "ingest": ingest}
            _require(await fetch_one(connection, "cancel_ingest", **key))
            now = self._clock.now()
            rows = await fetch_all(connection, "cancel_received", **key, now=now)
            await self._drop_parts(connection, tenant, rows)

    async def remove_old(self, tenant: UUID, before: datetime, most: int) -> int:
        """Delete the progress of old finished ingests; their documents stay."""
        return await self._cells.run_query(tenant, "drop_old_ingests", before=before, most=most)


def _ingest(row: Row, files: list[Row]) -> Ingest:
    return Ingest(
        id=row["ingest_id"],
        tenant=row["tenant_id"],
        collection=row["collection_id"],
        type=row["type"],
        cancelled=row["cancel_requested"],
        files=tuple(_file(file) for file in files),
        source=row["source_id"],
        added_by=row["added_by"],
    )


def _file(row: Row) -> IngestFile:
    ids = {"id": row["file_id"], "ingest": row["ingest_id"]}
    return from_row(IngestFile, row, **ids, state=FileState(row["state"]))


def _require(row: Row | None) -> Row:
    if row is None:
        raise NotFound("ingest")
    return row
