"""Background jobs of the library."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from saegim.db.cells import Connection, execute
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind


def index_lock(tenant: UUID) -> str:
    """Return the lock that serialises all writes to a tenant's index."""
    return f"index:{tenant}"


# Deleted passages are hidden at once, purged by the next maintenance, and their old files deleted
# by the one after it: within a day.
EVERY_SECONDS = 8 * 60 * 60.0


def maintain_job(tenant: UUID) -> Job:
    """Return a tenant's next maintenance; the first document queues it, then it requeues itself."""
    kind = JobKind.MAINTAIN_INDEX
    return Job(kind, tenant, tenant, lock=index_lock(tenant), delay_seconds=EVERY_SECONDS)


async def queue_index_changes(
    connection: Connection, jobs: JobQueue, tenant: UUID, passages: Sequence[UUID]
) -> None:
    """Queue an index update of these passages in the same transaction."""
    if not passages:
        return
    values = {"tenant": tenant, "passages": list(passages)}
    await execute(connection, "note_index_change", **values)
    job = Job(JobKind.SYNC_INDEX, tenant, tenant, lock=index_lock(tenant))
    await jobs.defer_once(connection, job)
    await jobs.defer_once(connection, maintain_job(tenant))


BROKE_OFF_AFTER = timedelta(hours=1)


def sweep_job(tenant: UUID) -> Job:
    """Return the job that fails interrupted uploads; it requeues itself while there are uploads."""
    lock = f"{JobKind.SWEEP_UPLOADS}:{tenant}"
    delay = BROKE_OFF_AFTER.total_seconds()
    return Job(JobKind.SWEEP_UPLOADS, tenant, tenant, lock=lock, delay_seconds=delay)
