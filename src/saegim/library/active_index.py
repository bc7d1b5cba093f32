"""Which index serves, and what becomes of the one before."""

from datetime import timedelta
from uuid import UUID

from saegim.db.cells import Connection, execute, fetch_one
from saegim.domain.ids import Clock
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.index_ports import IndexPointer
from saegim.library.jobs import index_lock

# A moment more, so that the job finds what it is to drop old enough.
_AND_A_MOMENT = 1.0


class ActiveIndex:
    """Switches pointers within a transaction; what served before is dropped after `keep`."""

    def __init__(self, jobs: JobQueue, clock: Clock, keep: timedelta) -> None:
        self._jobs = jobs
        self._clock = clock
        self.keep = keep

    async def switch(
        self, connection: Connection, tenant: UUID, subject: str, pointer: IndexPointer
    ) -> None:
        """Lets another index serve, and queues the end of the one before."""
        named = {"tenant": tenant, "subject": subject, "now": self._clock.now()}
        await execute(connection, "retire_index", **named)
        await execute(
            connection,
            "point_at_index",
            **named,
            generation=pointer.generation,
            embedder=pointer.embedder,
            dimensions=pointer.dimensions,
        )
        delay = self.keep.total_seconds() + _AND_A_MOMENT
        lock = index_lock(tenant)
        job = Job(JobKind.DROP_INDEX, tenant, tenant, lock=lock, delay_seconds=delay)
        await self._jobs.defer(connection, job)


async def active_embedder(connection: Connection, tenant: UUID, subject: str) -> str:
    """The embedder of a tenant's index, which does not change before the transaction ends."""
    row = await fetch_one(connection, "lock_index_state", tenant=tenant, subject=subject)
    assert row is not None, "a tenant is made with its index state"
    return str(row["embedder"])
