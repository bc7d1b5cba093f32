"""Background jobs: a worker in this process, and waiting until nothing is left to do."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from saegim.app.container import Services
from saegim.jobs.types import WorkerTimes

# Waits for the first retry of a job, not for later ones nor for jobs with a date.
UNFINISHED = b"""
    select count(*) as jobs from procrastinate_jobs
    where status = 'doing' or (
        status = 'todo' and (
            scheduled_at is null
            or scheduled_at <= now()
            or attempts > 0 and scheduled_at < now() + interval '3 seconds'
        )
    )
"""
POLL_SECONDS = 0.1


async def is_idle(services: Services) -> bool:
    """Whether no job of the home cell is due or running."""
    async with services.db.cells.home.connection() as connection:
        row = await (await connection.execute(UNFINISHED)).fetchone()
    return row is not None and row["jobs"] == 0


async def until_idle(services: Services, seconds: float = 300) -> None:
    """Raises TimeoutError if jobs are left after so many seconds."""
    async with asyncio.timeout(seconds):
        while not await is_idle(services):  # noqa: ASYNC110 - it is asked
            await asyncio.sleep(POLL_SECONDS)


@contextlib.asynccontextmanager
async def working(services: Services, times: WorkerTimes | None = None) -> AsyncGenerator[None]:
    worker = services.worker(times)
    task = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        worker.stop()
        await task
