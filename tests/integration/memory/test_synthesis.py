"""What is derived from memories: listed with its reasons, undone, removed, used in answers."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.chat.preview import PreviewRequest
from saegim.llm.ports import ModelRole
from saegim.memory.synthesis.service import WordingForm, WordingsForm
from saegim.memory.synthesis.types import DerivedKind
from saegim.memory.types import MemoryType
from tests.integration.memory.turns import Hands, Talk
from tests.integration.memory.verbatim_extractor import reading, supersedes
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LM12")


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
async def stack(databases: Databases, clock: Hands) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=clock)) as running:
        yield running


async def add(stack: Stack, content: str, topic: str, kind: str = "preference") -> str:
    body = {"content": content, "topic": topic, "type": kind}
    response = await stack.http.post("/v1/memories", json=body, headers=stack.headers())
    assert response.status_code == 201, response.text
    return response.json()["memory_id"]


async def synthesise(stack: Stack) -> int:
    scope = (await stack.caller()).scope
    return await stack.services.memory.synthesis.synthesise(scope.tenant, scope.profile)


async def derived(stack: Stack, kind: str = "observation") -> list[dict[str, Any]]:
    response = await stack.http.get(
        "/v1/memory/derived", params={"kind": kind}, headers=stack.headers()
    )
    assert response.status_code == 200, response.text
    return response.json()["derived"]


async def coffee(stack: Stack, clock: Hands) -> list[str]:
    first = await add(stack, "아침에 커피를 마신다", "습관")
    clock.on(days=3)
    second = await add(stack, "아침에는 커피를 마신다", "습관")
    await synthesise(stack)
    return [first, second]


async def test_an_observation_names_its_sources(stack: Stack, clock: Hands) -> None:
    sources = await coffee(stack, clock)
    [observation] = await derived(stack)
    assert observation["content"] == "아침에는 커피를 마신다"
    assert [each["memory_id"] for each in observation["sources"]] == sources
    assert (observation["proofs"], observation["confidence"]) == (2, 0.75)
    assert await synthesise(stack) == 0, "running twice changes nothing"


async def test_a_forgotten_source_takes_back_the_observation_at_once(
    stack: Stack, clock: Hands
) -> None:
    [first, second] = await coffee(stack, clock)
    await stack.http.delete(f"/v1/memories/{second}", headers=stack.headers())
    assert await derived(stack) == [], "before the job has run"
    await synthesise(stack)
    assert await derived(stack) == []
    await stack.http.post(f"/v1/memories/{second}/undo", headers=stack.headers())
    await synthesise(stack)
    [observation] = await derived(stack)
    assert [each["memory_id"] for each in observation["sources"]] == [first, second]


async def test_a_restored_record_takes_back_what_rested_on_the_one_it_replaced(
    databases: Databases, clock: Hands
) -> None:
    home = {"type": MemoryType.PROFILE, "topic": "거주지"}
    moved = {"나는 부산에 살아": {**home, **supersedes("나는 서울에 살아")}}
    models = reading({"나는 서울에 살아": home, **moved})
    async with new_stack(databases, Fakes(clock=clock, models=models)) as stack:
        await _profile_follows_the_home(stack)


async def _profile_follows_the_home(stack: Stack) -> None:
    for number, home in enumerate(("나는 서울에 살아", "나는 부산에 살아")):
        await Talk(stack, session=f"s{number}").say(home)
    listed = (await stack.http.get("/v1/memories", headers=stack.headers())).json()["memories"]
    [busan] = [each["memory_id"] for each in listed if "부산" in each["content"]]
    await stack.http.delete(f"/v1/memories/{busan}", headers=stack.headers())
    await synthesise(stack)
    [line] = await derived(stack, "profile")
    assert "서울" in line["content"]
    await stack.http.post(f"/v1/memories/{busan}/undo", headers=stack.headers())
    assert await derived(stack, "profile") == [], "before the job has run"
    await synthesise(stack)
    [line] = await derived(stack, "profile")
    assert "부산" in line["content"]
    assert "서울" in line["against"][0]["content"]


async def test_what_is_undone_stays_undone_until_its_sources_change(
    stack: Stack, clock: Hands
) -> None:
    [_, second] = await coffee(stack, clock)
    [before] = await derived(stack)
    here = f"/v1/memory/derived/{before['derived_id']}"
    undone = await stack.http.post(f"{here}/undo", headers=stack.headers())
    assert undone.json() == before | {"undone": True}
    await add(stack, "수영을 좋아한다", "취미")
    await synthesise(stack)
    assert await derived(stack) == [before | {"undone": True}]
    restored = await stack.http.post(f"{here}/restore", headers=stack.headers())
    assert restored.json() == before

    await stack.http.post(f"{here}/undo", headers=stack.headers())
    change = {"content": "아침에 커피를 마신다고"}
    await stack.http.patch(f"/v1/memories/{second}", json=change, headers=stack.headers())
    await synthesise(stack)
    [changed] = await derived(stack)
    assert (changed["content"], changed["undone"]) == (change["content"], False)


async def test_an_unknown_one_cannot_be_undone(stack: Stack, clock: Hands) -> None:
    await coffee(stack, clock)
    [one] = await derived(stack)
    path = f"/v1/memory/derived/{one['derived_id']}/undo"
    other = await stack.http.post(path, headers=stack.headers("bob"))
    assert other.status_code == 404


async def test_every_change_of_memory_queues_one_synthesis(stack: Stack) -> None:
    for number in range(3):
        await add(stack, f"{number}번째 메모", "메모", "note")
    assert await _waiting(stack) == 1


async def _waiting(stack: Stack) -> int:
    async with stack.services.db.cells.home.connection() as connection:
        cursor = await connection.execute(
            "select count(*) as jobs from procrastinate_jobs"
            " where task_name = 'synthesise' and args ->> 'tenant' = %s and status = 'todo'",
            (str(stack.tenant.tenant.id),),
        )
        row = await cursor.fetchone()
    assert row is not None
    return row["jobs"]


async def test_the_profile_is_in_every_context_but_not_twice(stack: Stack, clock: Hands) -> None:
    memory = await add(stack, "매운 음식을 좋아한다", "취향")
    pinned = await add(stack, "호두를 싫어한다", "취향")
    await stack.http.put(
        f"/v1/memories/{pinned}/pin", json={"pinned": True}, headers=stack.headers()
    )
    await add(stack, "금요일까지 보고서를 쓴다", "할 일", "todo")
    await synthesise(stack)
    [first, second] = (await _blocks(stack, "안녕하세요"))["profile"]
    assert "매운 음식을 좋아한다" in first
    assert "보고서" in second
    asked = await _blocks(stack, "매운 음식 좋아하니?")
    assert not any("매운 음식" in each for each in asked["memories"])

    [line] = [each for each in await derived(stack, "profile") if "매운" in each["content"]]
    assert [each["memory_id"] for each in line["sources"]] == [memory]
    path = f"/v1/memory/derived/{line['derived_id']}/undo"
    await stack.http.post(path, headers=stack.headers())
    assert not any("매운" in each for each in (await _blocks(stack, "안녕하세요"))["profile"])

    clock.on(days=40)
    assert (await _blocks(stack, "안녕하세요"))["profile"] == [], "plans of last month are over"


async def _blocks(stack: Stack, message: str) -> dict[str, list[str]]:
    """The pieces of the profile and of the memories in the context of a message."""
    caller = await stack.caller()
    context, _ = await stack.services.chat.preview.draft(caller, PreviewRequest(message))
    return {
        name: [piece.shown for piece in getattr(context.found, name)]
        for name in ("pinned", "profile", "memories")
    }


async def test_turns_make_observations(databases: Databases, clock: Hands) -> None:
    async with new_stack(databases, Fakes(clock=clock, models=reading())) as stack:
        await _one_statement_in_three_sessions_is_observed(stack, clock)


async def _one_statement_in_three_sessions_is_observed(stack: Stack, clock: Hands) -> None:
    for number in range(3):
        await Talk(stack, session=f"s{number}").say("나는 땅콩 알레르기가 있어")
        clock.on(days=1)
    await synthesise(stack)
    [observation] = await derived(stack)
    assert observation["proofs"] == 3
    assert len(observation["sources"]) == 1


async def test_a_model_words_what_code_has_chosen(databases: Databases, clock: Hands) -> None:
    sentences = iter(["아침마다 커피를 마신다", "커피를 끊고 담배를 피운다"])

    def observe(_: object) -> WordingsForm:
        return WordingsForm(observations=[WordingForm(number=0, sentence=next(sentences))])

    models = ScriptedModels({ModelRole.SUMMARIZER: observe})
    async with new_stack(databases, Fakes(models=models, clock=clock)) as stack:
        await coffee(stack, clock)
        [observation] = await derived(stack)
        assert observation["content"] == "아침마다 커피를 마신다"
        clock.on(days=1)
        await add(stack, "아침에도 커피를 마신다", "습관")
        await synthesise(stack)
        [observation] = await derived(stack, DerivedKind.OBSERVATION)
        assert len(observation["sources"]) == 3
        assert observation["content"] == "아침에도 커피를 마신다", "the model made something up"


async def test_without_synthesis_nothing_is_derived_and_old_conclusions_go(
    databases: Databases, clock: Hands
) -> None:
    async with new_stack(databases, Fakes(clock=clock)) as running:
        await coffee(running, clock)
        assert await derived(running)
        scope = (await running.caller()).scope
        off = replace(running.services.memory.synthesis, enabled=False)
        removed = await off.synthesise(scope.tenant, scope.profile)
        assert removed >= 2, "an observation and a line of the profile"
        assert await derived(running) == []
        assert await derived(running, "profile") == []
