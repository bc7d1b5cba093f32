"""Background jobs of long-term memory."""

from uuid import UUID

from saegim.domain.scope import Scope
from saegim.jobs.types import Job, JobKind

EVERY_SECONDS = 7 * 24 * 60 * 60.0


def consolidate_job(tenant: UUID, profile: UUID) -> Job:
    """Build the weekly consolidation job of a profile."""
    return _job(JobKind.CONSOLIDATE, tenant, profile, profile, EVERY_SECONDS)


def synthesise_job(tenant: UUID, profile: UUID, delay: float = 0.0) -> Job:
    """Build the job that derives the memory of a profile again after a change."""
    return _job(JobKind.SYNTHESISE, tenant, profile, profile, delay)


def import_job(scope: Scope, identifier: UUID) -> Job:
    """Build an import job; one runs at a time for a user."""
    return _job(JobKind.IMPORT_MEMORIES, scope.tenant, identifier, scope.user)


def index_job(tenant: UUID, session: UUID, turn: UUID) -> Job:
    """Build the job that indexes the episode of a turn; one runs at a time in a session."""
    return _job(JobKind.INDEX_EPISODE, tenant, turn, session)


def extract_job(tenant: UUID, user: UUID, turn: UUID, delay: float = 0.0) -> Job:
    """Build the extraction job of a turn; one runs at a time for a user."""
    return _job(JobKind.EXTRACT, tenant, turn, user, delay)


def _job(kind: JobKind, tenant: UUID, subject: UUID, locked: UUID, delay: float = 0.0) -> Job:
    return Job(kind, tenant, subject, lock=f"{kind}:{tenant}:{locked}", delay_seconds=delay)
