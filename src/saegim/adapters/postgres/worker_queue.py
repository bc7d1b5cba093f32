"""Procrastinate's view of the queue, watched more closely: no wake-up is lost, and what a worker
holds is known."""

import contextlib
import logging
from collections.abc import Generator, Iterable
from datetime import datetime
from typing import LiteralString, cast

from procrastinate.connector import BaseConnector
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Notification, Status
from procrastinate.manager import JobManager, NotificationCallback

from saegim.adapters.postgres.queries import query

log = logging.getLogger(__name__)

# Procrastinate takes only text that cannot come from a user.
FETCH = cast("LiteralString", query("fetch_job").decode())


class WorkerQueue(JobManager):
    """What one run of a worker fetches and ends."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self.worker: int | None = None
        self.held: set[int] = set()
        self._wakes = 0

    async def register_worker(self) -> int:
        self.worker = await super().register_worker()
        return self.worker

    async def listen_for_jobs(
        self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        async def wake(*, channel: str, notification: Notification) -> None:
            self._wakes += 1
            await on_notification(channel=channel, notification=notification)

        await super().listen_for_jobs(on_notification=wake, queues=queues)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """Looks again if it was woken while it looked; the worker would forget that wake-up."""
        assert queues is None, "there is one line for all"
        while True:
            wakes = self._wakes
            try:
                rows = await self.connector.execute_query_all_async(FETCH, worker=worker_id)
            except UniqueViolation:
                continue  # another worker took a job of the same lock at this very moment
            if rows:
                job = Job.from_row(rows[0])
                self.held.add(rows[0]["id"])
                return job
            if wakes == self._wakes:
                return None

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        with self._ending(job):
            await super().finish_job(job, status, delete_job)

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

    @contextlib.contextmanager
    def _ending(self, job: Job) -> Generator[None]:
        """An end that cannot be recorded is not lost: the sweep finds the job and it runs again."""
        assert job.id is not None, "it was fetched"
        try:
            yield
        except ConnectorException as error:
            cause = type(error.__cause__ or error).__name__
            log.warning("the end of job %s was not recorded: %s", job.id, cause)
        finally:
            self.held.discard(job.id)
