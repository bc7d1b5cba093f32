"""Search over the encrypted turns of a user."""

import logging
import time
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.db.cells import HOME_CELL
from saegim.domain.scope import Scope
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("CH9")

log = logging.getLogger("saegim.figures")

MANY = 5_000


def short_answers() -> Fakes:
    return Fakes(models=ScriptedModels({ModelRole.LITE: lambda _: "알겠습니다."}))


async def said(stack: Stack, *messages: str, user: str = "alice") -> list[dict[str, Any]]:
    replies = [await stack.say(message, user) for message in messages]
    for reply in replies:
        await indexed(stack, reply["session_id"])
    return replies


async def indexed(stack: Stack, session: str) -> int:
    return await stack.services.conversations.search.index(stack.tenant.tenant.id, UUID(session))


async def search(stack: Stack, query: str, user: str = "alice") -> list[dict[str, Any]]:
    response = await stack.http.get(
        "/v1/sessions/search", params={"q": query}, headers=stack.headers(user)
    )
    assert response.status_code == 200, response.text
    return response.json()["hits"]


async def test_turns_are_found_whatever_the_particles_and_endings(databases: Databases) -> None:
    async with new_stack(databases, short_answers()) as stack:
        leave, budget, english = await said(
            stack,
            "안녕하세요, 육아휴직은 최대 며칠까지 쓸 수 있나요?",
            "내년 예산을 어떻게 나누죠?",
            "Which servers were deployed to Seoul?",
        )
        await said(stack, "육아휴직 규정을 알려 주세요", user="bob")
        found = await search(stack, "육아휴직을")
        by_budget = await search(stack, "예산이 얼마")
        by_english = await search(stack, "deploying a server")
        nothing = await search(stack, "천문학")

    [hit] = found
    assert hit["turn_id"] == leave["turn_id"]
    assert hit["session_id"] == leave["session_id"]
    assert hit["title"] == "육아휴직은 최대 며칠까지 쓸 수 있나요"
    assert "육아휴직은" in hit["snippet"]
    assert [each["turn_id"] for each in by_budget] == [budget["turn_id"]]
    assert [each["turn_id"] for each in by_english] == [english["turn_id"]]
    assert nothing == []


async def test_the_index_does_not_hold_words_and_goes_with_the_session(
    databases: Databases,
) -> None:
    async with new_stack(databases, short_answers()) as stack:
        [secret] = await said(stack, "육아휴직 신청서")
        again = await indexed(stack, secret["session_id"])
        session = f"/v1/sessions/{secret['session_id']}"
        await stack.http.delete(f"{session}?undoable=true", headers=stack.headers())
        hidden = await search(stack, "육아휴직")
        await stack.http.post(f"{session}/restore", headers=stack.headers())
        restored = await search(stack, "육아휴직")
        await stack.http.delete(session, headers=stack.headers())
        with psycopg.connect(databases.admin_url) as admin:
            left = admin.execute(
                "select count(*) from saegim.turn_terms where tenant_id = %s",
                (stack.tenant.tenant.id,),
            ).fetchone()

    assert again == 0
    assert hidden == []
    assert [each["turn_id"] for each in restored] == [secret["turn_id"]]
    assert left == (0,)


async def test_turns_out_of_use_are_not_found(databases: Databases) -> None:
    async with new_stack(databases, short_answers()) as stack:
        [one] = await said(stack, "바나나 가격")
        path = f"/v1/turns/{one['turn_id']}/edit"
        await stack.http.post(path, json={"message": "체리 가격"}, headers=stack.headers())
        assert await indexed(stack, one["session_id"]) == 1

        assert await search(stack, "바나나") == []
        assert len(await search(stack, "체리")) == 1
        # The one out of use matches as well, and does not take the place of the other.
        scope = (await stack.caller()).scope
        found = await stack.services.conversations.search.search(scope, "가격", 1)
        assert len(found) == 1


async def test_clean_up_indexes_turns_of_older_releases(databases: Databases) -> None:
    async with new_stack(databases, short_answers()) as stack:
        reply = await stack.say("오래된 질문")
        assert await search(stack, "오래된 질문") == []
        tenant = stack.tenant.tenant.id
        await stack.services.governance.retention.clean_up(tenant, tenant)

        [hit] = await search(stack, "오래된 질문")
        assert hit["turn_id"] == reply["turn_id"]


COPIES = """
insert into saegim.turn_terms (tenant_id, turn_id, session_id, member_id, profile_id, terms)
select tenant_id, gen_random_uuid(), session_id, member_id, profile_id, array(
    select (random() * 20000)::bigint from generate_series(1, 200) where n > 0
) || case when n %% 10 = 0 then terms else '{}' end
from saegim.turn_terms, generate_series(1, %s) n where turn_id = %s
"""


async def seconds_to_search(databases: Databases, *turns: int) -> list[float]:
    """Returns the shortest time of several searches by each of some users, who have so many turns.

    They search in turn: a busy moment slows all of them."""
    async with new_stack(databases, short_answers()) as stack:
        scopes = [await somebody(stack, count) for count in turns]
        took = [list[float]() for _ in turns]
        for _ in range(8):
            for scope, times in zip(scopes, took, strict=True):
                start = time.perf_counter()
                await stack.services.conversations.search.search(scope, "육아휴직 며칠", 20)
                times.append(time.perf_counter() - start)
    return [min(times) for times in took]


async def somebody(stack: Stack, turns: int) -> Scope:
    """A user with so many turns, in a tenant of their own."""
    tenant = await stack.services.auth.tenants.create("새김 상사", "ko", HOME_CELL)
    own = replace(stack, tenant=tenant)
    [one] = await said(own, "육아휴직은 최대 며칠까지 쓸 수 있나요?")
    with psycopg.connect(stack.databases.admin_url, autocommit=True) as admin:
        admin.execute(COPIES, (turns, UUID(one["turn_id"])))
        admin.execute("analyze saegim.turn_terms")
    return (await own.caller()).scope


async def test_the_time_of_a_search_grows_with_the_turns_at_most(databases: Databases) -> None:
    few, many = await seconds_to_search(databases, MANY // 10, MANY)
    assert many < 15 * few


@pytest.mark.alone
async def test_five_thousand_turns_are_searched_in_a_tenth_of_a_second(
    databases: Databases,
) -> None:
    [took] = await seconds_to_search(databases, MANY)
    log.info("search of %d turns: %.0f ms", MANY, took * 1_000)
    assert took < 0.1


async def test_a_foreign_id_is_indexed_as_nothing(stack: Stack) -> None:
    assert await indexed(stack, str(uuid4())) == 0
