"""Sources and their items in Postgres."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one, from_row
from saegim.domain import pending_audit_event
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock, new_id
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.quotas.repository import Quota, Quotas, require_room
from saegim.sources.types import (
    Bucket,
    CrawlLimits,
    FailingItem,
    Folder,
    Item,
    NewSource,
    Origin,
    RunCounts,
    Sitemap,
    Source,
    SourceKind,
    SourceStatus,
    UrlList,
)

FAILING_SHOWN = 20


def sync_job(tenant: UUID, source: UUID, delay_seconds: float = 0.0) -> Job:
    """Return the sync job of a source; only one runs at a time."""
    kind = JobKind.SYNC_SOURCE
    return Job(kind, tenant, source, lock=f"{kind}:{source}", delay_seconds=delay_seconds)


class PostgresSources:
    def __init__(
        self,
        cells: Cells,
        keyring: Keyring,
        jobs: JobQueue,
        clock: Clock,
        quotas: Quotas | None = None,
    ) -> None:
        self._cells = cells
        self._quotas = quotas or Quotas()
        self._keyring = keyring
        self._jobs = jobs
        self._clock = clock

    async def add(self, tenant: UUID, source: UUID, new: NewSource, collection: UUID) -> UUID:
        """Add a source with its first sync job, or return the id of the same one."""
        cipher = await self._keyring.tenant(tenant)
        config = asdict(new.origin)
        secret = config.pop("secret_key", None)
        same = {
            "tenant": tenant,
            "collection": collection,
            "kind": new.origin.kind,
            "config": Jsonb(config),
        }
        async with self._cells.transaction(tenant) as connection:
            existing = await fetch_one(connection, "find_same_source", **same)
            pending_audit_event.about(source if existing is None else existing["source_id"])
            if existing is not None:
                return existing["source_id"]
            await require_room(connection, tenant, self._quotas, Quota.SOURCES)
            await execute(
                connection,
                "add_source",
                **same,
                source=source,
                type=new.type,
                secret=None if secret is None else cipher.seal(secret, _secret_place(source)),
                every_seconds=new.every_seconds,
                limits=Jsonb(asdict(new.limits)),
                now=self._clock.now(),
            )
            await self._jobs.defer(connection, sync_job(tenant, source))
        return source

    async def status(self, tenant: UUID, source: UUID) -> SourceStatus:
        """A source with its counts. Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(connection, "list_sources", tenant=tenant, source=source)
            if row is None:
                raise NotFound("source")
            items = await fetch_all(
                connection, "failing_items", tenant=tenant, source=source, count=FAILING_SHOWN
            )
        return _status(row, tuple(FailingItem(each["key"], each["error"]) for each in items))

    async def all(self, tenant: UUID) -> Sequence[SourceStatus]:
        found = await self._cells.read(tenant, "list_sources", source=None)
        return [_status(row) for row in found]

    async def ask(self, tenant: UUID, source: UUID) -> None:
        """Queue a sync now. Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_source", tenant=tenant, source=source)
            if row is None or row["removing"]:
                raise NotFound("source")
            await self._jobs.defer_now(connection, sync_job(tenant, source))

    async def ask_removal(self, tenant: UUID, source: UUID) -> None:
        """Hide a source and queue the removal of its documents. Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            find = {"tenant": tenant, "source": source}
            if await fetch_one(connection, "mark_removing", **find) is None:
                raise NotFound("source")
            await self._jobs.defer_now(connection, sync_job(tenant, source))

    async def begin(self, tenant: UUID, source: UUID) -> Source | None:
        """Open or continue a run and queue the next; return None if the source is gone."""
        cipher = await self._keyring.tenant(tenant)
        find = {"tenant": tenant, "source": source}
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_source", **find)
            if row is None:
                return None
            if row["run_id"] is None and not row["removing"]:
                run = new_id(self._clock.now())
                row = await fetch_one(connection, "open_run", run=run, **find)
                assert row is not None, "the row is locked"
            if not row["removing"]:
                # Queued first, so that a failed sync is not the last one.
                job = sync_job(tenant, source, float(row["every_seconds"]))
                await self._jobs.defer_once(connection, job)
        sealed = row["secret"]
        secret = None if sealed is None else cipher.open(sealed, _secret_place(source))
        return _source(row, secret)

    async def go_on(self, source: Source) -> None:
        """Queue the rest of an open run."""
        async with self._cells.transaction(source.tenant) as connection:
            # Runs the waiting job now; it queues the next when it starts.
            await self._jobs.defer_now(connection, sync_job(source.tenant, source.id))

    async def seen(self, source: Source) -> set[str]:
        """Return the keys that this run has processed."""
        return {row["key"] for row in await self._read(source, "seen_items", run=source.run)}

    async def items(self, source: Source, keys: Collection[str]) -> Mapping[str, Item]:
        """Return what is known of items; failed ones are left out."""
        known = await self._read(source, "known_items", keys=list(keys))
        return {row["key"]: Item(**row) for row in known}

    async def claim(self, source: Source, key: str, file: UUID) -> None:
        """Record the file that brings an item; earlier files of it become void."""
        await self._execute(source, "claim_item", key=key, file=file)

    async def note(self, source: Source, items: Sequence[Item], counts: RunCounts) -> None:
        """Record processed items and add to the counts; their documents were seen now."""
        if not items:
            return
        transaction = self._cells.transaction(source.tenant)
        async with transaction as connection, connection.pipeline():
            for item in items:
                await execute(connection, "note_item", **_run(source), **asdict(item))
            keys = [item.key for item in items]
            now = self._clock.now()
            await execute(connection, "see_documents", **_find(source), keys=keys, now=now)
            await _count(connection, source, counts)

    async def note_fault(self, source: Source, key: str, error: str | None, *, gone: bool) -> None:
        """Record an item that failed or is gone; what is known of it stays."""
        async with self._cells.transaction(source.tenant) as connection:
            values = {"key": key, "gone": gone, "error": error}
            await execute(connection, "note_item_fault", **_run(source), **values)
            await _count(connection, source, RunCounts(listed=1, failed=int(not gone)))

    async def forget(self, source: Source, *, unseen: bool) -> bool:
        """Delete items that are gone or, with `unseen`, not seen by the run.

        Returns False, and deletes nothing, if none would be left."""
        async with self._cells.transaction(source.tenant) as connection:
            if await fetch_one(connection, "find_item_left", **_run(source)) is None:
                return False
            await execute(connection, "forget_items", **_run(source), unseen=unseen)
        return True

    async def forget_all(self, source: Source) -> None:
        """Delete all items of a source that is being removed."""
        await self._execute(source, "forget_all_items")

    async def left_over(self, source: Source, count: int) -> Sequence[UUID]:
        left_over = await self._read(source, "left_over_documents", count=count)
        return [row["document_id"] for row in left_over]

    async def count_removed(self, source: Source, documents: int) -> None:
        await self._execute(source, "count_in_run", **asdict(RunCounts(removed=documents)))

    async def finish(self, source: Source, error: str | None) -> None:
        await self._execute(source, "close_run", now=self._clock.now(), error=error)

    async def remove(self, source: Source) -> None:
        await self._execute(source, "remove_source")

    async def _read(self, source: Source, name: str, /, **values: object) -> list[Row]:
        return await self._cells.read(source.tenant, name, source=source.id, **values)

    async def _execute(self, source: Source, name: str, /, **values: object) -> None:
        await self._cells.run_query(source.tenant, name, source=source.id, **values)


async def _count(connection: Connection, source: Source, counts: RunCounts) -> None:
    await execute(connection, "count_in_run", **_find(source), **asdict(counts))


def _find(source: Source) -> dict[str, UUID]:
    return {"tenant": source.tenant, "source": source.id}


def _run(source: Source) -> dict[str, UUID | None]:
    return {"tenant": source.tenant, "source": source.id, "run": source.run}


def _secret_place(source: UUID) -> FieldLocation:
    return FieldLocation("source.secret", source)


def _origin(kind: SourceKind, config: dict[str, Any], secret: str | None) -> Origin:
    match kind:
        case SourceKind.FOLDER:
            return Folder(**config)
        case SourceKind.URLS:
            return UrlList(tuple(config["urls"]))
        case SourceKind.SITEMAP:
            return Sitemap(**config)
        case SourceKind.S3:
            return Bucket(**config, secret_key=secret or "")


def _source(row: Row, secret: str | None = None) -> Source:
    return from_row(
        Source,
        row,
        **{name: row[f"{name}_id"] for name in ("tenant", "collection", "run")},
        id=row["source_id"],
        origin=_origin(SourceKind(row["kind"]), row["config"], secret),
        limits=CrawlLimits(**row["limits"]),
        counts=from_row(RunCounts, row),
    )


def _status(row: Row, failing: tuple[FailingItem, ...] = ()) -> SourceStatus:
    return SourceStatus(_source(row), row["collection"], row["documents"], failing)
