"""Index state in Postgres: which build serves, pending changes, rebuild progress, upkeep jobs."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from uuid import UUID

from saegim.auth.repository import LIBRARY_INDEX
from saegim.db.cells import Cells, Connection, execute, fetch_all
from saegim.db.pool import query
from saegim.domain.ids import Clock
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library import rows
from saegim.library.active_index import ActiveIndex
from saegim.library.index_ports import Build, Changes, IndexPointer, IndexSource
from saegim.library.jobs import index_lock, maintain_job, queue_index_changes


class PostgresIndexState:
    def __init__(self, cells: Cells, jobs: JobQueue, clock: Clock, active: ActiveIndex) -> None:
        self._cells = cells
        self._jobs = jobs
        self._clock = clock
        self._active = active

    async def pointer(self, tenant: UUID) -> IndexPointer:
        """Return the build of the index that serves searches."""
        [row] = await self._cells.read(tenant, "find_index_state", subject=LIBRARY_INDEX)
        return rows.pointer(row)

    async def changes(self, tenant: UUID, embedder: str, count: int) -> Changes | None:
        """Return the oldest changes that are not in the index yet; None if there are none."""
        async with self._cells.transaction(tenant) as connection:
            oldest = await fetch_all(connection, "oldest_index_changes", tenant=tenant, count=count)
            if not oldest:
                return None
            changed = {row["passage_id"] for row in oldest}
            put = await self._sources(connection, tenant, embedder, changed)
        present = {source.place.passage.id for source in put}
        return Changes(put, changed - present, [row["change_id"] for row in oldest])

    async def followed(self, tenant: UUID, changes: Changes) -> None:
        """Delete changes that are in the index."""
        await self._cells.run_query(tenant, "forget_index_changes", changes=list(changes.ids))

    async def sources(
        self, tenant: UUID, embedder: str, after: UUID, count: int
    ) -> tuple[list[IndexSource], UUID | None]:
        """Return a page of all passages in the order of their ids, and its last id, if any."""
        async with self._cells.transaction(tenant) as connection:
            page = {"after": after, "count": count}
            found = await fetch_all(connection, "next_passages", tenant=tenant, **page)
            passages = [row["passage_id"] for row in found]
            sources = await self._sources(connection, tenant, embedder, passages)
        return sources, passages[-1] if passages else None

    async def sources_of(
        self, tenant: UUID, embedder: str, passages: Collection[UUID]
    ) -> Sequence[IndexSource]:
        """Return the passages that have a vector of this embedder."""
        async with self._cells.transaction(tenant) as connection:
            return await self._sources(connection, tenant, embedder, passages)

    async def note_missing(self, tenant: UUID, passages: Collection[UUID]) -> int:
        """Queue passages for the index as if they had changed; return how many."""
        async with self._cells.transaction(tenant) as connection:
            await queue_index_changes(connection, self._jobs, tenant, sorted(passages))
        return len(passages)

    async def build(self, tenant: UUID) -> Build | None:
        """Return the rebuild in progress."""
        found = await self._cells.read(tenant, "find_index_build")
        return (
            Build(rows.pointer(found[0]), found[0]["after"], found[0]["passages"])
            if found
            else None
        )

    async def new_generation(self, tenant: UUID) -> int:
        """Return a number that no build of the tenant has used."""
        [row] = await self._cells.read(tenant, "newest_generation", subject=LIBRARY_INDEX)
        return int(row["newest"]) + 1

    async def keep_build(self, tenant: UUID, build: Build) -> None:
        """Save the progress of a rebuild, replacing any other."""
        values = asdict(build.pointer) | {"after": build.after, "passages": build.passages}
        await self._cells.run_query(tenant, "save_index_build", now=self._clock.now(), **values)

    async def point_at(self, tenant: UUID, pointer: IndexPointer) -> None:
        """Let another build serve searches; the one before is dropped later."""
        async with self._cells.transaction(tenant) as connection:
            await self._active.switch(connection, tenant, LIBRARY_INDEX, pointer)
            await execute(connection, "forget_index_build", tenant=tenant)

    async def maintain_later(self, tenant: UUID) -> None:
        """Queue the tenant's next maintenance, unless one is queued already."""
        async with self._cells.transaction(tenant) as connection:
            await self._jobs.defer_once(connection, maintain_job(tenant))

    async def maintain_now(self, tenant: UUID) -> None:
        """Queue the tenant's next maintenance to run at once."""
        async with self._cells.transaction(tenant) as connection:
            await self._jobs.defer_now(connection, replace(maintain_job(tenant), delay_seconds=0.0))

    async def continue_build(self, tenant: UUID, build: Build) -> None:
        """Queue the rest of a rebuild behind the jobs that wait for the index."""
        job = Job(JobKind.REBUILD_INDEX, tenant, build.id, lock=index_lock(tenant))
        async with self._cells.transaction(tenant) as connection:
            await self._jobs.defer(connection, job)

    async def _sources(
        self, connection: Connection, tenant: UUID, embedder: str, passages: Collection[UUID]
    ) -> list[IndexSource]:
        values = {"tenant": tenant, "embedder": embedder, "passages": list(passages)}
        # Binary vectors: parsing them as text dominates a rebuild.
        cursor = await connection.execute(query("index_sources"), values, binary=True)
        return [IndexSource(rows.place(row), row["vector"]) for row in await cursor.fetchall()]
