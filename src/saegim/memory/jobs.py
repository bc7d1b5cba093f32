"""Background jobs of long-term memory."""

from uuid import UUID

from saegim.conversations.types import Turn
from saegim.domain.scope import Scope
from saegim.jobs.types import Job, JobKind

EVERY_SECONDS = 7 * 24 * 60 * 60.0


def consolidate_job(tenant: UUID, profile: UUID) -> Job:
    """A memory's next consolidation: it begins with the first record and goes on by itself."""
    return Job(
        JobKind.CONSOLIDATE,
        tenant,
        profile,
        lock=f"{JobKind.CONSOLIDATE}:{tenant}:{profile}",
        delay_seconds=EVERY_SECONDS,
    )


def import_job(scope: Scope, identifier: UUID) -> Job:
    """One import of a person at a time."""
    lock = f"{JobKind.IMPORT_MEMORIES}:{scope.tenant}:{scope.user}"
    return Job(JobKind.IMPORT_MEMORIES, scope.tenant, identifier, lock=lock)


def index_job(tenant: UUID, session: UUID, turn: UUID) -> Job:
    """The job that makes the episode which ends with a turn; one at a time in a session."""
    kind = JobKind.INDEX_EPISODE
    return Job(kind, tenant, turn, lock=f"{kind}:{tenant}:{session}")


def extract_job(turn: Turn) -> Job:
    """The job of a recorded turn; its lock keeps a person's statements one after the other."""
    tenant, user = turn.scope.tenant, turn.scope.user
    return Job(JobKind.EXTRACT, tenant, turn.id, lock=f"{JobKind.EXTRACT}:{tenant}:{user}")
