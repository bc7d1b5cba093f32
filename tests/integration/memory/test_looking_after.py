"""Old records are told in digests, expire by type and by weight, and each leaves its trail."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from saegim.bootstrap import Fakes
from saegim.domain.jobs import JobKind
from saegim.memory.consolidation import Told as Digested
from saegim.memory.types import Action, Actor, MemoryType
from saegim.steps.ports import ModelRole
from saegim.testing.models import ScriptedModels
from tests.integration.memory.records import told
from tests.integration.memory.saying import Hands, Talk
from tests.stack import Databases, Stack, new_stack


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
async def stack(databases: Databases, clock: Hands) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=clock)) as running:
        yield running


TRIPS = ("제주도 다녀왔어", "강릉 다녀왔어", "부산 다녀왔어", "속초 다녀왔어", "여수 다녀왔어")


async def travelled(stack: Stack, clock: Hands) -> Talk:
    talk = Talk(stack)
    for trip in TRIPS:
        await talk.say(trip)
        clock.on(days=3)
    await talk.say("땅콩 알레르기가 있어")
    return talk


@pytest.mark.requirement("LM6")
async def test_old_records_of_a_topic_become_one_digest(stack: Stack, clock: Hands) -> None:
    talk = await travelled(stack, clock)
    scope = (await stack.caller()).scope
    consolidate = stack.services.consolidation.consolidate
    assert await consolidate(scope.tenant, scope.profile) == 0, "nothing is old yet"
    before = {record.id: record.importance for record in await talk.known()}
    clock.on(days=120)
    assert await consolidate(scope.tenant, scope.profile) == 1
    assert await consolidate(scope.tenant, scope.profile) == 0, "running twice makes none twice"
    [digest] = await stack.services.records.digests(scope)
    assert all(trip.split()[0] in digest.summary for trip in TRIPS)
    assert digest.topics == ("있었던 일",)
    assert len(digest.sources) == len(TRIPS)
    for record in await talk.known():
        lowered = record.id in digest.sources
        assert record.importance == pytest.approx(before[record.id] * (0.5 if lowered else 1.0))
    [event] = await stack.services.records.trail(scope, digest.id, 5)
    assert (event.action, event.actor) == (Action.CONSOLIDATE, Actor.TWIN)


async def test_a_model_tells_the_digest_where_there_is_one(
    databases: Databases, clock: Hands
) -> None:
    models = ScriptedModels(
        {ModelRole.SUMMARIZER: lambda _: Digested(summary="봄에 다섯 곳을 여행했다.")}
    )
    async with new_stack(databases, Fakes(clock=clock, models=models)) as stack:
        await travelled(stack, clock)
        scope = (await stack.caller()).scope
        clock.on(days=120)
        assert await stack.services.consolidation.consolidate(scope.tenant, scope.profile) == 1
        [digest] = await stack.services.records.digests(scope)
        assert digest.summary == "봄에 다섯 곳을 여행했다."
        shown = models.shown[-1].messages[-1].text
        assert all(trip in shown for trip in TRIPS)


async def test_a_memory_is_looked_after_every_week(stack: Stack) -> None:
    await Talk(stack).say("나는 서울에 살아")
    scope = (await stack.caller()).scope
    async with stack.services.cells.home.connection() as connection:
        cursor = await connection.execute(
            "select count(*) as jobs from procrastinate_jobs "
            "where task_name = %s and args ->> 'subject' = %s",
            (str(JobKind.CONSOLIDATE), str(scope.profile)),
        )
        row = await cursor.fetchone()
    assert row is not None
    assert row["jobs"] == 1


@pytest.mark.requirement("LM7")
async def test_records_expire_by_type_and_by_weight_but_never_the_core(
    stack: Stack, clock: Hands
) -> None:
    scope = (await stack.caller()).scope
    records, now = stack.services.records, clock.now()
    person = told("x").statement
    assert person.type is MemoryType.FACT
    from tests.integration.memory.records import PERSON

    old_todo = told("우유 사기", now - timedelta(days=400), type=MemoryType.TODO)
    new_todo = told("여권 갱신", now - timedelta(days=10), type=MemoryType.TODO)
    small = told("비가 왔다", now - timedelta(days=800), importance=0.1)
    lately = told("눈이 왔다", now - timedelta(days=100), importance=0.1)
    core = told("땅콩 알레르기", now - timedelta(days=3_000), importance=0.1, core=True)
    pinned = told("암호는 노을", now - timedelta(days=3_000), importance=0.1, pinned=True)
    for new in (old_todo, new_todo, small, lately, core, pinned):
        await records.add(scope, new, PERSON)
    removed = await stack.services.retention.clean_up(scope.tenant, scope.tenant)
    assert removed.memories == 2
    left = set(await Talk(stack).contents())
    assert left == {"여권 갱신", "눈이 왔다", "땅콩 알레르기", "암호는 노을"}
    trail = await records.trail(scope, None, 100)
    expired = [event for event in trail if event.action is Action.EXPIRE]
    assert len(expired) == 2
    assert {(event.actor, event.reason) for event in expired} == {(Actor.RULE, "past its time")}
    assert (await stack.services.retention.clean_up(scope.tenant, scope.tenant)).memories == 0
