"""Background jobs of long-term memory."""

from uuid import UUID

from saegim.conversations.types import Turn
from saegim.domain.scope import Scope
from saegim.jobs.types import Job, JobKind

EVERY_SECONDS = 7 * 24 * 60 * 60.0


def consolidate_job(tenant: UUID, profile: UUID) -> Job:
    """Build the weekly consolidation job of a profile."""
    return Job(
        JobKind.CONSOLIDATE,
        tenant,
        profile,
        lock=f"{JobKind.CONSOLIDATE}:{tenant}:{profile}",
        delay_seconds=EVERY_SECONDS,
    )


def import_job(scope: Scope, identifier: UUID) -> Job:
    """Build an import job; one runs at a time for a user."""
    lock = f"{JobKind.IMPORT_MEMORIES}:{scope.tenant}:{scope.user}"
    return Job(JobKind.IMPORT_MEMORIES, scope.tenant, identifier, lock=lock)


def index_job(tenant: UUID, session: UUID, turn: UUID) -> Job:
    """Build the job that indexes the episode of a turn; one runs at a time in a session."""
    kind = JobKind.INDEX_EPISODE
    return Job(kind, tenant, turn, lock=f"{kind}:{tenant}:{session}")


def extract_job(turn: Turn) -> Job:
    """Build the extraction job of a turn; one runs at a time for a user."""
    tenant, user = turn.scope.tenant, turn.scope.user
    return Job(JobKind.EXTRACT, tenant, turn.id, lock=f"{JobKind.EXTRACT}:{tenant}:{user}")
