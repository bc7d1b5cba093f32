"""Statements of turns are remembered once, with their source, until they are replaced."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from saegim.app.infrastructure import Fakes
from saegim.memory.types import Action, MemoryType, Origin
from tests.integration.memory.turns import Hands, Talk
from tests.integration.memory.verbatim_extractor import reading, supersedes
from tests.stack import Databases, Stack, new_stack

DETAILS = {
    "어제 부산으로 이사했어요.": {"type": MemoryType.PROFILE, "topic": "거주지"},
    "부산으로 이사했어": supersedes("나는 서울에 살아"),
    "I'm allergic to peanuts.": {"type": MemoryType.CONSTRAINT, "core": True},
}


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
async def stack(databases: Databases, clock: Hands) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=clock, models=reading(DETAILS))) as running:
        yield running


@pytest.mark.requirement("LM1", "LM2")
async def test_a_turn_is_remembered_with_its_source(stack: Stack, clock: Hands) -> None:
    talk = Talk(stack)
    turn = await talk.say("안녕하세요? 어제 부산으로 이사했어요. 뭐가 맛있나요?")
    [record] = await talk.known()
    assert record.content == "어제 부산으로 이사했어요."
    assert record.quote == "어제 부산으로 이사했어요."
    assert (record.type, record.topic, record.origin) == (
        MemoryType.PROFILE,
        "거주지",
        Origin.MODEL,
    )
    assert record.sources == (turn,)
    assert record.said_at == clock.now()
    scope = (await stack.caller()).scope
    [event] = await stack.services.memory.records.trail(scope, record.id, 10)
    assert (event.action, event.actor) == (Action.ADD, "model")


@pytest.mark.requirement("LM2")
async def test_a_home_is_replaced_and_both_keep_their_times(stack: Stack, clock: Hands) -> None:
    talk = Talk(stack)
    await talk.say("나는 서울에 살아")
    lived = clock.now()
    moved = clock.on(days=30)
    await talk.say("부산으로 이사했어")
    clock.on(days=1)
    assert await talk.contents() == ["부산으로 이사했어"]
    [before] = await talk.known(as_of=lived)
    assert before.content == "나는 서울에 살아"
    assert before.valid_to == moved
    assert before.superseded_by == (await talk.known())[0].id


async def test_what_adds_up_adds_up_and_what_is_said_again_does_not(stack: Stack) -> None:
    talk = Talk(stack)
    for message in ("강아지 초코를 키워", "고양이 나비도 키워", "강아지 초코를 키워!"):
        await talk.say(message)
    assert await talk.contents() == ["강아지 초코를 키워", "고양이 나비도 키워"]


async def test_said_in_another_conversation_it_has_another_source(stack: Stack) -> None:
    first, second = Talk(stack, session="one"), Talk(stack, session="two")
    sources = [await first.say("땅콩 알레르기가 있어"), await second.say("땅콩 알레르기가 있어")]
    [record] = await first.known()
    assert list(record.sources) == sources
    assert record.version == 1


async def test_numbers_and_contacts_are_masked_in_memories(stack: Stack) -> None:
    talk = Talk(stack)
    await talk.say("기억해줘, 내 비서 번호는 010-1234-5678이고 메일은 lee@example.com이야")
    for record in await talk.known():
        assert "1234" not in record.content + record.quote
        assert "example.com" not in record.content + record.quote
    assert {"phone", "email"} <= {kind for r in await talk.known() for kind in r.pii}


async def test_small_talk_leaves_nothing_and_is_read(stack: Stack) -> None:
    talk = Talk(stack)
    turn = await talk.say("고마워요!")
    assert await talk.known() == []
    shown = await stack.http.get(f"/v1/turns/{turn}/memories", headers=stack.headers())
    assert shown.json()["reading"] == "read"


async def test_a_worker_remembers_in_the_background(stack: Stack) -> None:
    talk = Talk(stack, times=0)
    async with stack.working():
        await talk.say("I'm allergic to peanuts.")
        async with asyncio.timeout(180):
            while not await talk.known():
                await asyncio.sleep(0.05)
    [record] = await talk.known()
    assert record.core
