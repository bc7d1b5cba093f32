"""The job that seals new audit events."""

from uuid import UUID

from saegim.jobs.types import Job, JobKind

SEAL_AFTER_SECONDS = 60.0


def seal_job(tenant: UUID) -> Job:
    """Return the job; only one runs at a time for each tenant."""
    lock = f"{JobKind.SEAL_AUDIT}:{tenant}"
    return Job(JobKind.SEAL_AUDIT, tenant, tenant, lock=lock, delay_seconds=SEAL_AFTER_SECONDS)
