"""Recovers jobs of dead workers and queues scheduled jobs that are due."""

import logging
from collections.abc import Collection

from saegim.db.cells import Cell, Connection
from saegim.jobs.queue import JobQueue, Orphan
from saegim.jobs.worker_timing import WorkerTimes

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
