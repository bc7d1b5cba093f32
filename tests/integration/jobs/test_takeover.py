"""Jobs of workers that died run again, soon and not for ever."""

import asyncio
from dataclasses import replace

from saegim.jobs.queue import Orphan
from saegim.jobs.types import WorkerTimes
from saegim.jobs.worker import WORKER_LOST, Sweep
from tests.integration.jobs.processes import worker_process
from tests.integration.jobs.queue_fixture import QUICK, Line, Runs, until


async def _runs(line: Line, job: int) -> bool:
    row = await line.job(job)
    return row is not None and row["status"] == "doing"


async def test_jobs_of_a_killed_worker_run_again(line: Line) -> None:
    """With the times that ship, within fifteen seconds; the lock of the killed job is free again,
    too."""
    times = replace(WorkerTimes(), connect_seconds=QUICK.connect_seconds)
    assert times.stalled_seconds + times.sweep_seconds + times.poll_seconds < 15
    runs = Runs()
    job = await line.add(lock="session")
    with worker_process(line.url, "sleep") as process:
        await until(lambda: _runs(line, job))
        async with line.working(runs, times=times):
            await line.add(lock="session")
            process.kill()
            await until(lambda: len(runs.ended) >= 2)
    assert len(runs.ended) == 2
    assert await line.job(job) is None


async def test_a_job_that_kills_its_worker_every_time_ends_as_a_dead_letter(line: Line) -> None:
    job, deaths = await line.add(lock="session"), 0
    while (await line.job(job) or {})["status"] != "failed":
        with worker_process(line.url, "die") as process:
            ended = asyncio.create_task(asyncio.to_thread(process.wait))
            failed = asyncio.create_task(until(lambda: _set_aside(line, job)))
            await asyncio.wait({ended, failed}, return_when=asyncio.FIRST_COMPLETED)
            deaths += not failed.done()
            failed.cancel()
            process.kill()
            await ended
    row = await line.job(job)
    assert row is not None
    assert (row["error"], row["failures"], deaths) == (WORKER_LOST, QUICK.attempts, QUICK.attempts)


async def _set_aside(line: Line, job: int) -> bool:
    return (await line.job(job) or {})["status"] == "failed"


async def test_a_job_whose_worker_was_already_struck_off_is_found(line: Line) -> None:
    job, dead = await line.add(lock="session"), await line.register()
    assert await line.fetch(dead) is not None
    await line.rows("select procrastinate_prune_stalled_workers_v1(-1)")
    assert (await line.job(job) or {})["worker_id"] is None
    runs = Runs()
    async with line.working(runs):
        await until(lambda: len(runs.ended) >= 1)
    assert len(runs.ended) == 1


async def test_a_job_whose_fetch_or_end_was_lost_on_the_way_runs_again(line: Line) -> None:
    """The worker lives and its heart beats, but it knows nothing of the job."""
    runs = Runs()
    async with line.working(runs):
        await until(line.listening)
        [worker] = await line.rows("select id from procrastinate_workers")
        await line.rows(
            "insert into procrastinate_jobs (queue_name, task_name, status, worker_id, args) "
            "values ('default', 'index_episode', 'doing', %s, "
            "jsonb_build_object('tenant', gen_random_uuid(), 'subject', gen_random_uuid())) "
            "returning id",
            worker["id"],
        )
        await until(lambda: len(runs.ended) >= 1)
    assert len(runs.ended) == 1


async def test_what_a_worker_is_busy_with_is_left_alone(line: Line) -> None:
    runs = Runs(seconds=1.0)
    await line.add()
    async with line.working(runs), line.working(runs):
        await until(lambda: len(runs.ended) >= 1)
    assert len(runs.begun) == len(runs.ended) == 1


async def test_a_worker_does_not_take_over_what_it_runs_though_its_heart_stopped(
    line: Line,
) -> None:
    job, worker = await line.add(), await line.register()
    assert await line.fetch(worker) is not None
    sweep = Sweep(line.cell, line.queue, QUICK)
    for lost in (
        "update procrastinate_workers set last_heartbeat = now() - interval '1 hour' returning id",
        "delete from procrastinate_workers returning id",
    ):
        assert len(await line.rows(lost)) == 1
        await sweep.once(worker, [job])
        assert await _runs(line, job)
    await sweep.once(worker, [])
    assert not await _runs(line, job)


async def test_a_job_that_another_worker_took_over_first_is_left_to_it(line: Line) -> None:
    job, dead, alive = await line.add(), await line.register(), await line.register()
    assert await line.fetch(dead) is not None
    seen = Orphan(job, dead)
    await line.rows("update procrastinate_jobs set worker_id = %s returning id", alive)
    async with line.cell.connection() as connection, connection.transaction():
        assert await line.queue.claim(connection, seen) is None
        assert await line.queue.claim(connection, Orphan(job, alive)) is not None


async def test_the_first_take_over_is_at_once_and_later_ones_after_a_pause(line: Line) -> None:
    job = await line.add()
    sweep = Sweep(line.cell, line.queue, replace(QUICK, first_pause_seconds=100))
    due: list[bool] = []
    for _ in range(2):
        dead = await line.register()
        await line.rows(
            "update procrastinate_jobs set scheduled_at = null, priority = -1 returning id"
        )
        assert await line.fetch(dead) is not None
        await line.rows("delete from procrastinate_workers returning id")
        await sweep.once(None, [])
        row = await line.job(job)
        assert row is not None
        due.append(row["scheduled_at"] is None)
    assert due == [True, False]
