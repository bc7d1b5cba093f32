"""A worker process to be killed: `python -m … URL WHAT`. WHAT is `sleep`, a job that never ends, or
`die`, a job that kills its process.
"""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from uuid import UUID

from benchmarks.doubles.patience import PATIENT_CELL
from saegim.db.cells import HOME_CELL, Cell
from tests.integration.jobs.queue_fixture import TAKEN_OVER_SOON, Line

TIMES = replace(TAKEN_OVER_SOON, hand_back_seconds=30)


async def sleep(tenant: UUID, subject: UUID) -> None:
    await asyncio.sleep(3600)


async def die(tenant: UUID, subject: UUID) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(url: str, what: str) -> None:
    cell = Cell(HOME_CELL, url, PATIENT_CELL)
    await cell.open()
    worker = Line(url, cell).worker({"sleep": sleep, "die": die}[what], times=TIMES)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    await worker.run()
    await cell.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
