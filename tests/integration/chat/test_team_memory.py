"""Team memory: shared by a person, seen, recalled, changed and erased within its audience."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from benchmarks.doubles.patience import PATIENT_TURN
from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from tests.integration.memory.turns import Talk
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LM15")

DECISION = "데이터베이스는 포스트그레스로 결정했어"
# Loaded once for all tests.
EMBEDDER = BundledEmbedder()


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(embedder=EMBEDDER)) as running:
        yield running


async def call(
    stack: Stack, method: str, path: str, user: str = "alice", status: int = 200, **more: Any
) -> Any:
    response = await stack.http.request(method, path, headers=stack.headers(user), **more)
    assert response.status_code == status, response.text
    return response.json() if response.content else None


async def shared(stack: Stack, user: str = "alice", **more: Any) -> dict[str, Any]:
    """Share a decision that a user told in a conversation."""
    await Talk(stack, user=user).say(DECISION)
    [record] = await Talk(stack, user=user).known()
    body = {"memory_id": str(record.id), **more}
    return await call(stack, "POST", "/v1/team-memory", user, 201, json=body)


async def contents(stack: Stack, user: str) -> list[str]:
    page = await call(stack, "GET", "/v1/team-memory", user)
    return [each["content"] for each in page["team_memories"]]


async def member_key(stack: Stack, user: str) -> dict[str, str]:
    """Return the headers of a user who edits nothing but their own."""
    key = await stack.services.auth.tenants.create_key(
        stack.tenant.tenant.id, stack.tenant.assistant.id, f"{user}'s", user
    )
    return {"Authorization": f"Bearer {key}"}


async def test_nothing_is_shared_unless_its_owner_does(stack: Stack) -> None:
    await Talk(stack).say(DECISION)
    [record] = await Talk(stack).known()
    assert await contents(stack, "bob") == []
    body = {"memory_id": str(record.id)}
    await call(stack, "POST", "/v1/team-memory", "bob", 404, json=body)

    written = await call(stack, "POST", "/v1/team-memory", "alice", 201, json=body)
    again = await call(stack, "POST", "/v1/team-memory", "alice", 201, json=body)
    assert again["team_memory_id"] == written["team_memory_id"]
    [said] = written["contributions"]
    assert (said["name"], said["quote"], said["mine"]) == ("alice", record.quote, True)
    seen = await call(stack, "GET", f"/v1/team-memory/{written['team_memory_id']}", "bob")
    [said] = seen["contributions"]
    assert (said["name"], said["mine"], said["turn_id"]) == ("alice", False, None)


async def test_a_visitor_of_a_page_sees_what_is_shared_but_not_who_said_it(stack: Stack) -> None:
    await shared(stack)
    seen = list[dict[str, Any]]()
    for may in ([], ["library:own"]):
        token = await call(stack, "POST", "/v1/tokens", "visitor", 201, json={"may": may})
        headers = {"Authorization": f"Bearer {token['secret']}"}
        page = (await stack.http.get("/v1/team-memory", headers=headers)).json()
        seen += page["team_memories"]

    assert [each["content"] for each in seen] == [DECISION] * 2
    [visitor], [member] = (each["contributions"] for each in seen)
    assert (visitor["name"], visitor["quote"]) == ("", "")
    assert (member["name"], member["quote"]) == ("alice", DECISION)


async def test_a_collection_with_shared_records_is_deleted_with_them_only_if_told_so(
    stack: Stack,
) -> None:
    made = await call(stack, "POST", "/v1/collections", "root", 201, json={"name": "운영"})
    path = f"/v1/collections/{made['collection_id']}"
    body = {"content": "배포는 화요일에 한다", "collection_id": made["collection_id"]}
    await call(stack, "POST", "/v1/team-memory", "root", 201, json=body)

    refused = await call(stack, "DELETE", path, "root", 409)
    assert refused["code"] == "not_empty"
    await call(stack, "DELETE", f"{path}?with_documents=true", "root", 204)


async def test_another_member_gets_it_in_a_turn_and_it_is_cited_as_of_the_team(
    stack: Stack,
) -> None:
    written = await shared(stack)
    reply = await stack.say("데이터베이스 뭘로 결정했지?", "bob")

    assert "포스트그레스" in reply["answer"]
    [cited] = reply["citations"]
    assert cited["kind"] == "memory"
    assert cited["title"].startswith("팀 기억")
    assert cited["id"] == written["team_memory_id"]
    assert cited["team"], "a page reads it as a shared record"


async def test_own_memories_are_recalled_if_the_team_s_cannot_be_read(stack: Stack) -> None:
    await Talk(stack).say("나는 부산에 살아")
    # Recall is given up after half of a step.
    fakes = Fakes(embedder=EMBEDDER, turn_times=replace(PATIENT_TURN, step=10))
    async with new_stack(stack.databases, fakes, tenant=stack.tenant) as hasty:
        with psycopg.connect(stack.databases.admin_url) as admin:
            admin.execute("lock table saegim.team_memory in access exclusive mode")
            reply = await hasty.say("나 어디 살지?", **{"Saegim-Session": "another"})

    assert "부산" in reply["answer"]
    assert reply["degraded"] == ["memory"]


async def test_it_stands_beside_the_member_s_own_memories(stack: Stack) -> None:
    written = await shared(stack)
    await Talk(stack, user="bob").say("나는 금요일마다 수영을 해")
    question = "데이터베이스 뭘로 결정했지?"
    reply = await stack.say(question, "bob")
    assert "포스트그레스" in reply["answer"]
    body = {"message": question}
    preview = await call(stack, "POST", "/v1/preview", "bob", json=body)
    assert written["team_memory_id"] in {each["id"] for each in preview["items"]}
    assert len(preview["items"]) > 1


async def test_only_the_audience_of_its_collection_sees_and_recalls_it(stack: Stack) -> None:
    body = {"name": "법무", "audience": ["legal"]}
    made = await call(stack, "POST", "/v1/collections", "root", 201, json=body)
    alice = (await call(stack, "GET", "/v1/me", "alice"))["user_id"]
    groups = {"groups": ["legal"]}
    await call(stack, "PATCH", f"/v1/members/{alice}", "root", json=groups)
    written = await shared(stack, collection_id=made["collection_id"])

    path = f"/v1/team-memory/{written['team_memory_id']}"
    assert await contents(stack, "alice") == [DECISION]
    assert await contents(stack, "bob") == []
    for method, tail, more in (
        ("GET", "", {}),
        ("PATCH", "", {"json": {"content": "x"}}),
        ("DELETE", "", {}),
        ("POST", "/confirm", {}),
        ("GET", "/versions", {}),
    ):
        await call(stack, method, f"{path}{tail}", "bob", 404, **more)
    body = {"content": "남의 것", "collection_id": made["collection_id"]}
    await call(stack, "POST", "/v1/team-memory", "bob", 404, json=body)
    reply = await stack.say("데이터베이스 뭘로 결정했지?", "bob")
    assert "포스트그레스" not in str(reply)


async def test_a_change_keeps_the_version_before(stack: Stack) -> None:
    written = await shared(stack)
    path = f"/v1/team-memory/{written['team_memory_id']}"
    changed = await call(stack, "PATCH", path, json={"content": "데이터베이스는 MySQL이다"})
    versions = await call(stack, "GET", f"{path}/versions")

    assert (changed["version"], changed["content"]) == (2, "데이터베이스는 MySQL이다")
    assert [each["content"] for each in versions] == ["데이터베이스는 MySQL이다", DECISION]


async def test_a_plain_member_changes_only_what_they_said(stack: Stack) -> None:
    written = await shared(stack)
    path = f"/v1/team-memory/{written['team_memory_id']}"
    bob = await member_key(stack, "bob")
    seen = (await stack.http.get(path, headers=bob)).json()
    assert seen["may_edit"] is False
    refused = [
        await stack.http.patch(path, json={"content": "x"}, headers=bob),
        await stack.http.delete(path, headers=bob),
    ]
    assert [each.status_code for each in refused] == [403, 403]
    own = await stack.http.post("/v1/team-memory", json={"content": "배포는 월요일"}, headers=bob)
    path = f"/v1/team-memory/{own.json()['team_memory_id']}"
    assert (await stack.http.delete(path, headers=bob)).status_code == 204


async def test_confirming_gives_no_right_to_edit(stack: Stack) -> None:
    alice, bob = await member_key(stack, "alice"), await member_key(stack, "bob")
    body = {"content": "우리 팀 회의는 월요일이야"}
    written = (await stack.http.post("/v1/team-memory", json=body, headers=alice)).json()
    path = f"/v1/team-memory/{written['team_memory_id']}"
    confirmed = (await stack.http.post(f"{path}/confirm", headers=bob)).json()
    refused = await stack.http.patch(path, json={"content": "회의는 없다"}, headers=bob)
    same = await stack.http.post("/v1/team-memory", json=body, headers=bob)

    assert len(confirmed["contributions"]) == 2
    assert (confirmed["may_edit"], confirmed["may_delete"]) == (False, True)
    assert (refused.status_code, same.json()["may_edit"]) == (403, False)
    own = await stack.http.patch(path, json={"content": "회의는 화요일"}, headers=alice)
    assert (own.status_code, len(own.json()["contributions"])) == (200, 1)


async def test_an_edit_by_another_person_stands_under_their_name(stack: Stack) -> None:
    alice, bob = await member_key(stack, "alice"), await member_key(stack, "bob")
    body = {"content": "우리 팀 회의는 월요일이야"}
    written = (await stack.http.post("/v1/team-memory", json=body, headers=alice)).json()
    path = f"/v1/team-memory/{written['team_memory_id']}"
    await stack.http.post(f"{path}/confirm", headers=bob)
    edited = await call(stack, "PATCH", path, "root", json={"content": "회의는 수요일"})
    versions = (await stack.http.get(f"{path}/versions", headers=alice)).json()
    refused = await stack.http.patch(path, json=body, headers=alice)

    assert [each["name"] for each in edited["contributions"]] == ["root"]
    assert [(each["name"], each["mine"]) for each in versions] == [("root", False), ("alice", True)]
    assert refused.status_code == 403


async def test_an_erasure_removes_words_in_earlier_versions(stack: Stack) -> None:
    written = await shared(stack)
    path = f"/v1/team-memory/{written['team_memory_id']}"
    await call(stack, "PATCH", path, "root", json={"content": "데이터베이스는 MySQL이다"})
    scope = (await stack.caller("alice")).scope
    async with stack.working():
        body = {"member_id": str(scope.user), "reason": "asked"}
        await call(stack, "POST", "/v1/erasures", "root", 202, json=body)
        async with asyncio.timeout(120):
            while len(await call(stack, "GET", f"{path}/versions", "root")) > 1:
                await asyncio.sleep(0.1)

    [left] = await call(stack, "GET", f"{path}/versions", "root")
    assert (left["content"], left["name"]) == ("데이터베이스는 MySQL이다", "root")


async def test_what_others_confirmed_stays_when_its_author_takes_it_back(stack: Stack) -> None:
    alice = await member_key(stack, "alice")
    body = {"content": "배포는 월요일"}
    written = (await stack.http.post("/v1/team-memory", json=body, headers=alice)).json()
    path = f"/v1/team-memory/{written['team_memory_id']}"
    await call(stack, "POST", f"{path}/confirm", "bob")
    assert (await stack.http.delete(path, headers=alice)).status_code == 204

    left = await call(stack, "GET", path, "bob")
    assert [each["name"] for each in left["contributions"]] == ["bob"]


async def test_an_erasure_removes_what_only_they_said(stack: Stack, databases: Databases) -> None:
    alone = await shared(stack)
    body = {"content": "배포는 월요일"}
    both = await call(stack, "POST", "/v1/team-memory", "alice", 201, json=body)
    await call(stack, "POST", f"/v1/team-memory/{both['team_memory_id']}/confirm", "bob")
    scope = (await stack.caller("alice")).scope
    async with stack.working():
        body = {"member_id": str(scope.user), "reason": "asked"}
        await call(stack, "POST", "/v1/erasures", "root", 202, json=body)
        async with asyncio.timeout(120):
            while len(await contents(stack, "bob")) > 1:
                await asyncio.sleep(0.1)

    [left] = (await call(stack, "GET", "/v1/team-memory", "bob"))["team_memories"]
    assert (left["content"], [each["name"] for each in left["contributions"]]) == (
        "배포는 월요일",
        ["bob"],
    )
    await call(stack, "GET", f"/v1/team-memory/{alone['team_memory_id']}", "bob", 404)
    with psycopg.connect(databases.admin_url) as admin:
        rows = admin.execute("select changed_by from saegim.team_memory_version").fetchall()
    assert (scope.user,) not in rows


async def test_what_is_stored_is_sealed(stack: Stack, databases: Databases) -> None:
    await shared(stack)
    with psycopg.connect(databases.admin_url) as admin:
        for table in ("team_memory", "team_memory_version", "team_memory_source"):
            rows = admin.execute(f"select t::text from saegim.{table} t".encode()).fetchall()
            assert rows
            assert "포스트그레스".encode().hex() not in str(rows)
            assert b"alice".hex() not in str(rows)
