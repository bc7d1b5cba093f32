"""The job queue in Postgres: jobs are queued in the transaction of their data."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from saegim.db.cells import Cells, Connection, execute, fetch_all, fetch_one
from saegim.domain.ids import Clock
from saegim.jobs.types import Job, JobKind

# Below every priority of `next_job_priority`: scheduled jobs block neither their lock nor fetches.
LOWEST_PRIORITY = -2_147_483_647
PLACED_AT_ONCE = 1_000
# A user waits for these, so they skip the other jobs of their tenant.
URGENT = (JobKind.WATCH_TURN, JobKind.ERASE)


@dataclass(frozen=True, slots=True)
class Orphan:
    """A job that is marked as running, but no worker runs it."""

    job: int
    worker: int | None


class JobQueue:
    """Queues jobs. Arguments are IDs: workers of all tenants can read them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def due_in(self, seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=seconds)

    async def defer(self, connection: Connection, job: Job) -> int:
        """Queues a job in the transaction, with a priority that is fair among tenants."""
        row = await fetch_one(connection, "defer_job", **self._deferred(job))
        assert row is not None, "an insert returns its id"
        return int(row["id"])

    async def defer_all(self, connection: Connection, jobs: Sequence[Job]) -> None:
        """Queues several jobs; in a pipeline, in one round trip."""
        for job in jobs:
            await execute(connection, "defer_job", **self._deferred(job))

    def _deferred(self, job: Job) -> dict[str, object]:
        return {
            "kind": str(job.kind),
            "tenant": job.tenant,
            "subject": job.subject,
            "lock": job.lock,
            "due": self.due_in(job.delay_seconds) if job.delay_seconds > 0 else None,
            "last": LOWEST_PRIORITY,
        }

    async def defer_once(self, connection: Connection, job: Job) -> None:
        """Queues a job unless one of its kind and lock is pending.

        The pending job is locked, so that it starts after the transaction and sees its changes."""
        if await self._waiting(connection, job) is None:
            await self.defer(connection, job)

    async def defer_now(self, connection: Connection, job: Job) -> None:
        """Runs the pending job of this kind and lock now; queues one if there is none."""
        waiting = await self._waiting(connection, job)
        if waiting is None:
            await self.defer(connection, job)
        else:
            await self.run_now(connection, job.tenant, waiting)

    async def _waiting(self, connection: Connection, job: Job) -> int | None:
        values = {"tenant": job.tenant, "lock": job.lock, "kind": str(job.kind)}
        row = await fetch_one(connection, "lock_pending", **values)
        return None if row is None else int(row["id"])

    async def drop(self, connection: Connection, tenant: UUID, job: int | None) -> None:
        """Deletes a waiting job."""
        await execute(connection, "drop_watch", tenant=tenant, job=job)

    async def run_now(self, connection: Connection, tenant: UUID, job: int | None) -> None:
        """Runs a scheduled job now."""
        await execute(connection, "hasten_watch", tenant=tenant, job=job)

    async def queue_due(self, connection: Connection) -> int:
        """Gives due scheduled jobs their priority; returns their number."""
        values = {"most": PLACED_AT_ONCE, "urgent": [str(kind) for kind in URGENT]}
        return await execute(connection, "place_due_jobs", **values)

    async def note_failure(
        self, connection: Connection, job: int, error: str, *, counts: bool
    ) -> int | None:
        """Records an error; returns the number of failures, None if the job is gone."""
        values = {"job": job, "error": error, "count": int(counts), "now": self._clock.now()}
        row = await fetch_one(connection, "note_failure", **values)
        return None if row is None else int(row["failures"])

    async def orphans(
        self,
        connection: Connection,
        silent_seconds: float,
        worker: int | None,
        running_ids: Collection[int],
    ) -> list[Orphan]:
        """Lists jobs of dead or silent workers, and of `worker`, without those that it runs."""
        values = {"silent": silent_seconds, "worker": worker, "running": list(running_ids)}
        rows = await fetch_all(connection, "find_orphans", **values)
        return [Orphan(row["id"], row["worker_id"]) for row in rows]

    async def claim(self, connection: Connection, orphan: Orphan) -> int | None:
        """Locks an orphan; returns its attempts, None if it is no longer one."""
        row = await fetch_one(connection, "lock_orphan", job=orphan.job, worker=orphan.worker)
        return None if row is None else int(row["attempts"])

    async def release(
        self, connection: Connection, job: int, due: datetime | None, *, failed: bool
    ) -> None:
        """Ends a lost run: the job waits again, or until `due`, or has failed."""
        values = {
            "job": job,
            "status": "failed" if failed else "todo",
            "due": due,
            "priority": None if due is None else LOWEST_PRIORITY,
        }
        await execute(connection, "release_orphan", **values)


EVERY_SECONDS = 24 * 60 * 60.0


def clean_up_job(tenant: UUID) -> Job:
    """Returns the next clean-up of a tenant. Row-level security hides the list of tenants, so each
    tenant has its own job, which queues the next one."""
    return exclusive_job(JobKind.CLEAN_UP, tenant, delay=EVERY_SECONDS)


def exclusive_job(
    kind: JobKind, tenant: UUID, subject: UUID | None = None, delay: float = 0.0
) -> Job:
    """Return a job of a tenant, or of one subject; only one of them runs at a time."""
    lock = f"{kind}:{tenant}" if subject is None else f"{kind}:{tenant}:{subject}"
    return Job(kind, tenant, subject or tenant, lock, delay)


@dataclass(frozen=True, slots=True)
class FailedJob:
    """A job whose retries are exhausted. `error` is the class of its last error."""

    id: int
    kind: str
    failures: int
    error: str
    failed_at: datetime


@dataclass(frozen=True, slots=True)
class JobBacklog:
    """Jobs of a tenant; `lag_seconds` is the age of the oldest waiting job."""

    waiting: int
    running: int
    lag_seconds: float
    failed: Sequence[FailedJob]


class PostgresBackground:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def backlog(self, tenant: UUID, most: int) -> JobBacklog:
        """Counts waiting and running jobs, and lists failed ones, newest first."""
        async with self._cells.transaction(tenant) as connection:
            counted = await fetch_one(connection, "count_backlog", tenant=tenant)
            failed = await fetch_all(connection, "list_failed", tenant=tenant, most=most)
        return JobBacklog(**(counted or {}), failed=tuple(FailedJob(**row) for row in failed))

    async def replay(self, tenant: UUID, job: int) -> bool:
        """Queues a failed job again; returns False if the tenant has no such job."""
        return bool(await self._cells.fetch_all(tenant, "replay_own_job", job=job))
