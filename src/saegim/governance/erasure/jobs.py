"""The job that erases a user's data."""

from uuid import UUID

from saegim.jobs.types import Job, JobKind


def erase_job(tenant: UUID, erasure: UUID, delay: float = 0.0, lock: str | None = None) -> Job:
    """Return the job; only one runs at a time for each request, or for each lock."""
    lock = lock or f"{JobKind.ERASE}:{tenant}:{erasure}"
    return Job(JobKind.ERASE, tenant, erasure, lock=lock, delay_seconds=delay)
