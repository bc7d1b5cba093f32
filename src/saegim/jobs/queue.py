"""Jobs on Postgres: deferred in the transaction of the data they belong to."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from saegim.db.cells import Connection, execute, fetch_all, fetch_one
from saegim.domain.ids import Clock
from saegim.jobs.types import Job, JobKind

# Below every place that `job_place` gives: a job that waits for its time is not in the way of the
# jobs of its lock, nor of the workers that look for the first in line.
LOWEST_PRIORITY = -2_147_483_647
PLACED_AT_ONCE = 1_000
# Someone waits for these, so they do not stand behind the jobs of their own tenant.
URGENT = (JobKind.WATCH_TURN,)


@dataclass(frozen=True, slots=True)
class Orphan:
    """A job that is marked as running while nobody runs it."""

    job: int
    worker: int | None


class JobQueue:
    """Puts jobs in line. Arguments are ids: any tenant's worker may read them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def due_in(self, seconds: float) -> datetime:
        return self._clock.now() + timedelta(seconds=seconds)

    async def defer(self, connection: Connection, job: Job) -> int:
        """Adds a job to the caller's transaction, fairly placed among the tenants' jobs."""
        row = await fetch_one(connection, "defer_job", **self._deferred(job))
        assert row is not None, "an insert returns its id"
        return int(row["id"])

    async def defer_all(self, connection: Connection, jobs: Sequence[Job]) -> None:
        """The same for several whose ids nobody asks for; in a pipeline they go out together."""
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
        """Adds a job to the caller's transaction, unless one of its kind and lock waits already.

        A waiting one is held until the transaction ends, so that it starts after it and sees it;
        one that a worker takes at this moment may not, and does not count."""
        if await self._waiting(connection, job) is None:
            await self.defer(connection, job)

    async def defer_now(self, connection: Connection, job: Job) -> None:
        """Lets the job that waits for its time run at once; adds one where none waits."""
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
        """Takes a waiting job out of line."""
        await execute(connection, "drop_watch", tenant=tenant, job=job)

    async def run_now(self, connection: Connection, tenant: UUID, job: int | None) -> None:
        """Lets a scheduled job run now."""
        await execute(connection, "hasten_watch", tenant=tenant, job=job)

    async def queue_due(self, connection: Connection) -> int:
        """Gives scheduled jobs whose time has come their place in line; tells how many."""
        values = {"most": PLACED_AT_ONCE, "urgent": [str(kind) for kind in URGENT]}
        return await execute(connection, "place_due_jobs", **values)

    async def note_failure(
        self, connection: Connection, job: int, error: str, *, counts: bool
    ) -> int | None:
        """Keeps the kind of error; tells how often the job failed, None if it is gone."""
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
        """Jobs whose worker is gone or silent, and those of `worker` that it does not hold."""
        values = {"silent": silent_seconds, "worker": worker, "running": list(running_ids)}
        rows = await fetch_all(connection, "find_orphans", **values)
        return [Orphan(row["id"], row["worker_id"]) for row in rows]

    async def claim(self, connection: Connection, orphan: Orphan) -> int | None:
        """Locks an orphan for the transaction; tells its runs, None if it is one no more."""
        row = await fetch_one(connection, "lock_orphan", job=orphan.job, worker=orphan.worker)
        return None if row is None else int(row["attempts"])

    async def release(
        self, connection: Connection, job: int, due: datetime | None, *, failed: bool
    ) -> None:
        """Ends a lost run: the job waits again, at its place or until `due`, or is set aside."""
        values = {
            "job": job,
            "status": "failed" if failed else "todo",
            "due": due,
            "priority": None if due is None else LOWEST_PRIORITY,
        }
        await execute(connection, "release_orphan", **values)


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
