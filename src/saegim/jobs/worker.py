"""The job worker: retries with backoff, recovery of jobs of dead workers, dead letters."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import psycopg
from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException, JobAborted
from procrastinate.jobs import Job as QueuedJob
from psycopg_pool import AsyncConnectionPool

from saegim.db.cells import Cell, Connection
from saegim.db.pool import reaching
from saegim.domain.errors import (
    ModelRefused,
    ModelUnavailable,
    StoreUnavailable,
    Unavailable,
    UserErased,
)
from saegim.jobs.queue import LOWEST_PRIORITY, JobQueue, Orphan
from saegim.jobs.types import JobKind, WorkerTimes
from saegim.jobs.worker_queue import WorkerQueue

log = logging.getLogger(__name__)

WORKER_LOST = "WorkerLost"


class Sweep:
    def __init__(self, cell: Cell, queue: JobQueue, times: WorkerTimes) -> None:
        self._cell = cell
        self._queue = queue
        self._times = times
        self._suspects: set[Orphan] = set()

    async def once(self, worker: int | None, running_ids: Collection[int]) -> None:
        """Runs one round for a worker that runs `running_ids`. Raises StoreUnavailable."""
        async with self._cell.connection() as connection:
            await self._queue.queue_due(connection)
            orphans = await self._queue.orphans(
                connection, self._times.stalled_seconds, worker, running_ids
            )
            # A job of this worker may be in transit: it is lost if it is an orphan twice.
            own = {orphan for orphan in orphans if orphan.worker == worker is not None}
            lost = set(orphans) - own | own & self._suspects
            self._suspects = own - lost
            for orphan in sorted(lost, key=lambda orphan: orphan.job):
                await self._take_over(connection, orphan)

    async def _take_over(self, connection: Connection, orphan: Orphan) -> None:
        """Runs a job again, at once the first time; after `attempts` lost workers it has failed."""
        async with connection.transaction():
            runs = await self._queue.claim(connection, orphan)
            if runs is None:
                return
            failures = await self._queue.note_failure(
                connection, orphan.job, WORKER_LOST, counts=True
            )
            assert failures is not None, "it is locked, so it is there"
            again = failures < self._times.attempts
            pause = 0.0 if failures == 1 else self._times.pause(orphan.job, runs)
            due = self._queue.due_in(pause) if again and pause else None
            await self._queue.release(connection, orphan.job, due, failed=not again)
        log.warning(
            "job %s of a dead worker %s", orphan.job, "runs again" if again else "is set aside"
        )


Handler = Callable[[UUID, UUID], Awaitable[object]]
OUTAGES = (StoreUnavailable, ConnectorException, psycopg.OperationalError, OSError)
# Connections beside one per job.
QUEUE_CONNECTIONS = 5
RECONNECT_SECONDS = 1.0
CLOSE_SECONDS = 0.5


class JobPostponed(Exception):
    """A job failed and is retried at `due`."""

    def __init__(self, due: datetime) -> None:
        super().__init__("the job waits for its next attempt")
        self.due = due


class AttemptsExhausted(Exception):
    """A job used up its attempts. Has no message of its last error, which may have content."""


class RetryPolicy(BaseRetryStrategy):
    """Interrupted jobs keep their priority; failed ones wait with the lowest."""

    def __init__(self, outage_over: Callable[[], datetime]) -> None:
        self._outage_over = outage_over

    def get_retry_decision(
        self,
        *,
        exception: BaseException,
        job: QueuedJob,  # noqa: ARG002 - the signature is Procrastinate's
    ) -> RetryDecision | None:
        match exception:
            case JobAborted() | asyncio.CancelledError():
                return RetryDecision()
            case JobPostponed():
                return RetryDecision(retry_at=exception.due, priority=LOWEST_PRIORITY)
            case StoreUnavailable():
                return RetryDecision(retry_at=self._outage_over(), priority=LOWEST_PRIORITY)
            case _:
                return None


@dataclass(frozen=True, slots=True)
class Handlers:
    """Handlers of each kind of job, and rule-based fallbacks for a failed model. Those in
    `given_up` record that a job became a dead letter."""

    jobs: Mapping[JobKind, Handler]
    by_rule: Mapping[JobKind, Handler] = field(default_factory=dict[JobKind, Handler])
    given_up: Mapping[JobKind, Handler] = field(default_factory=dict[JobKind, Handler])


class Worker:
    """A worker of one cell. It uses LISTEN, so it must not connect through a pooler."""

    def __init__(
        self,
        url: str,
        cell: Cell,
        queue: JobQueue,
        handlers: Handlers,
        concurrency: int = 4,
        times: WorkerTimes | None = None,
    ) -> None:
        self._url = url
        self._cell = cell
        self._queue = queue
        self._handlers = handlers
        self._concurrency = concurrency
        self._times = times or WorkerTimes()
        self._stopping = asyncio.Event()
        self._holding: WorkerQueue | None = None

    def stop(self) -> None:
        """Stops fetching, waits for running jobs for a grace period, and hands back the rest."""
        self._stopping.set()

    async def run(self) -> None:
        """Runs until it is stopped; reconnects after outages of Postgres."""
        async with asyncio.TaskGroup() as parts:
            sweeping = parts.create_task(self._sweep())
            while not self._stopping.is_set():
                try:
                    await self._work()
                except OUTAGES as outage:
                    log.warning("the job queue does not answer: %s", type(outage).__name__)
                await self._rest(RECONNECT_SECONDS)
            sweeping.cancel()

    async def _work(self) -> None:
        """Runs jobs until it is stopped or the connection is lost."""
        async with self._connected() as app:
            working = asyncio.create_task(
                app.run_worker_async(
                    concurrency=self._concurrency + 1,
                    delete_jobs="successful",
                    fetch_job_polling_interval=self._times.poll_seconds,
                    shutdown_graceful_timeout=self._times.grace_seconds,
                    update_heartbeat_interval=self._times.heartbeat_seconds,
                    stalled_worker_timeout=self._times.stalled_seconds,
                    install_signal_handlers=False,
                )
            )
            stopped = asyncio.create_task(self._stopping.wait())
            try:
                await asyncio.wait({working, stopped}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stopped.cancel()
                working.cancel()
                longest = self._times.grace_seconds + self._times.hand_back_seconds
                await asyncio.wait({working}, timeout=longest)
            if not working.done():
                log.error("running jobs do not stop; another worker takes them over")
            elif not working.cancelled():
                working.result()

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[App]:
        pool = AsyncConnectionPool(
            self._url,
            min_size=1,
            max_size=self._concurrency + QUEUE_CONNECTIONS,
            timeout=self._times.connect_seconds,
            reconnect_timeout=self._times.connect_seconds,
            check=AsyncConnectionPool.check_connection,
            open=False,
            kwargs=reaching(),
        )
        app = App(connector=PsycopgConnector())
        self._holding = app.job_manager = WorkerQueue(app.connector, self._concurrency)
        strategy = RetryPolicy(lambda: self._queue.due_in(self._times.first_pause_seconds))
        for kind, handler in self._handlers.jobs.items():
            app.task(name=kind, retry=strategy, pass_context=True)(self._task(kind, handler))
        try:
            await pool.open(wait=True, timeout=self._times.connect_seconds)
            async with app.open_async(pool):
                yield app
        finally:
            await pool.close(CLOSE_SECONDS)

    async def _sweep(self) -> None:
        sweep = Sweep(self._cell, self._queue, self._times)
        while True:
            await asyncio.sleep(self._times.sweep_seconds)
            try:
                if self._holding is not None:
                    await sweep.once(self._holding.worker, self._holding.running_ids)
            except (StoreUnavailable, psycopg.Error) as error:
                log.warning("jobs could not be looked after: %s", type(error).__name__)

    async def _rest(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    def _task(self, kind: JobKind, handler: Handler) -> Callable[..., Awaitable[None]]:
        async def run(context: JobContext, *, tenant: str, subject: str) -> None:
            try:
                async with asyncio.timeout(self._times.longest_job_seconds):
                    await handler(UUID(tenant), UUID(subject))
            except UserErased:
                log.info("%s %s is of somebody who was erased", kind, subject)
            except (Exception, asyncio.CancelledError) as error:
                if context.should_abort():
                    raise JobAborted from None
                log.warning("%s %s failed", kind, subject, exc_info=error)
                verdict = await self._next_attempt(context.job, error)
                by_rule = self._by_rule(kind, context.job, error, verdict)
                if by_rule is None:
                    given_up = self._handlers.given_up.get(kind)
                    if given_up and isinstance(verdict, AttemptsExhausted):
                        await given_up(UUID(tenant), UUID(subject))
                    raise verdict from None
                log.warning("%s %s is done by rule", kind, subject)
                await by_rule(UUID(tenant), UUID(subject))

        return run

    async def _next_attempt(
        self, job: QueuedJob, error: BaseException
    ) -> JobPostponed | AttemptsExhausted:
        """Records a failure and returns what to raise. Outages do not count as failures, up to
        `outage_runs`."""
        assert job.id is not None, "it was fetched"
        name, lasting = type(error).__name__, is_lasting(error)
        endless = job.attempts + 1 >= self._times.outage_runs
        async with self._cell.connection() as connection:
            failures = await self._queue.note_failure(
                connection, job.id, name, counts=lasting or endless
            )
        if failures is None or endless or (lasting and failures >= self._times.attempts):
            return AttemptsExhausted(name)
        return JobPostponed(self._queue.due_in(self._times.pause(job.id, job.attempts)))

    def _by_rule(
        self,
        kind: JobKind,
        job: QueuedJob,
        error: BaseException,
        verdict: JobPostponed | AttemptsExhausted,
    ) -> Handler | None:
        """Returns the rule-based fallback, once the model has failed often enough."""
        often = job.attempts + 1 >= self._times.fallback_runs
        if not isinstance(error, ModelUnavailable) or not (
            often or isinstance(verdict, AttemptsExhausted)
        ):
            return None
        return self._handlers.by_rule.get(kind)


def is_lasting(error: BaseException) -> bool:
    """Whether a retry would likely fail, too; outages are temporary."""
    return isinstance(error, ModelRefused) or not isinstance(error, Unavailable)
