"""When the index of a tenant is looked after, and when a rebuild goes on."""

from dataclasses import replace
from uuid import UUID

from saegim.db.cells import Cells
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.index_ports import Build
from saegim.library.jobs import index_lock, maintain_job


class IndexSchedule:
    def __init__(self, cells: Cells, jobs: JobQueue) -> None:
        self._cells = cells
        self._jobs = jobs

    async def maintain_later(self, tenant: UUID) -> None:
        """Queues the tenant's next round of maintenance, unless one waits already."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await self._jobs.defer_once(connection, maintain_job(tenant))

    async def maintain_now(self, tenant: UUID) -> None:
        """Queues the tenant's next round of maintenance to run at once."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await self._jobs.defer_now(connection, replace(maintain_job(tenant), delay_seconds=0.0))

    async def go_on(self, tenant: UUID, build: Build) -> None:
        """Queues the rest of a rebuild behind whatever waits for the index."""
        job = Job(JobKind.REBUILD_INDEX, tenant, build.id, lock=index_lock(tenant))
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await self._jobs.defer(connection, job)
