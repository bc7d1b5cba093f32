"""Switches the index that serves searches, and drops the one before later."""

from datetime import timedelta
from uuid import UUID

from saegim.db.cells import Connection, execute, fetch_one
from saegim.domain.ids import Clock
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.index_ports import IndexPointer
from saegim.library.jobs import index_lock

# Extra delay, so that the old index is past its retention when the job runs.
_MARGIN_SECONDS = 1.0


class ActiveIndex:
    """Switches index pointers within a transaction; the old index is dropped after `keep`."""

    def __init__(self, jobs: JobQueue, clock: Clock, keep: timedelta) -> None:
        self._jobs = jobs
        self._clock = clock
        self.keep = keep

    async def switch(
        self, connection: Connection, tenant: UUID, subject: str, pointer: IndexPointer
    ) -> None:
        """Let another index serve searches, and queue the removal of the one before."""
        values = {"tenant": tenant, "subject": subject, "now": self._clock.now()}
        await execute(connection, "retire_index", **values)
        await execute(
            connection,
            "point_at_index",
            **values,
            generation=pointer.generation,
            embedder=pointer.embedder,
            dimensions=pointer.dimensions,
        )
        delay = self.keep.total_seconds() + _MARGIN_SECONDS
        lock = index_lock(tenant)
        job = Job(JobKind.DROP_INDEX, tenant, tenant, lock=lock, delay_seconds=delay)
        await self._jobs.defer(connection, job)


async def active_embedder(connection: Connection, tenant: UUID, subject: str) -> str:
    """Return the embedder of a tenant's index and lock it until the transaction ends."""
    row = await fetch_one(connection, "lock_index_state", tenant=tenant, subject=subject)
    assert row is not None, "a tenant is created with its index state"
    return str(row["embedder"])
