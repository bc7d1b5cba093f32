"""Ingests and their files in Postgres."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from uuid import UUID

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.ids import Clock, new_id
from saegim.jobs.queue import JobQueue, clean_up_job
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import sweep_job
from saegim.library.ports import DocumentSource
from saegim.library.types import FileState, Ingest, IngestFile
from saegim.quotas.repository import Quota, Quotas, require_room
from saegim.webhooks.events import WebhookEvent
from saegim.webhooks.outbox import Outbox


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
    ) -> None:
        """Opens an ingest. Raises NotFound for a collection that is not the tenant's."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            added = await execute(
                connection,
                "add_ingest",
                tenant=tenant,
                ingest=ingest,
                collection=collection,
                type=type,
                source=source,
                now=self._clock.now(),
            )
            await self._jobs.defer_once(connection, clean_up_job(tenant))
        if not added:
            raise NotFound("collection")

    async def add_file(
        self, tenant: UUID, ingest: UUID, name: str, media_type: str | None = None
    ) -> UUID:
        """A file that is about to be received; the same name again replaces the first."""
        now = self._clock.now()
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            found = await fetch_one(connection, "find_ingest", tenant=tenant, ingest=ingest)
            if _require(found)["cancel_requested"]:
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
                now=now,
            )
            if row is None:
                raise Conflict("this file is already being stored")
            await execute(connection, "drop_file_parts", tenant=tenant, file=row["file_id"])
            await self._jobs.defer_once(connection, sweep_job(tenant))
        return row["file_id"]

    async def add_part(self, tenant: UUID, file: UUID, part: int, content: bytes) -> None:
        """The next part of a file's content."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            noted = {"tenant": tenant, "file": file, "now": self._clock.now()}
            if await fetch_one(connection, "note_received", **noted) is None:
                raise Conflict("the upload was cancelled")
            values = {"tenant": tenant, "file": file, "part": part, "content": content}
            await execute(connection, "add_file_part", **values)

    async def abandon(self, tenant: UUID, file: UUID) -> None:
        """Removes what came of a file whose upload broke off."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            values = {"tenant": tenant, "file": file, "now": self._clock.now()}
            if await fetch_one(connection, "abandon_upload", **values) is not None:
                await execute(connection, "drop_file_parts", tenant=tenant, file=file)

    async def sweep(self, tenant: UUID, before: datetime, most: int) -> int:
        """Removes uploads of which nothing came since; tells how many. While others are under
        way, queues the next sweep.
        """
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
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

    async def enqueue(self, tenant: UUID, file: UUID) -> None:
        """Marks a file as received and queues its job, in one transaction."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            values = {"tenant": tenant, "file": file, "now": self._clock.now()}
            _require(await fetch_one(connection, "enqueue_file", **values))
            kind = JobKind.INGEST_FILE
            await self._jobs.defer(connection, Job(kind, tenant, file, lock=f"{kind}:{tenant}"))

    async def find(self, tenant: UUID, ingest: UUID) -> Ingest:
        """An ingest with its files. Raises NotFound."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            find = {"tenant": tenant, "ingest": ingest}
            row = _require(await fetch_one(connection, "find_ingest", **find))
            files = await fetch_all(connection, "list_ingest_files", **find)
        return _ingest(row, files)

    async def file(self, tenant: UUID, file: UUID) -> tuple[Ingest, IngestFile] | None:
        """A file with the ingest it belongs to; None if it is gone."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_ingest_file", tenant=tenant, file=file)
            if row is None:
                return None
            find = {"tenant": tenant, "ingest": row["ingest_id"]}
            ingest = _require(await fetch_one(connection, "find_ingest", **find))
        return _ingest(ingest, [row]), _file(row)

    async def fetch(self, tenant: UUID, file: UUID, to: Path) -> None:
        """Writes a file's content to disk."""
        cell = await self._cells.for_tenant(tenant)
        with to.open("wb") as target:
            part = 0
            while True:
                async with cell.transaction(tenant) as connection:
                    find = {"tenant": tenant, "file": file, "part": part}
                    row = await fetch_one(connection, "read_file_part", **find)
                if row is None:
                    return
                target.write(row["content"])
                part += 1

    async def progress(
        self, tenant: UUID, file: UUID, state: FileState, counts: Mapping[str, int]
    ) -> bool:
        """Notes how far a file is; tells whether its ingest was cancelled."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(
                connection,
                "note_progress",
                tenant=tenant,
                file=file,
                state=state,
                now=self._clock.now(),
                **counts,
            )
        return row is None or bool(row["cancel_requested"])

    async def is_current(self, tenant: UUID, brought_by: DocumentSource) -> bool:
        """Whether a source's file is still the one that brings its item."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            find = asdict(brought_by)
            return (
                await fetch_one(connection, "find_current_item", tenant=tenant, **find) is not None
            )

    async def finish(self, tenant: UUID, file: UUID, state: FileState, error: str | None) -> None:
        """Ends a file and forgets its content."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            values = {"tenant": tenant, "file": file, "state": state, "error": error}
            await execute(connection, "finish_file", now=self._clock.now(), **values)
            await execute(connection, "drop_file_parts", tenant=tenant, file=file)
            over = await fetch_one(connection, "ingest_over", tenant=tenant, file=file)
            if over is not None:
                ingest = over["ingest_id"]
                await self._outbox.queue_event(connection, tenant, WebhookEvent.INGEST_DONE, ingest)

    async def cancel(self, tenant: UUID, ingest: UUID) -> None:
        """Asks for an ingest to be stopped. Raises NotFound."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            named = {"tenant": tenant, "ingest": ingest}
            _require(await fetch_one(connection, "cancel_ingest", **named))
            now = self._clock.now()
            rows = await fetch_all(connection, "cancel_received", **named, now=now)
            await self._drop_parts(connection, tenant, rows)

    async def remove_old(self, tenant: UUID, before: datetime, most: int) -> int:
        """Removes the progress of ingests that are over and began before; their documents stay."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await execute(
                connection, "drop_old_ingests", tenant=tenant, before=before, most=most
            )


def _ingest(row: Row, files: list[Row]) -> Ingest:
    return Ingest(
        id=row["ingest_id"],
        tenant=row["tenant_id"],
        collection=row["collection_id"],
        type=row["type"],
        cancelled=row["cancel_requested"],
        files=tuple(_file(file) for file in files),
        source=row["source_id"],
    )


def _file(row: Row) -> IngestFile:
    return IngestFile(
        id=row["file_id"],
        ingest=row["ingest_id"],
        name=row["name"],
        size=row["size"],
        state=FileState(row["state"]),
        documents=row["documents"],
        passages=row["passages"],
        stored=row["stored"],
        embedded=row["embedded"],
        removed=row["removed"],
        error=row["error"],
        media_type=row["media_type"],
    )


def _require(row: Row | None) -> Row:
    if row is None:
        raise NotFound("ingest")
    return row
