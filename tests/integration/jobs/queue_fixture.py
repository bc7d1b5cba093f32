"""The line of jobs under test: real Postgres, workers with handlers of the test's own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

from saegim.db.cells import Cell, Row
from saegim.domain.ids import SystemClock
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind, WorkerTimes
from saegim.jobs.worker import Handler, Handlers, Worker

# What a test need not wait for. A worker that a busy machine does not run for seconds is not dead.
QUICK = WorkerTimes(
    connect_seconds=30.0,
    heartbeat_seconds=0.3,
    stalled_seconds=60.0,
    sweep_seconds=0.2,
    poll_seconds=5.0,
    grace_seconds=1.0,
    hand_back_seconds=30.0,
    attempts=3,
    first_pause_seconds=0.2,
)


# No poll comes while a test waits: a job that starts later than its worker was woken.
UNPOLLED = replace(QUICK, poll_seconds=3600)
# For a worker that is dead, or looks so.
TAKEN_OVER_SOON = replace(QUICK, stalled_seconds=1.5, hand_back_seconds=0.5)
# A worker that stops in this time waited for its grace, and not for its jobs, which run for longer.
LONGEST_STOP = 60.0


@dataclass
class Line:
    url: str
    cell: Cell
    queue: JobQueue = field(default_factory=lambda: JobQueue(SystemClock()))

    async def add(
        self,
        tenant: UUID | None = None,
        lock: str | None = None,
        subject: UUID | None = None,
        delay: float = 0.0,
        kind: JobKind = JobKind.INDEX_EPISODE,
    ) -> int:
        tenant = tenant or uuid4()
        async with self.cell.transaction(tenant) as connection:
            job = Job(kind, tenant, subject or uuid4(), lock, delay)
            return await self.queue.defer(connection, job)

    async def rows(self, sql: str, *values: object) -> list[Row]:
        async with self.cell.connection() as connection:
            return await (await connection.execute(sql.encode(), values)).fetchall()

    async def job(self, job: int) -> Row | None:
        """A job with its failure; None when it is done."""
        rows = await self.rows(
            "select job.*, failures, error, at as failed_at from procrastinate_jobs job "
            "left join job_failure on job_id = id where id = %s",
            job,
        )
        return rows[0] if rows else None

    async def waiting(self) -> int:
        rows = await self.rows(
            "select count(*) from procrastinate_jobs where status in ('todo', 'doing')"
        )
        return rows[0]["count"]

    async def fetch(self, worker: int) -> Row | None:
        """The first in line, as a worker gets it."""
        rows = await self.rows("select * from job_fetch(%s)", worker)
        return rows[0] if rows else None

    async def finish(self, job: int) -> None:
        await self.rows("select procrastinate_finish_job_v1(%s, 'succeeded', true)", job)

    async def register(self) -> int:
        return (await self.rows("select * from procrastinate_register_worker_v1()"))[0]["worker_id"]

    async def listening(self) -> bool:
        """Whether a worker hears wake-ups."""
        return await self._any_session("query like 'LISTEN %%' and state = 'idle'")

    async def blocked(self) -> bool:
        """Whether a session waits for a database lock."""
        return await self._any_session("wait_event_type = 'Lock'")

    async def unblocked(self) -> bool:
        return not await self.blocked()

    async def _any_session(self, condition: str) -> bool:
        sessions = "select pid from pg_stat_activity where datname = current_database() and "
        return bool(await self.rows(sessions + condition))

    def worker(self, handler: Handler, concurrency: int = 4, times: WorkerTimes = QUICK) -> Worker:
        """A worker whose handler runs every kind of job. `by_rule` is its fallback."""
        by_rule: Handler | None = getattr(handler, "by_rule", None)
        fallbacks = dict[JobKind, Handler]() if by_rule is None else dict.fromkeys(JobKind, by_rule)
        handlers = Handlers(dict.fromkeys(JobKind, handler), fallbacks)
        return Worker(self.url, self.cell, self.queue, handlers, concurrency, times)

    @contextlib.asynccontextmanager
    async def working(
        self, handler: Handler, concurrency: int = 4, times: WorkerTimes = QUICK
    ) -> AsyncIterator[Worker]:
        worker = self.worker(handler, concurrency, times)
        running = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            worker.stop()
            await asyncio.wait_for(running, times.grace_seconds + LONGEST_STOP)


@dataclass
class Runs:
    """A handler that notes what it was given, and when."""

    seconds: float = 0.0
    begun: list[tuple[UUID, UUID]] = field(default_factory=list)
    ended: list[tuple[UUID, UUID]] = field(default_factory=list)

    async def __call__(self, tenant: UUID, subject: UUID) -> None:
        self.begun.append((tenant, subject))
        await asyncio.sleep(self.seconds)
        self.ended.append((tenant, subject))


async def until(holds: Callable[[], Awaitable[bool]] | Callable[[], bool]) -> None:
    """Waits until something holds."""
    async with asyncio.timeout(120):
        while True:
            held = holds()
            if held if isinstance(held, bool) else await held:
                return
            await asyncio.sleep(0.02)
