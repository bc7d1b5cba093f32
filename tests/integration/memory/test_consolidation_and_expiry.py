"""Old records become digests, expire by type and importance, and leave an audit entry."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.jobs.types import JobKind
from saegim.llm.ports import ModelRole
from saegim.memory.consolidation import DigestForm as Digested
from saegim.memory.types import Action, Actor, ChangeReason, MemoryType
from tests.integration.memory.records import told
from tests.integration.memory.turns import Hands, Talk
from tests.integration.memory.verbatim_extractor import VerbatimExtractor, reading
from tests.stack import Databases, Stack, new_stack


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
async def stack(databases: Databases, clock: Hands) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=clock, models=reading(DETAILS))) as running:
        yield running


TRIPS = ("제주도 다녀왔어", "강릉 다녀왔어", "부산 다녀왔어", "속초 다녀왔어", "여수 다녀왔어")
DETAILS = {
    **{trip: {"topic": "여행"} for trip in TRIPS},
    "땅콩 알레르기가 있어": {"type": MemoryType.CONSTRAINT, "topic": "건강", "core": True},
}


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
    consolidate = stack.services.memory.consolidation.consolidate
    assert await consolidate(scope.tenant, scope.profile) == 0, "nothing is old yet"
    before = {record.id: record.importance for record in await talk.known()}
    clock.on(days=120)
    assert await consolidate(scope.tenant, scope.profile) == 1
    assert await consolidate(scope.tenant, scope.profile) == 0, "running twice makes none twice"
    [digest] = await stack.services.memory.records.digests(scope)
    assert all(trip.split()[0] in digest.summary for trip in TRIPS)
    assert digest.topics == ("여행",)
    assert len(digest.sources) == len(TRIPS)
    after = {record.id: record.importance for record in await talk.known()}
    assert all(after[record] == importance for record, importance in before.items())
    [event] = await stack.services.memory.records.trail(scope, digest.id, 5)
    assert (event.action, event.actor) == (Action.CONSOLIDATE, Actor.FALLBACK)


@pytest.mark.requirement("LM6")
async def test_a_digest_is_recalled_and_listed_and_can_be_undone(
    stack: Stack, clock: Hands
) -> None:
    await travelled(stack, clock)
    clock.on(days=120)
    headers = stack.headers()
    made = await stack.http.post("/v1/memories/consolidate", headers=headers)
    assert made.json() == {"digests": 1}
    [digest] = [each for each in await _listed(stack) if "digest" in each["tags"]]
    here = f"/v1/memories/{digest['memory_id']}"
    sources = (await stack.http.get(f"{here}/sources", headers=headers)).json()
    assert [each["content"] for each in sources] == list(TRIPS)

    recalled = await _recalled(stack, "언제 어디 다녀왔지?")
    assert digest["memory_id"] in recalled
    told = [recalled[each["memory_id"]] for each in sources]
    needed = await _recalled(stack, "속초 다녀왔지?")
    [sokcho] = [each["memory_id"] for each in sources if "속초" in each["content"]]
    assert needed[sokcho] > needed[digest["memory_id"]], "the source that is asked for comes fully"

    assert (await stack.http.delete(here, headers=headers)).status_code == 204
    undone = await _recalled(stack, "언제 어디 다녀왔지?")
    assert digest["memory_id"] not in undone
    assert sum(undone[each["memory_id"]] for each in sources) > sum(told)
    assert (await stack.http.post(f"{here}/undo", headers=headers)).status_code == 200
    again = await _recalled(stack, "언제 어디 다녀왔지?")
    assert [again[each["memory_id"]] for each in sources] == pytest.approx(told)


async def _listed(stack: Stack) -> list[dict[str, Any]]:
    response = await stack.http.get("/v1/memories", headers=stack.headers())
    return response.json()["memories"]


async def _recalled(stack: Stack, message: str) -> dict[str, float]:
    """The score of each record that came back."""
    response = await stack.http.post(
        "/v1/recall", json={"message": message}, headers=stack.headers()
    )
    found = response.json()
    return {each["id"]: each["score"] for each in (*found["records"], *found["dropped"])}


@pytest.mark.requirement("LM6", "LM7")
async def test_a_source_outlives_consolidation_and_a_digest_its_changed_source(
    stack: Stack, clock: Hands
) -> None:
    talk = await travelled(stack, clock)
    scope = (await stack.caller()).scope
    clock.on(days=120)
    await stack.services.memory.consolidation.consolidate(scope.tenant, scope.profile)
    clock.on(days=700)
    await stack.services.governance.retention.clean_up(scope.tenant, scope.tenant)
    contents = await talk.contents()
    assert set(TRIPS) <= set(contents), "a digest must not make its sources fade"
    assert len(contents) == len(TRIPS) + 2

    [first] = [record for record in await talk.known() if record.content == TRIPS[0]]
    await stack.services.memory.records.forget(scope, [first.id], ChangeReason(Actor.PERSON))
    assert await stack.services.memory.records.digests(scope) == ()
    assert len(await talk.contents()) == len(TRIPS)


@pytest.mark.requirement("LM1", "LM7")
async def test_a_retention_label_goes_before_type_and_importance(
    stack: Stack, clock: Hands
) -> None:
    headers = stack.headers()
    body = {"content": "주차 위치는 B2 기둥 7이다", "retention": "short"}
    short = (await stack.http.post("/v1/memories", json=body, headers=headers)).json()
    body = {"content": "여권을 갱신한다", "type": "todo"}
    kept = (await stack.http.post("/v1/memories", json=body, headers=headers)).json()
    here = f"/v1/memories/{kept['memory_id']}/retention"
    assert (short["retention"], kept["retention"]) == ("short", None)
    labelled = await stack.http.put(here, json={"label": "keep"}, headers=headers)
    assert labelled.json()["retention"] == "keep"
    unknown = await stack.http.put(here, json={"label": "forever"}, headers=headers)
    assert unknown.json()["code"] == "invalid"

    clock.on(days=400)
    scope = (await stack.caller()).scope
    assert (
        await stack.services.governance.retention.clean_up(scope.tenant, scope.tenant)
    ).memories == 1
    assert [each["content"] for each in await _listed(stack)] == ["여권을 갱신한다"]


async def test_a_model_tells_the_digest_where_there_is_one(
    databases: Databases, clock: Hands
) -> None:
    models = ScriptedModels(
        {
            ModelRole.SUMMARIZER: lambda _: Digested(summary="봄에 다섯 곳을 여행했다."),
            ModelRole.EXTRACTOR: VerbatimExtractor(DETAILS),
        }
    )
    async with new_stack(databases, Fakes(clock=clock, models=models)) as stack:
        await travelled(stack, clock)
        scope = (await stack.caller()).scope
        clock.on(days=120)
        assert (
            await stack.services.memory.consolidation.consolidate(scope.tenant, scope.profile) == 1
        )
        [digest] = await stack.services.memory.records.digests(scope)
        assert digest.summary == "봄에 다섯 곳을 여행했다."
        shown = models.requests[-1].messages[-1].text
        assert all(trip in shown for trip in TRIPS)


async def test_a_memory_is_looked_after_every_week(stack: Stack) -> None:
    await Talk(stack).say("나는 서울에 살아")
    scope = (await stack.caller()).scope
    async with stack.services.db.cells.home.connection() as connection:
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
    records, now = stack.services.memory.records, clock.now()
    person = told("x").statement
    assert person.type is MemoryType.FACT
    from tests.integration.memory.records import PERSON

    old_todo = told("우유 사기", now - timedelta(days=400), type=MemoryType.TODO)
    new_todo = told("여권 갱신", now - timedelta(days=10), type=MemoryType.TODO)
    small = told("비가 왔다", now - timedelta(days=800), importance=0.1)
    lately = told("눈이 왔다", now - timedelta(days=100), importance=0.1)
    core = told("땅콩 알레르기", now - timedelta(days=3_000), importance=0.1, core=True)
    pinned = told("암호는 노을", now - timedelta(days=3_000), importance=0.1, pinned=True)
    added = [
        await records.add(scope, new, PERSON)
        for new in (old_todo, new_todo, small, lately, core, pinned)
    ]
    removed = await stack.services.governance.retention.clean_up(scope.tenant, scope.tenant)
    assert removed.memories == 2
    left = set(await Talk(stack).contents())
    assert left == {"여권 갱신", "눈이 왔다", "땅콩 알레르기", "암호는 노을"}
    trails = [await records.trail(scope, record.id, 100) for record in added]
    expired = [event for trail in trails for event in trail if event.action is Action.EXPIRE]
    assert len(expired) == 2
    assert {(event.actor, event.reason) for event in expired} == {(Actor.RULE, "past its time")}
    assert (
        await stack.services.governance.retention.clean_up(scope.tenant, scope.tenant)
    ).memories == 0
