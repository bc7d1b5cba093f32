"""Queues index updates for changed passages."""

from collections.abc import Sequence
from uuid import UUID

from saegim.db.cells import Connection, execute
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.library.jobs import index_lock, maintain_job


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
