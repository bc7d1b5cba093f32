"""The job that removes a tenant's expired data."""

from uuid import UUID

from saegim.jobs.types import Job, JobKind

EVERY_SECONDS = 24 * 60 * 60.0


def clean_up_job(tenant: UUID) -> Job:
    """A tenant's next clean-up. Tenants cannot be listed from inside the fence between them, so
    there is no job for all: each tenant's begins with its first session or ingest and goes on by
    itself."""
    return Job(
        JobKind.CLEAN_UP,
        tenant,
        tenant,
        lock=f"{JobKind.CLEAN_UP}:{tenant}",
        delay_seconds=EVERY_SECONDS,
    )
