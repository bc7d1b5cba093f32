"""Background jobs of the library."""

from datetime import timedelta
from uuid import UUID

from saegim.jobs.types import Job, JobKind


def index_lock(tenant: UUID) -> str:
    """One writer of a tenant's index at a time, whatever it writes."""
    return f"index:{tenant}"


# What is deleted is hidden at once, rewritten away by the next round, and the files that readers
# might still hold go with the one after it: two rounds, with room to spare in a day.
EVERY_SECONDS = 8 * 60 * 60.0


def maintain_job(tenant: UUID) -> Job:
    """A tenant's next round. It begins with the first document and goes on by itself."""
    kind = JobKind.MAINTAIN_INDEX
    return Job(kind, tenant, tenant, lock=index_lock(tenant), delay_seconds=EVERY_SECONDS)


BROKE_OFF_AFTER = timedelta(hours=1)


def sweep_job(tenant: UUID) -> Job:
    """Looks for uploads that broke off; it comes back for as long as there are uploads."""
    lock = f"{JobKind.SWEEP_UPLOADS}:{tenant}"
    delay = BROKE_OFF_AFTER.total_seconds()
    return Job(JobKind.SWEEP_UPLOADS, tenant, tenant, lock=lock, delay_seconds=delay)
