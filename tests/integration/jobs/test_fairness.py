"""Tenants take turns however many jobs they queue, and fetching a job stays cheap."""

import time
from collections import Counter
from statistics import median
from typing import LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest

from saegim.db.cells import Connection
from saegim.jobs.types import MODEL_JOBS, Job, JobKind
from tests.integration.jobs.queue_fixture import UNPOLLED, Line, Runs, until
from tests.stack import Databases

A, B, C = uuid4(), uuid4(), uuid4()


async def _queue(line: Line, tenant: UUID, count: int, delay: float = 0.0) -> None:
    """Queues jobs of one tenant, each with its own lock, in one transaction."""
    async with line.cell.transaction(tenant) as connection:
        for _ in range(count):
            job = Job(JobKind.INDEX_EPISODE, tenant, uuid4(), str(uuid4()), delay)
            await line.queue.defer(connection, job)


async def _serve(line: Line, count: int) -> list[UUID]:
    """Runs jobs one by one; returns their tenants."""
    worker, served = await line.register(), list[UUID]()
    for _ in range(count):
        row = await line.fetch(worker)
        assert row is not None
        await line.finish(row["id"])
        served.append(UUID(row["args"]["tenant"]))
    return served


async def test_one_job_starts_within_twenty_although_another_tenant_queued_two_thousand(
    line: Line,
) -> None:
    runs = Runs(seconds=0.002)
    await _queue(line, A, 2_000)
    async with line.working(runs):
        await until(lambda: len(runs.begun) > 50)
        await line.add(B)
        before = len(runs.begun)
        await until(lambda: B in {tenant for tenant, _ in runs.begun})
        place = [tenant for tenant, _ in runs.begun].index(B)
    assert place - before < 20


async def test_tenants_take_turns(line: Line) -> None:
    await _queue(line, A, 30)
    await _queue(line, B, 3)
    await _queue(line, C, 3)
    assert await _serve(line, 10) == [A, B, C, A, B, C, A, B, C, A]


async def test_a_tenant_that_was_idle_shares_from_now_on(line: Line) -> None:
    await _queue(line, A, 120)
    await _serve(line, 60)
    await _queue(line, B, 40)
    share = Counter(await _serve(line, 40))
    assert abs(share[A] - share[B]) <= 2


async def test_a_new_tenant_waits_for_one_round_of_many_others(line: Line) -> None:
    for _ in range(40):
        await _queue(line, uuid4(), 3)
    await _serve(line, 40)
    await _queue(line, A, 1)
    assert A in await _serve(line, 41)


async def test_tenants_that_queue_job_after_job_do_not_starve_a_long_line(line: Line) -> None:
    """Not even while the first job of the queue is blocked by its lock."""
    worker = await line.register()
    await line.add(lock="held")
    held = await line.fetch(worker)
    assert held is not None
    await line.add(lock="held")
    await _queue(line, A, 20)
    served = Counter[UUID]()
    await _queue(line, B, 1)
    await _queue(line, C, 1)
    for _ in range(30):
        row = await line.fetch(worker)
        assert row is not None
        tenant = UUID(row["args"]["tenant"])
        served[tenant] += 1
        if tenant != A:
            await _queue(line, tenant, 1)
        await line.finish(row["id"])
    assert served[A] >= 9


async def test_scheduled_jobs_that_are_due_together_do_not_pass_the_others(line: Line) -> None:
    await _queue(line, A, 50, delay=0.001)
    await _queue(line, B, 5)
    async with line.cell.connection() as connection:
        assert await line.queue.queue_due(connection) == 50
    assert Counter(await _serve(line, 10))[B] >= 4


async def test_a_turn_that_someone_waits_for_passes_its_own_tenants_line(line: Line) -> None:
    await _queue(line, A, 100)
    await _queue(line, B, 100)
    urgent = await line.add(A, kind=JobKind.WATCH_TURN, delay=3600)
    async with line.cell.transaction(A) as connection:
        await line.queue.run_now(connection, A, urgent)
    await _serve(line, 4)
    assert await line.job(urgent) is None


async def test_an_erasure_that_is_due_passes_its_own_tenants_line(line: Line) -> None:
    await _queue(line, A, 100)
    erasure = await line.add(A, kind=JobKind.ERASE, delay=0.001)
    async with line.cell.connection() as connection:
        await line.queue.queue_due(connection)
    await _serve(line, 2)
    assert await line.job(erasure) is None


async def test_jobs_that_call_a_model_leave_a_slot_to_the_others(line: Line) -> None:
    runs = Runs(seconds=600)
    waits = [await line.add(kind=kind) for kind in sorted(MODEL_JOBS)]
    async with line.working(runs, concurrency=4):
        await until(lambda: len(runs.begun) == 3)
        await line.add(A)
        await until(lambda: len(runs.begun) == 4)
        rows = [await line.job(job) for job in waits]
    assert [row["status"] for row in rows if row] == ["doing"] * 3 + ["todo"] * (len(waits) - 3)
    assert runs.begun[-1][0] == A


async def test_the_slot_is_for_every_kind_that_calls_no_model(line: Line) -> None:
    for kind in JobKind:
        await line.add(kind=kind)
    worker, found = await line.register(), set[str]()
    while rows := await line.rows("select * from job_fetch_without_model(%s)", worker):
        found.add(rows[0]["task_name"])
    assert found == set(JobKind) - MODEL_JOBS


async def test_jobs_that_call_a_model_run_when_one_of_them_ends(line: Line) -> None:
    runs = Runs(seconds=0.05)
    async with line.working(runs, concurrency=2, times=UNPOLLED):
        await until(line.listening)
        for _ in range(3):
            await line.add(kind=JobKind.EXTRACT)
        await until(lambda: len(runs.ended) == 3)


async def test_a_worker_of_one_slot_runs_jobs_that_call_a_model(line: Line) -> None:
    runs = Runs()
    await line.add(kind=JobKind.SUMMARISE)
    async with line.working(runs, concurrency=1):
        await until(lambda: len(runs.ended) == 1)


async def test_at_the_end_of_the_clock_the_line_goes_on_by_arrival(line: Line) -> None:
    await line.rows(
        "insert into procrastinate_jobs (queue_name, task_name, priority, args) "
        "values ('default', 'index_episode', -2000000000, %s) returning id",
        f'{{"tenant": "{A}"}}',
    )
    first, second = await line.add(A), await line.add(B)
    worker = await line.register()
    fetched = [await line.fetch(worker) for _ in range(3)]
    assert [row["id"] for row in fetched[1:] if row] == [first, second]


@pytest.mark.parametrize("locks", [1, 500])
@pytest.mark.parametrize("once_empty", ["", "analyze", "vacuum analyze"])
async def test_the_rows_read_for_a_job_do_not_grow_with_the_line(
    line: Line, databases: Databases, locks: int, once_empty: LiteralString
) -> None:
    await _work_a_long_line(line, databases, locks, once_empty)


@pytest.mark.alone
@pytest.mark.parametrize("locks", [1, 500])
@pytest.mark.parametrize("once_empty", ["", "analyze", "vacuum analyze"])
async def test_the_time_for_a_job_does_not_grow_with_the_line(
    line: Line, databases: Databases, locks: int, once_empty: LiteralString
) -> None:
    deferred, fetched = await _work_a_long_line(line, databases, locks, once_empty)
    assert deferred < 0.005
    assert fetched < 0.010


async def _work_a_long_line(
    line: Line, databases: Databases, locks: int, once_empty: LiteralString
) -> tuple[float, float]:
    """Ten thousand wait, and the planner knows the line as it was before them: empty, or other.

    Checks what is read for each of a hundred jobs; the median seconds to defer and to fetch one."""
    with psycopg.connect(databases.admin_url, autocommit=True) as admin:
        admin.execute("alter table saegim.procrastinate_jobs set (autovacuum_enabled = false)")
        await _fill(line, 2_000, locks)
        admin.execute("analyze saegim.procrastinate_jobs")
        await line.rows("delete from procrastinate_jobs returning id")
        if once_empty:
            admin.execute(f"{once_empty} saegim.procrastinate_jobs")
    await _fill(line, 10_000, locks=500)
    worker = await line.register()
    deferred, fetched = list[float](), list[float]()
    async with line.cell.connection() as connection:
        before = await _rows_read(connection)
        for _ in range(100):
            began = time.perf_counter()
            await line.queue.defer(connection, Job(JobKind.INDEX_EPISODE, B, uuid4()))
            deferred.append(time.perf_counter() - began)
            began = time.perf_counter()
            await connection.execute("select id from job_fetch(%s)", (worker,))
            fetched.append(time.perf_counter() - began)
        after = await _rows_read(connection)
    assert after["seq_tup_read"] == before["seq_tup_read"]
    # The locks that are held are read each time, and there are up to a hundred of them.
    assert after["idx_tup_fetch"] - before["idx_tup_fetch"] < 100 * (100 + 50)
    return median(deferred), median(fetched)


@pytest.mark.alone
async def test_a_long_line_behind_one_held_lock_does_not_slow_the_others(
    line: Line, databases: Databases
) -> None:
    await _fill(line, 2_500, locks=1)
    with psycopg.connect(databases.admin_url, autocommit=True) as admin:
        admin.execute("analyze saegim.procrastinate_jobs")
    worker = await line.register()
    assert await line.fetch(worker) is not None
    took = list[float]()
    for _ in range(30):
        began = time.perf_counter()
        assert await line.fetch(worker) is None
        took.append(time.perf_counter() - began)
    assert median(took) < 0.020


async def test_jobs_that_call_a_model_are_not_read_for_the_others(line: Line) -> None:
    await _fill(line, 10_000, locks=500, kind=JobKind.EXTRACT)
    worker = await line.register()
    async with line.cell.connection() as connection:
        job = await line.queue.defer(connection, Job(JobKind.INDEX_EPISODE, B, uuid4()))
        before = await _rows_read(connection)
        found = await connection.execute("select id from job_fetch_without_model(%s)", (worker,))
        row = await found.fetchone()
        after = await _rows_read(connection)
    assert row == {"id": job}
    assert after["seq_tup_read"] == before["seq_tup_read"]
    assert after["idx_tup_fetch"] - before["idx_tup_fetch"] < 50


async def _fill(line: Line, count: int, locks: int, kind: JobKind = JobKind.INDEX_EPISODE) -> None:
    await line.rows(
        "insert into procrastinate_jobs (queue_name, task_name, priority, lock, args) "
        "select 'default', %s, -i, 'lock-' || i %% %s, "
        "jsonb_build_object('tenant', %s::text) from generate_series(1, %s) i returning id",
        str(kind),
        locks,
        str(A),
        count,
    )


async def _rows_read(connection: Connection) -> dict[str, int]:
    await connection.execute("select pg_stat_force_next_flush()")
    cursor = await connection.execute(
        "select seq_tup_read, idx_tup_fetch from pg_stat_user_tables "
        "where relname = 'procrastinate_jobs'"
    )
    row = await cursor.fetchone()
    assert row is not None
    return row
