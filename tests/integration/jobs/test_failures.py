"""A failing job waits without blocking others, is retried, and becomes a dead letter."""

import asyncio
import logging
from dataclasses import replace
from uuid import UUID, uuid4

import psycopg
import pytest

from saegim.domain.errors import ModelUnavailable
from saegim.jobs.dead_letters import DeadLetters, JobState
from saegim.jobs.types import WorkerTimes
from saegim.telemetry.logs import JsonLines
from tests.integration.jobs.queue_fixture import QUICK, UNPOLLED, Line, Runs, until
from tests.stack import Databases

SAID = "내 비밀번호는 바람개비"


class Refusing:
    """A handler that refuses some subjects a number of times, and counts how often it was asked."""

    def __init__(self, refused: dict[UUID, int], error: BaseException | None = None) -> None:
        self.left = dict(refused)
        self.error = error or ValueError(SAID)
        self.asked = 0
        self.done: list[UUID] = []

    async def __call__(self, tenant: UUID, subject: UUID) -> None:
        self.asked += 1
        if self.left.get(subject, 0) > 0:
            self.left[subject] -= 1
            raise self.error
        self.done.append(subject)


async def test_a_failing_job_does_not_hold_up_later_ones_of_its_session(line: Line) -> None:
    first, second, third = uuid4(), uuid4(), uuid4()
    handler, tenant = Refusing({first: 1}), uuid4()
    jobs = [await line.add(tenant, "session", subject) for subject in (first, second, third)]
    # No poll comes while the test waits: the later ones are woken when the first one fails.
    times = replace(UNPOLLED, first_pause_seconds=3600)
    async with line.working(handler, times=times):
        await until(lambda: handler.done == [second, third])
    waits = await line.job(jobs[0])
    assert waits is not None
    assert (waits["status"], waits["lock"], waits["failures"]) == ("todo", "session", 1)


async def test_it_is_tried_again_after_pauses_that_grow(line: Line) -> None:
    subject = uuid4()
    handler, times = Refusing({subject: 2}), replace(QUICK, first_pause_seconds=100)
    job = await line.add(subject=subject)
    pauses: list[float] = []
    async with line.working(handler, times=times):
        for run in (1, 2):
            await until(lambda run=run: _waits(line, job, run))
            row = await line.job(job)
            assert row is not None
            pauses.append((row["scheduled_at"] - row["failed_at"]).total_seconds())
            assert handler.asked == run
            await line.rows("update procrastinate_jobs set scheduled_at = now() returning id")
        await until(lambda: handler.done == [subject])
    first, second = pauses
    assert times.pause(job, 0) <= first
    assert times.pause(job, 1) <= second
    assert handler.asked == 3
    assert await line.job(job) is None


async def test_after_its_last_attempt_it_is_kept_with_the_kind_of_error_alone(
    line: Line, databases: Databases, caplog: pytest.LogCaptureFixture
) -> None:
    subject = uuid4()
    handler = Refusing({subject: 99})
    job = await line.add(lock="session", subject=subject)
    with caplog.at_level(logging.DEBUG):
        async with line.working(handler):
            await until(lambda: _is(line, job, "failed"))
            await asyncio.sleep(0.3)
    assert handler.asked == QUICK.attempts
    entry = await DeadLetters(line.cell).find(job)
    assert entry is not None
    assert (entry.state, entry.error, entry.failures) == (JobState.FAILED, "ValueError", 3)
    assert SAID not in _everything_stored(databases)
    assert SAID not in "".join(JsonLines().format(record) for record in caplog.records)


async def test_a_dead_letter_runs_again_when_it_is_replayed(line: Line) -> None:
    subject, tenant = uuid4(), uuid4()
    handler = Refusing({subject: QUICK.attempts})
    job = await line.add(tenant, "session", subject)
    letters = DeadLetters(line.cell)
    assert not await letters.replay(job), "it has not failed"
    async with line.working(handler, times=UNPOLLED):
        await until(line.listening)
        await until(lambda: _is(line, job, "failed"))
        # It blocks nobody meanwhile.
        await line.add(tenant, "session", later := uuid4())
        await until(lambda: later in handler.done)
        assert await letters.replay(job)
        await until(lambda: subject in handler.done)
    assert await line.job(job) is None


async def test_all_dead_letters_are_replayed_in_turns_and_with_all_their_attempts(
    line: Line,
) -> None:
    first, second = uuid4(), uuid4()
    for tenant in (first, first, first, second):
        await line.add(tenant)
    await line.rows("update procrastinate_jobs set status = 'failed', attempts = 4 returning id")
    await line.rows(
        "insert into job_failure select id, 5, 'ValueError', now() from procrastinate_jobs "
        "returning job_id"
    )
    assert len(await DeadLetters(line.cell).replay_all()) == 4
    worker = await line.register()
    served = [await line.fetch(worker) for _ in range(4)]
    owners = [UUID(row["args"]["tenant"]) for row in served if row]
    assert owners == [first, second, first, first]
    assert {row["attempts"] for row in served if row} == {0}
    assert await line.rows("select distinct failures from job_failure") == [{"failures": 0}]


async def test_an_outage_of_a_part_uses_up_no_attempt(line: Line) -> None:
    subject = uuid4()
    handler = Refusing({subject: 4}, ModelUnavailable())
    times = replace(QUICK, attempts=2, longest_pause_seconds=0.2)
    job = await line.add(subject=subject)
    async with line.working(handler, times=times):
        await until(lambda: handler.asked >= 3)
        await until(lambda: handler.done == [subject])
    assert handler.asked == 5
    assert await line.job(job) is None


async def test_a_job_that_never_returns_is_stopped_and_counts_as_failed(line: Line) -> None:
    job = await line.add(lock="session")
    times = replace(QUICK, longest_job_seconds=0.2, first_pause_seconds=3600)
    async with line.working(Runs(seconds=3600), times=times):
        await until(lambda: _is(line, job, "todo", error="TimeoutError"))


async def test_a_job_that_cancels_itself_is_no_endless_loop(line: Line) -> None:
    subject = uuid4()
    handler = Refusing({subject: 99}, asyncio.CancelledError())
    job = await line.add(subject=subject)
    async with line.working(handler):
        await until(lambda: _is(line, job, "failed", error="CancelledError"))
    assert handler.asked == QUICK.attempts


async def test_a_retry_takes_the_lock_again(line: Line) -> None:
    together, most = 0, 0
    failed = set[UUID]()

    async def handler(tenant: UUID, subject: UUID) -> None:
        nonlocal together, most
        together += 1
        most = max(most, together)
        await asyncio.sleep(0.01)
        together -= 1
        if subject not in failed:
            failed.add(subject)
            raise ValueError

    for _ in range(6):
        await line.add(lock="session")
    async with line.working(handler, times=replace(QUICK, first_pause_seconds=0.01)):
        await until(lambda: _none_waits(line))
    assert most == 1


async def _is(line: Line, job: int, status: str, error: str | None = None) -> bool:
    row = await line.job(job)
    return row is not None and row["status"] == status and error in (None, row["error"])


async def _waits(line: Line, job: int, failures: int) -> bool:
    row = await line.job(job)
    return row is not None and (row["status"], row["failures"]) == ("todo", failures)


async def _none_waits(line: Line) -> bool:
    return await line.waiting() == 0


def _everything_stored(databases: Databases) -> str:
    tables = ("procrastinate_jobs", "procrastinate_events", "job_failure")
    with psycopg.connect(databases.admin_url) as admin:
        rows = [
            row
            for table in tables
            for row in admin.execute(f"select t::text from saegim.{table} t".encode())
        ]
    assert len(rows) > 3
    return str(rows)


@pytest.mark.parametrize("runs", [0, 1, 5, 1_000])
def test_pauses_double_up_to_a_limit_and_come_apart(runs: int) -> None:
    times = WorkerTimes(first_pause_seconds=2, longest_pause_seconds=60)
    pauses = [times.pause(job, runs) for job in range(100)]
    middle = min(2 * 2**runs, 60)
    assert 0.75 * middle <= min(pauses) < 0.8 * middle
    assert 1.2 * middle < max(pauses) <= 1.25 * middle
