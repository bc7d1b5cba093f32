"""Memory in the hands of the person it is about, through the client and the API."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx2
import pytest

from saegim.api.app import create_app
from saegim.client import SaegimClient, SaegimProblem
from saegim.client.memory_types import Memory
from saegim.memory.types import MemoryType, Origin
from tests.integration.memory.records import PERSON, told
from tests.stack import Stack

MASKED = "App.config['SECRET_KEY'] = '[SECRET]'"


@asynccontextmanager
async def _client(
    stack: Stack, user: str, profile: str | None = None
) -> AsyncIterator[SaegimClient]:
    transport = httpx2.ASGITransport(app=create_app(stack.services))
    client = SaegimClient(
        "http://saegim", stack.tenant.key, user=user, profile=profile, transport=transport
    )
    async with client:
        yield client


async def _all(client: SaegimClient, words: str = "", **narrowed: object) -> list[Memory]:
    return [each async for each in client.memories.browse(words, **narrowed)]  # pyright: ignore[reportArgumentType] - as named by the caller


async def test_a_person_sets_the_importance_alone(stack: Stack) -> None:
    async with _client(stack, "anna") as client:
        written = await client.memories.add("땅콩 알레르기가 있다", "constraint", "건강")
        corrected = await client.memories.correct(written.memory_id, importance=0.25)
        found = await client.memories.get(written.memory_id)

    assert (corrected.version, found.importance) == (2, 0.25)


@pytest.mark.requirement("LM4")
async def test_allergy_that_a_person_writes_is_recalled_whatever_is_asked(stack: Stack) -> None:
    async with _client(stack, "anna") as client:
        await client.memories.add("땅콩 알레르기가 있다", "constraint")
        await client.memories.add("보고서는 화요일에 낸다")
        recalled = await client.memories.recall("오늘 날씨 어때?")
    assert [each.text for each in recalled.pinned] == ["땅콩 알레르기가 있다"]


@pytest.mark.requirement("LM7")
async def test_a_memory_is_corrected_and_rolled_back_with_its_trail(stack: Stack) -> None:
    async with _client(stack, "anna") as client:
        written = await client.memories.add("땅콩 알레르기가 있다", "constraint", "건강")
        corrected = await client.memories.correct(
            written.memory_id, content="호두 알레르기가 있다", reason="잘못 적음"
        )
        back = await client.memories.roll_back(written.memory_id, 1)
        versions = await client.memories.versions(written.memory_id)
        trail = await client.memories.trail(written.memory_id)

    assert (corrected.version, corrected.content) == (2, "호두 알레르기가 있다")
    assert (back.version, back.content) == (3, "땅콩 알레르기가 있다")
    assert [each.version for each in versions] == [3, 2, 1]
    assert [each.action for each in trail] == ["roll_back", "revise", "add"]
    assert trail[1].reason == "잘못 적음"


@pytest.mark.requirement("LM4")
async def test_a_pinned_memory_is_recalled_whatever_is_asked(stack: Stack) -> None:
    async with _client(stack, "pia") as client:
        written = await client.memories.add("창가 자리에 앉는다")
        before = await client.memories.recall("내일 날씨")
        await client.memories.pin(written.memory_id)
        after = await client.memories.recall("내일 날씨")

    assert before.pinned == ()
    assert [each.text for each in after.pinned] == ["창가 자리에 앉는다"]


@pytest.mark.requirement("LM7")
async def test_what_is_forgotten_can_be_brought_back(stack: Stack) -> None:
    async with _client(stack, "fred") as client:
        written = await client.memories.add("비밀번호 힌트는 고양이")
        await client.memories.forget(written.memory_id)
        gone, forgotten = await _all(client), await _all(client, forgotten=True)
        await client.memories.undo(written.memory_id)
        back = await _all(client)

    assert gone == []
    assert [each.memory_id for each in forgotten] == [written.memory_id]
    assert [each.memory_id for each in back] == [written.memory_id]


@pytest.mark.requirement("LM9")
async def test_memories_are_found_by_words_type_and_year(stack: Stack) -> None:
    async with _client(stack, "lena") as client:
        await client.memories.add("제주도에 다녀왔다", "timeline")
        await client.memories.add("귤을 좋아한다", "preference")
        # Years are counted where the person lives.
        year = stack.services.clock.now().astimezone(ZoneInfo("Asia/Seoul")).year
        by_word = await _all(client, "제주도")
        by_type = await _all(client, types=["preference"])
        this_year = await _all(client, from_year=year, to_year=year)
        before = await _all(client, to_year=year - 1)
        months = await client.memories.timeline()

    assert [each.content for each in by_word] == ["제주도에 다녀왔다"]
    assert [each.content for each in by_type] == ["귤을 좋아한다"]
    assert (len(this_year), before) == (2, [])
    assert sum(each.records for each in months) == 2


@pytest.mark.requirement("LM8", "LM9")
async def test_a_memory_is_taken_along_to_another_profile_once(stack: Stack) -> None:
    async with _client(stack, "mina") as client, _client(stack, "mina", "work") as work:
        await client.memories.add("서울에 산다", "fact", "집")
        exported = await client.memories.export()
        async with stack.working():
            await work.memories.take_in(exported)
            await work.memories.take_in(exported)
            again = await client.memories.take_in(exported)
        moved = await _all(work)

        assert [(each.content, each.topic) for each in moved] == [("서울에 산다", "집")]
        assert again == 1
        assert len(await _all(client)) == 1


async def test_secrets_are_masked_in_what_a_person_writes(stack: Stack) -> None:
    async with _client(stack, "sam") as client:
        written = await client.memories.add("주민등록번호는 900101-1234568 이다")

    assert "1234568" not in written.content


@pytest.mark.requirement("LM8")
async def test_another_persons_memory_is_not_there(stack: Stack) -> None:
    async with _client(stack, "owner") as owner, _client(stack, "thief") as thief:
        written = await owner.memories.add("비밀이다")
        for attempt in (
            thief.memories.get(written.memory_id),
            thief.memories.correct(written.memory_id, content="내 것"),
            thief.memories.pin(written.memory_id),
            thief.memories.forget(written.memory_id),
            thief.memories.undo(written.memory_id),
            thief.memories.versions(written.memory_id),
            thief.memories.trail(written.memory_id),
            thief.memories.roll_back(written.memory_id, 1),
        ):
            with pytest.raises(SaegimProblem) as problem:
                await attempt
            assert problem.value.status == 404
        assert (await owner.memories.get(written.memory_id)).content == "비밀이다"


async def test_memories_are_sorted_filtered_and_counted(stack: Stack) -> None:
    async def listed(**params: str | bool) -> list[str]:
        response = await stack.http.get(
            "/v1/memories", params=params, headers=stack.headers("sora")
        )
        assert response.status_code == 200, response.text
        return [each["content"] for each in response.json()["memories"]]

    async with _client(stack, "sora") as client:
        first = await client.memories.add("첫째", "fact")
        second = await client.memories.add("둘째", "preference")
        third = await client.memories.add("셋째", "fact")
        await client.memories.correct(first.memory_id, importance=0.9)
        await client.memories.correct(second.memory_id, importance=0.1)
        await client.memories.pin(third.memory_id)
    now = stack.services.clock.now().astimezone(ZoneInfo("Asia/Seoul"))
    counts = await stack.http.get("/v1/memories/counts", headers=stack.headers("sora"))
    page = await stack.http.get(
        "/v1/memories?sort=importance&count=1", headers=stack.headers("sora")
    )

    assert await listed() == ["셋째", "둘째", "첫째"]
    assert await listed(sort="oldest") == ["첫째", "둘째", "셋째"]
    assert await listed(sort="importance") == ["첫째", "셋째", "둘째"]
    assert await listed(sort="importance", before=page.json()["next_before"]) == ["셋째", "둘째"]
    assert await listed(pinned=True) == ["셋째"]
    assert await listed(pinned=False, sort="oldest") == ["첫째", "둘째"]
    assert await listed(month=f"{now:%Y-%m}", sort="oldest", q="째") == ["첫째", "둘째", "셋째"]
    assert await listed(month=f"{now.year - 1}-12") == []
    assert await listed(month=f"{now.year + 1}-12", sort="oldest") == []
    assert counts.json() == {
        "total": 3,
        "pinned": 1,
        "to_review": 0,
        "forgotten": 0,
        "types": {"fact": 2, "preference": 1},
    }


@pytest.mark.requirement("LM4", "LM9")
async def test_memories_of_old_rules_wait_for_review(stack: Stack) -> None:
    scope, records = (await stack.caller("old")).scope, stack.services.memory.records
    contents = (
        "땅콩 알레르기가 있다",
        "오늘은 피자를 먹고 싶다",
        "App.config['SECRET_KEY'] = 'changeme'",
        "창가 자리에 앉는다",
    )
    for content in contents:
        await records.add(scope, replace(told(content, core=True), origin=Origin.FALLBACK), PERSON)
    stack.store_under_old_rules()
    later = replace(told("호두 알레르기가 있다", core=True), origin=Origin.FALLBACK)
    await records.add(scope, later, PERSON)
    headers = stack.headers("old")

    async def texts(client: SaegimClient) -> list[str]:
        return sorted(each.text for each in (await client.memories.recall("날씨")).pinned)

    async def to_review() -> dict[str, str]:
        page = await stack.http.get("/v1/memories?state=to_review", headers=headers)
        return {each["content"]: each["memory_id"] for each in page.json()["memories"]}

    async with _client(stack, "old") as client:
        assert await texts(client) == ["호두 알레르기가 있다"]
        waiting = await to_review()
        allergy, wish, secret, seat = (
            waiting[each] for each in (*contents[:2], MASKED, contents[3])
        )
        counts = await stack.http.get("/v1/memories/counts", headers=headers)
        assert counts.json()["to_review"] == len(waiting) == 4
        await client.memories.pin(UUID(seat))
        kept = await client.memories.correct(UUID(allergy), type="constraint")
        await client.memories.correct(UUID(wish))
        await client.memories.forget(UUID(secret))
        assert (kept.origin, kept.version) == ("person", 2)
        assert await texts(client) == [contents[0], contents[3], "호두 알레르기가 있다"]
        assert await to_review() == {}
        assert len(await _all(client)) == 4


@pytest.mark.requirement("LM13")
async def test_profile_leaves_out_memories_of_old_rules_until_they_are_kept(stack: Stack) -> None:
    scope, memory = (await stack.caller("old")).scope, stack.services.memory
    told_by_rule = replace(told("서울에 산다", type=MemoryType.PROFILE), origin=Origin.FALLBACK)
    record = await memory.records.add(scope, told_by_rule, PERSON)
    stack.store_under_old_rules()

    async def profile() -> list[str]:
        await memory.synthesis.synthesise(scope.tenant, scope.profile)
        return [each.memory.text for each in await memory.synthesis.known(scope)]

    assert await profile() == []
    async with _client(stack, "old") as client:
        await client.memories.correct(record.id)
    assert await profile() == ["서울에 산다"]


async def test_several_memories_are_forgotten_and_brought_back(stack: Stack) -> None:
    headers = stack.headers("bulk")

    async def post(path: str, body: object = None) -> dict[str, object]:
        response = await stack.http.post(path, json=body, headers=headers)
        assert response.status_code == 200, response.text
        return response.json()

    async with _client(stack, "bulk") as client, _client(stack, "other") as other:
        await other.memories.add("남의 기억")
        written = [await client.memories.add(f"기억 {number}") for number in range(60)]
        ids = [str(each.memory_id) for each in written]
        some = await post("/v1/memories/forget", {"memory_ids": ids[:3]})
        left = len(await _all(client))
        restored = await post("/v1/memories/undo", {"memory_ids": ids[:2]})
        everything = await post("/v1/memories/forget-all")
        none = await _all(client)
        counts = await stack.http.get("/v1/memories/counts", headers=headers)
        back = await post("/v1/memories/undo", {"batch": everything["batch"]})
        at_last = {str(each.memory_id) for each in await _all(client)}
        untouched = await _all(other)
    neither = await stack.http.post("/v1/memories/undo", json={}, headers=headers)

    assert (some["forgotten"], left, restored) == (3, 57, {"restored": 2})
    assert (everything["forgotten"], none, back) == (59, [], {"restored": 59})
    assert (counts.json()["total"], counts.json()["forgotten"]) == (0, 60)
    assert at_last == {*ids} - {ids[2]}
    assert len(untouched) == 1
    assert neither.status_code == 422
