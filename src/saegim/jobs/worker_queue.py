"""Procrastinate's job manager, extended: loses no notification and tracks running jobs."""

import contextlib
import logging
from collections.abc import Generator, Iterable
from datetime import datetime
from typing import LiteralString, cast

from procrastinate.connector import BaseConnector
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Notification, Status
from procrastinate.manager import JobManager, NotificationCallback

from saegim.db.pool import query
from saegim.jobs.types import MODEL_JOBS, JobKind

log = logging.getLogger(__name__)

# Procrastinate accepts only literal strings.
FETCH = cast("LiteralString", query("fetch_job").decode())
FETCH_WITHOUT_MODEL = cast("LiteralString", query("fetch_without_model").decode())
FETCH_WATCH = cast("LiteralString", query("fetch_watch").decode())
# The notification of a new job.
WOKEN: Notification = {"type": "job_inserted", "job_id": 0}


class WorkerQueue(JobManager):
    """Job manager of one worker.

    Runs at most `slots` jobs, and one more that watches a turn, because a user waits for it. Kinds
    that call a model leave one slot to the others: a model may hang for minutes."""

    def __init__(self, connector: BaseConnector, slots: int) -> None:
        super().__init__(connector)
        self.worker: int | None = None
        self.running_ids: set[int] = set()
        self._slots = slots
        self._most_with_model = max(1, slots - 1)
        self._others: set[int] = set()
        self._with_model: set[int] = set()
        self._wakes = 0
        self._wake: NotificationCallback | None = None

    async def register_worker(self) -> int:
        self.worker = await super().register_worker()
        return self.worker

    async def listen_for_jobs(
        self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        async def wake(*, channel: str, notification: Notification) -> None:
            self._wakes += 1
            await on_notification(channel=channel, notification=notification)

        self._wake = wake
        await super().listen_for_jobs(on_notification=wake, queues=queues)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """Fetches again if a notification arrived meanwhile, which the worker would lose."""
        assert queues is None, "there is one queue"
        while True:
            wakes = self._wakes
            try:
                rows = await self.connector.execute_query_all_async(self._next(), worker=worker_id)
            except UniqueViolation:
                continue  # another worker took a job of the same lock
            if rows:
                job = Job.from_row(rows[0])
                self.running_ids.add(rows[0]["id"])
                if job.task_name != JobKind.WATCH_TURN:
                    self._others.add(rows[0]["id"])
                if job.task_name in MODEL_JOBS:
                    self._with_model.add(rows[0]["id"])
                return job
            if wakes == self._wakes:
                return None

    def _next(self) -> LiteralString:
        """Return the query for the next job, by the slots that are free."""
        if len(self._others) >= self._slots:
            return FETCH_WATCH
        if len(self._with_model) >= self._most_with_model:
            return FETCH_WITHOUT_MODEL
        return FETCH

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        with self._ending(job):
            await super().finish_job(job, status, delete_job)
        await self._free(job)

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        with self._ending(job):
            await super().retry_job(job, retry_at, priority, queue, lock)
        await self._free(job)

    async def _free(self, job: Job) -> None:
        """Frees the slot of a job; wakes the worker if jobs were left waiting for it."""
        full = len(self._others) >= self._slots or len(self._with_model) >= self._most_with_model
        self._others.discard(job.id or 0)
        self._with_model.discard(job.id or 0)
        if full and self._wake is not None:
            await self._wake(channel="", notification=WOKEN)

    @contextlib.contextmanager
    def _ending(self, job: Job) -> Generator[None]:
        """Logs an end that cannot be recorded; the sweep recovers the job and runs it again."""
        assert job.id is not None, "it was fetched"
        try:
            yield
        except ConnectorException as error:
            cause = type(error.__cause__ or error).__name__
            log.warning("the end of job %s was not recorded: %s", job.id, cause)
        finally:
            self.running_ids.discard(job.id)
