"""An outage does not last for ever, and a request that a model refuses is not asked for ever."""

import asyncio
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from saegim.domain.errors import (
    ModelRefused,
    ModelUnavailable,
    OptionalServiceDown,
    StoreUnavailable,
)
from saegim.jobs.types import JobKind
from saegim.jobs.worker import is_lasting
from tests.integration.jobs.queue_fixture import QUICK, UNPOLLED, Line, until

HASTY = replace(QUICK, first_pause_seconds=0.01, longest_pause_seconds=0.02)


class Failing:
    """A handler that always fails the same way, and may be done by rule."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.runs = 0

    async def __call__(self, tenant: UUID, subject: UUID) -> None:
        self.runs += 1
        raise self.error


class WithFallback(Failing):
    """The same with a rule-based fallback."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.by_rule_for: list[UUID] = []

    async def by_rule(self, tenant: UUID, subject: UUID) -> None:
        self.by_rule_for.append(subject)


@pytest.mark.parametrize(
    ("error", "runs"),
    [(OptionalServiceDown("index"), 6), (ModelRefused("fold: http_error"), QUICK.attempts)],
)
async def test_a_job_becomes_a_dead_letter_in_the_end(
    line: Line, error: Exception, runs: int
) -> None:
    handler, job = Failing(error), await line.add()
    async with line.working(handler, times=replace(HASTY, outage_runs=6)):
        await until(lambda: _failed(line, job))
    assert handler.runs == runs


async def test_an_outage_uses_up_no_attempt(line: Line) -> None:
    handler, job = Failing(ModelUnavailable("fold: timeout")), await line.add()
    async with line.working(handler, times=HASTY):
        await until(lambda: handler.runs > QUICK.attempts)
    waits = await line.job(job)
    assert waits is not None
    assert waits["status"] == "todo"


@pytest.mark.parametrize(
    ("error", "runs"),
    [
        (ModelUnavailable("fold: timeout"), 5),
        (ModelRefused("fold: http_error"), QUICK.attempts),
    ],
)
async def test_the_fallback_takes_over_where_the_model_failed_for_good(
    line: Line, error: Exception, runs: int
) -> None:
    handler, subject = WithFallback(error), uuid4()
    job = await line.add(subject=subject)
    async with line.working(handler, times=replace(HASTY, fallback_runs=5)):
        await until(lambda: handler.by_rule_for == [subject])
    assert handler.runs == runs
    assert await line.job(job) is None


async def test_the_fallback_does_not_step_in_for_a_store(line: Line) -> None:
    handler, job = WithFallback(StoreUnavailable()), await line.add()
    async with line.working(handler, times=replace(HASTY, fallback_runs=2, outage_runs=4)):
        await until(lambda: _failed(line, job))
    assert handler.by_rule_for == []


def test_refusals_and_bugs_last_and_outages_pass() -> None:
    lasting = (ModelRefused(), ValueError())
    passing = (ModelUnavailable(), OptionalServiceDown("redis"), StoreUnavailable())
    assert [is_lasting(error) for error in (*lasting, *passing)] == [True] * 2 + [False] * 3


async def test_a_watch_runs_while_long_jobs_take_every_other_slot(line: Line) -> None:
    begin = asyncio.Event()
    started, long, watched = list[UUID](), [uuid4() for _ in range(3)], uuid4()

    async def handler(tenant: UUID, subject: UUID) -> None:
        started.append(subject)
        if subject != watched:
            await begin.wait()

    for subject in long:
        await line.add(subject=subject)
    # The third is woken by the end of the first.
    async with line.working(handler, concurrency=2, times=UNPOLLED):
        await until(lambda: set(started) == set(long[:2]))
        await line.add(subject=watched, kind=JobKind.WATCH_TURN)
        await until(lambda: started[2:] == [watched])
        begin.set()
        await until(lambda: started[2:] == [watched, long[2]])


async def _failed(line: Line, job: int) -> bool:
    found = await line.job(job)
    return found is not None and found["status"] == "failed"
