"""Postgres dies and comes back while a worker runs."""

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from benchmarks.doubles.patience import PATIENT_CELL
from benchmarks.prepared_cluster import DATA, start_postgres
from saegim.db.cells import HOME_CELL, Cell
from saegim.jobs.types import WorkerTimes
from saegim.localservers.postgres import LocalPostgres
from tests.integration.jobs.queue_fixture import (
    LONGEST_STOP,
    QUICK,
    TAKEN_OVER_SOON,
    Line,
    Runs,
    until,
)

CONNECT_SECONDS = WorkerTimes().connect_seconds


def _start(place: Path) -> LocalPostgres:
    return LocalPostgres.start(place, durable=False)


async def test_a_worker_outlives_a_crash_of_postgres_and_goes_on() -> None:
    with tempfile.TemporaryDirectory(prefix="saegim-test-") as folder:
        place = Path(folder) / "postgres"
        postgres = await asyncio.to_thread(start_postgres, place, durable=False)
        try:
            app = postgres.url(DATA, user="saegim_app")
            cell = Cell(HOME_CELL, app, PATIENT_CELL)
            await cell.open()
            postgres = await _crash(Line(app, cell), postgres, place)
            await cell.close()
        finally:
            postgres.stop()


async def _crash(line: Line, postgres: LocalPostgres, place: Path) -> LocalPostgres:
    """One job runs through the crash, one waits through it, one comes after."""
    runs, over = Runs(), asyncio.Event()

    async def handler(tenant: UUID, subject: UUID) -> None:
        if not runs.begun:
            runs.begun.append((tenant, subject))
            await over.wait()
        await runs(tenant, subject)

    await line.add(lock="session")
    await line.add(lock="session")
    times = replace(TAKEN_OVER_SOON, connect_seconds=CONNECT_SECONDS)
    async with line.working(handler, times=times):
        await until(lambda: len(runs.begun) >= 1)
        await asyncio.to_thread(postgres.kill)
        over.set()
        await asyncio.sleep(1)
        postgres = await asyncio.to_thread(_start, place)
        await line.add()
        await until(lambda: _is_empty(line))
    assert len({subject for _, subject in runs.ended}) == 3
    return postgres


async def _is_empty(line: Line) -> bool:
    return await line.waiting() == 0


async def test_a_worker_that_cannot_reach_postgres_still_stops_in_time() -> None:
    nowhere = "postgresql://saegim_app@/saegim?host=/nonexistent&port=5432"
    cell = Cell(HOME_CELL, nowhere, PATIENT_CELL)
    await cell.open()
    times = replace(QUICK, connect_seconds=CONNECT_SECONDS)
    worker = Line(nowhere, cell).worker(Runs(), times=times)
    running = asyncio.create_task(worker.run())
    await asyncio.sleep(0.5)
    worker.stop()
    await asyncio.wait_for(running, LONGEST_STOP)
    await cell.close()
