from collections.abc import AsyncIterator

import pytest

from benchmarks.doubles.patience import PATIENT_CELL
from saegim.db.cells import HOME_CELL, Cell
from tests.integration.jobs.queue_fixture import Line
from tests.stack import Databases


@pytest.fixture
async def line(databases: Databases) -> AsyncIterator[Line]:
    """An empty line of jobs."""
    cell = Cell(HOME_CELL, databases.app_url, PATIENT_CELL)
    await cell.open()
    line = Line(databases.app_url, cell)
    await line.rows("delete from procrastinate_jobs returning id")
    await line.rows("delete from procrastinate_workers returning id")
    yield line
    await cell.close()
