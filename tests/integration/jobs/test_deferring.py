"""Jobs go in line with their data, and leave it in the order of their session."""

import asyncio
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from saegim.jobs.types import Job, JobKind
from tests.integration.jobs.queue_fixture import UNPOLLED, Line, Runs, until


class Undone(Exception):
    pass


async def _defer_and_undo(line: Line, tenant: UUID) -> None:
    async with line.cell.transaction(tenant) as connection:
        await line.queue.defer(connection, Job(JobKind.INDEX_EPISODE, tenant, uuid4()))
        cursor = await connection.execute("select count(*) from procrastinate_jobs")
        assert await cursor.fetchone() == {"count": 1}
        raise Undone


async def test_a_job_is_gone_with_the_transaction_of_its_data(line: Line) -> None:
    with pytest.raises(Undone):
        await _defer_and_undo(line, uuid4())
    assert await line.waiting() == 0


async def test_a_job_starts_when_it_is_committed_without_waiting_for_a_poll(line: Line) -> None:
    runs = Runs()
    async with line.working(runs, times=UNPOLLED):
        await until(line.listening)
        await line.add()
        await until(lambda: len(runs.ended) >= 1)
    assert len(runs.ended) == 1


async def test_jobs_of_two_locks_run_side_by_side_without_waiting_for_a_poll(line: Line) -> None:
    together, most, ended = 0, 0, 0

    async def handler(tenant: UUID, subject: UUID) -> None:
        nonlocal together, most, ended
        together += 1
        most = max(most, together)
        # The first waits for the second: both run at once.
        while most < 2:
            await asyncio.sleep(0.01)
        together -= 1
        ended += 1

    for number in range(12):
        await line.add(lock=f"session-{number % 2}")
    async with line.working(handler, times=UNPOLLED):
        await until(lambda: ended >= 12)
    assert (most, ended) == (2, 12)


async def test_jobs_of_one_lock_run_one_by_one_and_in_order(line: Line) -> None:
    together, most = 0, 0
    order: list[UUID] = []

    async def handler(tenant: UUID, subject: UUID) -> None:
        nonlocal together, most
        together += 1
        most = max(most, together)
        order.append(subject)
        await asyncio.sleep(0.01)
        together -= 1

    subjects = [uuid4() for _ in range(8)]
    tenant = uuid4()
    for subject in subjects:
        await line.add(tenant, lock="session", subject=subject)
    async with line.working(handler):
        await until(lambda: len(order) >= 8)
    assert (most, order) == (1, subjects)


async def test_many_workers_run_each_job_once_and_each_lock_one_at_a_time(line: Line) -> None:
    runs, busy, collisions = Runs(seconds=0.005), set[UUID](), list[UUID]()

    async def handler(tenant: UUID, subject: UUID) -> None:
        collisions.extend(busy & {tenant})
        busy.add(tenant)
        await runs(tenant, subject)
        busy.discard(tenant)

    for tenant in [uuid4() for _ in range(12)]:
        for _ in range(10):
            await line.add(tenant, lock=str(tenant))
    async with line.working(handler), line.working(handler), line.working(handler):
        await until(lambda: len(runs.ended) >= 120)
    assert len(runs.ended) == len(set(runs.ended)) == 120
    assert not collisions


async def test_the_second_of_a_lock_is_not_taken_while_another_worker_takes_the_first(
    line: Line,
) -> None:
    tenant, worker = uuid4(), await line.register()
    await line.add(tenant, lock="one")
    await line.add(tenant, lock="one")
    free = await line.add(tenant, lock="two")
    async with asyncio.timeout(60), line.cell.connection() as other, other.transaction():
        await other.execute("select job_fetch(%s)", (worker,))
        row = await line.fetch(worker)
    assert row is not None
    assert row["id"] == free


async def test_a_scheduled_job_runs_when_it_is_due_and_holds_up_nobody(line: Line) -> None:
    runs = Runs()
    late, early = uuid4(), uuid4()
    job = await line.add(lock="session", subject=late, delay=3600)
    await line.add(lock="session", subject=early)
    async with line.working(runs):
        await until(lambda: len(runs.ended) >= 1)
        await line.rows("update procrastinate_jobs set scheduled_at = now() returning id")
        await until(lambda: len(runs.ended) >= 2)
    assert [subject for _, subject in runs.ended] == [early, late]
    assert await line.job(job) is None


async def test_a_scheduled_job_that_is_hastened_starts_at_once(line: Line) -> None:
    runs, tenant = Runs(), uuid4()
    job = await line.add(tenant, delay=3600)
    async with line.working(runs, times=UNPOLLED):
        await until(line.listening)
        async with line.cell.transaction(tenant) as connection:
            await line.queue.run_now(connection, tenant, job)
        await until(lambda: len(runs.ended) >= 1)
    assert len(runs.ended) == 1


async def test_a_dropped_job_never_runs_and_another_tenants_cannot_be_dropped(line: Line) -> None:
    tenant = uuid4()
    job = await line.add(tenant, delay=3600)
    async with line.cell.transaction(tenant) as connection:
        await line.queue.drop(connection, uuid4(), job)
        assert await line.waiting() == 1
        await line.queue.drop(connection, tenant, job)
    assert await line.waiting() == 0


async def test_no_wake_up_is_lost_while_a_worker_looks(line: Line) -> None:
    """Jobs arrive at every moment of a fetch; with a lost one, an hour's poll would be due."""
    runs = Runs()
    times = replace(UNPOLLED, sweep_seconds=3600)
    async with line.working(runs, times=times):
        await until(line.listening)
        for number in range(100):
            await asyncio.gather(line.add(lock="a"), line.add(lock="b"))
            await until(lambda count=2 * number + 2: len(runs.ended) >= count)
    assert len(runs.ended) == 200


async def test_workers_that_reach_for_one_lock_at_the_same_moment_go_on(line: Line) -> None:
    runs, another = Runs(), await line.register()
    # The other worker lives, though its heart does not beat.
    async with line.working(runs, times=replace(UNPOLLED, stalled_seconds=3600)):
        await until(line.listening)
        before = await line.rows("select id from procrastinate_workers order by id")
        async with line.cell.connection() as other, other.transaction():
            # Another worker took a job of this lock; nobody can see it yet.
            await other.execute(
                "insert into procrastinate_jobs (queue_name, task_name, status, lock, worker_id) "
                "values ('default', 'index_episode', 'doing', 'session', %s)",
                (another,),
            )
            job = await line.add(lock="session")
            await until(line.blocked)
        await until(line.unblocked)
        assert (await line.job(job) or {})["status"] == "todo"
        await line.rows("delete from procrastinate_jobs where status = 'doing' returning id")
        await until(lambda: len(runs.ended) >= 1)
        assert await line.rows("select id from procrastinate_workers order by id") == before
    assert len(runs.ended) == 1
