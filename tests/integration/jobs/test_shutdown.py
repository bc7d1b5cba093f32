"""A worker that stops loses nothing: jobs end, or go back in line."""

import asyncio
import signal
from dataclasses import replace
from uuid import UUID

from tests.integration.jobs.processes import worker_process
from tests.integration.jobs.queue_fixture import (
    LONGEST_STOP,
    QUICK,
    TAKEN_OVER_SOON,
    Line,
    Runs,
    until,
)


async def test_a_job_that_ends_within_the_grace_is_done(line: Line) -> None:
    runs = Runs(seconds=0.4)
    await line.add()
    async with line.working(runs, times=replace(QUICK, grace_seconds=LONGEST_STOP)):
        await until(lambda: len(runs.begun) >= 1)
    assert len(runs.ended) == 1
    assert await line.waiting() == 0


async def test_a_longer_one_goes_back_to_its_place_and_runs_elsewhere(line: Line) -> None:
    long, short = Runs(seconds=3600), Runs()
    job = await line.add(lock="session")
    before = await line.job(job)
    async with line.working(long):
        await until(lambda: len(long.begun) >= 1)
    after = await line.job(job)
    assert before is not None
    assert after is not None
    assert (after["status"], after["priority"]) == ("todo", before["priority"])
    assert after["failures"] is None
    assert await line.rows("select id from procrastinate_workers") == []
    async with line.working(short):
        await until(lambda: len(short.ended) >= 1)
    assert len(short.ended) == 1


async def test_an_interrupted_job_that_answers_with_an_error_goes_back_as_well(line: Line) -> None:
    begun = asyncio.Event()

    async def handler(tenant: UUID, subject: UUID) -> None:
        begun.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            raise ConnectionError("a library's answer to being cancelled") from None

    job = await line.add()
    async with line.working(handler):
        await begun.wait()
    row = await line.job(job)
    assert row is not None
    assert (row["status"], row["failures"]) == ("todo", None)


async def test_a_job_that_will_not_stop_does_not_hold_up_the_shutdown(line: Line) -> None:
    begun, released = asyncio.Event(), asyncio.Event()

    async def stubborn(tenant: UUID, subject: UUID) -> None:
        begun.set()
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue

    runs = Runs()
    await line.add(lock="session")
    async with line.working(stubborn, times=TAKEN_OVER_SOON):
        await begun.wait()
    async with line.working(runs, times=TAKEN_OVER_SOON):
        await until(lambda: len(runs.ended) >= 1)
    released.set()
    assert len(runs.ended) == 1


async def test_sigterm_hands_the_work_back(line: Line) -> None:
    runs = Runs()
    job = await line.add(lock="session")
    with worker_process(line.url, "sleep") as process:
        await until(lambda: _has_begun(line, job))
        process.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(process.wait, LONGEST_STOP)
    assert code == 0
    assert (await line.job(job) or {})["status"] == "todo"
    async with line.working(runs):
        await until(lambda: len(runs.ended) >= 1)
    assert len(runs.ended) == 1


async def test_nothing_is_lost_when_workers_come_and_go(line: Line) -> None:
    runs = Runs(seconds=0.03)
    for number in range(60):
        await line.add(lock=f"session-{number % 7}")
    for _ in range(4):
        async with line.working(runs):
            await asyncio.sleep(0.15)
    async with line.working(runs):
        await until(lambda: _is_empty(line))
    assert len(set(runs.ended)) == 60


async def _has_begun(line: Line, job: int) -> bool:
    row = await line.job(job)
    return row is not None and row["status"] == "doing"


async def _is_empty(line: Line) -> bool:
    return await line.waiting() == 0
