"""Consent: without it nothing is remembered; memories can be undone and conversations deleted."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from saegim.app.infrastructure import Fakes
from tests.integration.memory.turns import Hands, Talk
from tests.integration.memory.verbatim_extractor import reading, supersedes
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LM11")

OFF, ON = (dict.fromkeys(("learning", "using"), on) for on in (False, True))


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
async def stack(databases: Databases, clock: Hands) -> AsyncIterator[Stack]:
    models = reading({"부산으로 이사했어": supersedes("나는 서울에 살아")})
    async with new_stack(databases, Fakes(clock=clock, models=models)) as running:
        yield running


async def index(stack: Stack, turn: UUID) -> bool:
    return await stack.services.memory.episodes.index(stack.tenant.tenant.id, turn)


async def call(stack: Stack, method: str, path: str, **more: Any) -> dict[str, Any]:
    response = await stack.http.request(method, path, headers=stack.headers(), **more)
    assert response.status_code == 200, response.text
    return response.json()


async def test_a_temporary_chat_leaves_nothing(stack: Stack) -> None:
    reply = await call(
        stack, "POST", "/v1/chat", json={"message": "나는 서울에 살아", "temporary": True}
    )
    turn = UUID(reply["turn_id"])
    await stack.services.memory.extraction.extract(stack.tenant.tenant.id, turn)
    assert not await index(stack, turn)
    assert await Talk(stack).known() == []
    shown = await call(stack, "GET", f"/v1/turns/{turn}/memories")
    assert shown["reading"] == "off"


async def test_a_person_turns_memory_off_and_on(stack: Stack, clock: Hands) -> None:
    talk = Talk(stack)
    assert await call(stack, "PUT", "/v1/consent", json=OFF) == OFF
    turn = await talk.say("나는 서울에 살아")
    assert not await index(stack, turn)
    assert await talk.known() == []
    await Talk(stack, user="bob").say("나는 서울에 살아")
    assert len(await Talk(stack, user="bob").known()) == 1, "one person's no is nobody else's"
    clock.on(minutes=1)
    assert await call(stack, "PUT", "/v1/consent", json=ON) == ON
    await talk.say("부산으로 이사했어")
    assert await talk.contents() == ["부산으로 이사했어"]


async def test_an_administrator_turns_memory_off_for_all(stack: Stack) -> None:
    await call(stack, "PUT", "/v1/consent/tenant", json=OFF)
    talk = Talk(stack, user="bob")
    await talk.say("나는 서울에 살아")
    assert await talk.known() == []
    key = await stack.services.auth.tenants.create_key(
        stack.tenant.tenant.id, stack.tenant.assistant.id, "bob's", "bob"
    )
    refused = await stack.http.put(
        "/v1/consent/tenant",
        json=ON,
        headers={"Authorization": f"Bearer {key}"},
    )
    assert refused.status_code == 403


async def test_what_was_just_remembered_is_shown_and_taken_back(stack: Stack) -> None:
    talk = Talk(stack)
    await talk.say("나는 서울에 살아")
    turn = await talk.say("부산으로 이사했어")
    shown = await call(stack, "GET", f"/v1/turns/{turn}/memories")
    assert shown["reading"] == "read"
    assert [each["content"] for each in shown["remembered"]] == ["부산으로 이사했어"]
    assert await call(stack, "DELETE", f"/v1/turns/{turn}/memories") == {"forgotten": 1}
    assert await talk.contents() == ["나는 서울에 살아"], "what it replaced holds again"
    await stack.services.memory.extraction.extract(stack.tenant.tenant.id, turn)
    assert await talk.contents() == ["나는 서울에 살아"]


async def test_a_conversation_is_deleted_with_what_it_alone_told(
    stack: Stack, databases: Databases
) -> None:
    first, second = Talk(stack, session="one"), Talk(stack, session="two")
    await first.say("나는 서울에 살아")
    await first.say("땅콩 알레르기가 있어")
    turn = await second.say("땅콩 알레르기가 있어")
    await second.say("부산으로 이사했어")
    await index(stack, turn)
    session = second.last["session_id"]
    assert await call(stack, "DELETE", f"/v1/sessions/{session}?derived=true") == {"turns": 2}
    assert await first.contents() == ["나는 서울에 살아", "땅콩 알레르기가 있어"]
    gone = await stack.http.get(f"/v1/sessions/{session}/turns", headers=stack.headers())
    assert gone.status_code == 404
    with psycopg.connect(databases.admin_url) as connection:
        for table in ("turn", "episode", "session"):
            left = connection.execute(
                f"select 1 from saegim.{table} where session_id = %s".encode(), (session,)
            ).fetchall()
            assert left == [], table
    not_mine = first.last["session_id"]
    refused = await stack.http.delete(f"/v1/sessions/{not_mine}", headers=stack.headers("bob"))
    assert refused.status_code == 404


async def test_without_asking_what_was_derived_stays(stack: Stack) -> None:
    talk = Talk(stack)
    await talk.say("나는 서울에 살아")
    await call(stack, "DELETE", f"/v1/sessions/{talk.last['session_id']}")
    assert await talk.contents() == ["나는 서울에 살아"]


async def test_learning_and_using_are_switched_apart(stack: Stack, clock: Hands) -> None:
    talk = Talk(stack)
    await talk.say("나는 서울에 살아")
    await call(stack, "PUT", "/v1/consent", json={"learning": False, "using": True})
    await talk.say("고양이 나비를 키워")
    assert await talk.contents() == ["나는 서울에 살아"]
    recalled = await call(stack, "POST", "/v1/recall", json={"message": "나는 어디에 살아?"})
    reply = await call(stack, "POST", "/v1/chat", json={"message": "나는 어디에 살아?"})
    assert recalled["pinned"] or recalled["records"]
    assert reply["memory_off"] is False

    only_learning = {"learning": True, "using": False}
    assert await call(stack, "PUT", "/v1/consent", json=only_learning) == only_learning
    clock.on(minutes=1)
    await talk.say("강아지 초코를 키워")
    assert "강아지 초코를 키워" in await talk.contents()
    recalled = await call(stack, "POST", "/v1/recall", json={"message": "나는 어디에 살아?"})
    reply = await call(stack, "POST", "/v1/chat", json={"message": "나는 어디에 살아?"})
    trace = await call(stack, "GET", f"/v1/turns/{reply['turn_id']}/trace")
    assert recalled["records"] == recalled["pinned"] == recalled["episodes"] == []
    assert reply["memory_off"] is True
    assert trace["trace"]["memory_off"] is True
    assert "서울" not in reply["answer"]
