"""Health reports workers, waiting jobs, their age, and failed jobs."""

import asyncio
from uuid import uuid4

import pytest

from saegim.db.cells import HOME_CELL, Cells
from saegim.db.health import PostgresHealth
from saegim.domain.ids import SystemClock
from tests.integration.jobs.queue_fixture import Line, Runs, until


@pytest.fixture
def health(line: Line) -> PostgresHealth:
    return PostgresHealth(Cells({HOME_CELL: line.cell}, SystemClock()))


async def test_nothing_runs_and_nothing_waits(health: PostgresHealth) -> None:
    now = await health.check()
    assert (now.workers, now.heartbeat_seconds, now.waiting) == (0, None, 0)
    assert (now.lag_seconds, now.failed) == (0, 0)


async def test_without_a_worker_the_lag_grows(line: Line, health: PostgresHealth) -> None:
    await line.add()
    await line.add()
    before = await health.check()
    await asyncio.sleep(0.3)
    now = await health.check()
    assert (now.workers, now.waiting) == (0, 2)
    assert 0 < before.lag_seconds < now.lag_seconds


async def test_a_worker_that_lives_is_counted_and_one_that_stopped_is_not(
    line: Line, health: PostgresHealth
) -> None:
    async with line.working(Runs()), line.working(Runs()):
        await until(lambda: _has_workers(health, 2))
        assert (await health.check()).heartbeat_seconds is not None
    assert (await health.check()).workers == 0


async def test_a_worker_that_is_silent_is_not_counted(line: Line, health: PostgresHealth) -> None:
    await line.register()
    assert (await health.check()).workers == 1
    await line.rows(
        "update procrastinate_workers set last_heartbeat = now() - interval '1 minute' returning id"
    )
    now = await health.check()
    assert now.workers == 0
    assert 60 <= (now.heartbeat_seconds or 0) < 1_000


async def test_a_scheduled_job_waits_from_the_moment_it_is_due(
    line: Line, health: PostgresHealth
) -> None:
    await line.add(delay=3600)
    assert (await health.check()).waiting == 0
    # As if it had been deferred 5,000 seconds ago, to run 1,000 seconds ago.
    await line.rows(
        "update procrastinate_events set at = at - interval '5000 seconds' + case type "
        "when 'scheduled' then interval '400 seconds' else interval '0' end returning id"
    )
    await line.rows(
        "update procrastinate_jobs set scheduled_at = now() - interval '1000 seconds' returning id"
    )
    due = await health.check()
    async with line.cell.connection() as connection:
        await line.queue.queue_due(connection)
    placed = await health.check()
    for now in (due, placed):
        assert now.waiting == 1
        assert 1_000 <= now.lag_seconds < 4_000


async def test_dead_letters_are_counted_and_do_not_wait(line: Line, health: PostgresHealth) -> None:
    async def fail(tenant: object, subject: object) -> None:
        raise ValueError

    await line.add(uuid4())
    async with line.working(fail):
        await until(lambda: _has_failed(health))
    now = await health.check()
    assert (now.failed, now.waiting, now.lag_seconds) == (1, 0, 0)


async def _has_workers(health: PostgresHealth, count: int) -> bool:
    return (await health.check()).workers == count


async def _has_failed(health: PostgresHealth) -> bool:
    return (await health.check()).failed == 1
