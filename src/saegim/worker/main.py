"""The worker process: runs jobs until a signal comes."""

import asyncio
import os
import signal

from saegim.api.metrics_page import shown
from saegim.app import event_loop, gc_tuning
from saegim.app.container import Services, build
from saegim.app.process_protection import log_missing_fences
from saegim.app.settings import Settings
from saegim.db.cells import HOME_CELL
from saegim.jobs.types import WorkerTimes
from saegim.telemetry import loop_lag


def lower_priority(by: int) -> None:
    """Raise the nice value of this process, if the system has one."""
    if hasattr(os, "nice"):
        os.nice(by)


def run(settings: Settings, cell: str = HOME_CELL) -> None:
    """Work until SIGTERM or SIGINT; running jobs get time to finish, others are requeued."""
    lower_priority(settings.worker_nice)
    event_loop.run(work(build(settings), cell=cell))


async def work(services: Services, times: WorkerTimes | None = None, cell: str = HOME_CELL) -> None:
    """Open the services, process the jobs of a cell, and close the services."""
    worker = services.worker(times, cell)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, worker.stop)
    await services.open()
    lag_task = asyncio.create_task(loop_lag.measure(services.metrics.loop_lag))
    try:
        async with shown(services), asyncio.TaskGroup() as tasks:
            tasks.create_task(_warm_up(services))
            await worker.run()
    finally:
        lag_task.cancel()
        await services.close()


async def _warm_up(services: Services) -> None:
    with gc_tuning.paused():
        await services.warm_up()
    await log_missing_fences()
    gc_tuning.freeze_startup_objects()
