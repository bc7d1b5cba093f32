"""The worker process: runs jobs until it is told to stop."""

import asyncio
import signal

from saegim.api.metrics_page import shown
from saegim.app import gc_tuning
from saegim.app.container import Services, build
from saegim.app.process_protection import log_missing_fences
from saegim.app.settings import Settings
from saegim.db.cells import HOME_CELL
from saegim.jobs.worker_timing import WorkerTimes
from saegim.telemetry import loop_lag
from saegim.worker.priority import lower_priority


def run(settings: Settings, cell: str = HOME_CELL) -> None:
    """Works until SIGTERM or SIGINT; running jobs get a moment, the rest goes back in line."""
    lower_priority(settings.worker_nice)
    asyncio.run(work(build(settings), cell=cell))


async def work(services: Services, times: WorkerTimes | None = None, cell: str = HOME_CELL) -> None:
    """Opens the services, works for a cell, and closes them."""
    worker = services.worker(times, cell)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, worker.stop)
    await services.open()
    measuring = asyncio.create_task(loop_lag.measure(services.metrics.loop_lag))
    try:
        async with shown(services), asyncio.TaskGroup() as together:
            together.create_task(_warm_up(services))
            await worker.run()
    finally:
        measuring.cancel()
        await services.close()


async def _warm_up(services: Services) -> None:
    with gc_tuning.paused():
        await services.warm_up()
    await log_missing_fences()
    gc_tuning.freeze_startup_objects()
