"""Background jobs of the library."""

from datetime import timedelta
from uuid import UUID

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


BROKE_OFF_AFTER = timedelta(hours=1)


def sweep_job(tenant: UUID) -> Job:
    """Return the job that fails interrupted uploads; it requeues itself while there are uploads."""
    lock = f"{JobKind.SWEEP_UPLOADS}:{tenant}"
    delay = BROKE_OFF_AFTER.total_seconds()
    return Job(JobKind.SWEEP_UPLOADS, tenant, tenant, lock=lock, delay_seconds=delay)
