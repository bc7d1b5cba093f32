"""Turns with the draft of an assistant: for those who edit it, and nothing is kept of them."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from benchmarks.doubles.models import RecordedRequest, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.domain.scope import Role
from tests.integration.chat.library_stack import assessor, scripted
from tests.integration.library.conftest import GUIDE, bring_in, finished
from tests.stack import Databases, Stack, new_stack

PERSONA = "초안의 목소리로 답합니다."
QUESTION = "예약 인스턴스 할인율이 얼마야?"


def by_persona(shown: RecordedRequest) -> str:
    return "초안" if PERSONA in shown.system else "게시"


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    models: ScriptedModels = scripted(assessor=assessor(), lite=by_persona)
    async with new_stack(databases, Fakes(models=models)) as running:
        await running.services.warm_up()
        await bring_in(running, {"ec2.md": GUIDE})
        yield running


async def drafted(stack: Stack, *, collections: bool = True, **config: object) -> None:
    assistant = stack.tenant.assistant
    content = {
        "name": assistant.name,
        "persona": PERSONA,
        "collections": [str(each) for each in assistant.collections] if collections else [],
        "config": config,
    }
    response = await stack.http.put(
        f"/v1/assistants/{assistant.id}/draft", json=content, headers=stack.headers("admin")
    )
    assert response.status_code == 200, response.text


async def asked(stack: Stack, user: str, **body: object) -> dict[str, Any]:
    response = await stack.http.post(
        "/v1/chat", json={"message": QUESTION, **body}, headers=stack.headers(user)
    )
    assert response.status_code == 200, response.text
    return response.json()


async def documents_used(stack: Stack, user: str, turn: dict[str, Any]) -> list[Any]:
    path = f"/v1/turns/{turn['turn_id']}/trace"
    trace = (await stack.http.get(path, headers=stack.headers(user))).json()["trace"]
    return [each for each in trace.get("items") or () if each["kind"] == "passage"]


async def test_the_draft_answers_only_if_asked_for(stack: Stack) -> None:
    before = await asked(stack, "ed", draft=True)
    await drafted(stack)
    published = await asked(stack, "ed")
    draft = await asked(stack, "ed", draft=True)
    session = f"/v1/sessions/{draft['session_id']}"
    about = (await stack.http.get(session, headers=stack.headers("ed"))).json()

    assert before["answer"].startswith("게시"), "there is no draft yet"
    assert published["answer"].startswith("게시")
    assert draft["answer"].startswith("초안")
    assert about["temporary"] is True


async def test_tests_of_a_draft_are_not_among_the_conversations(stack: Stack) -> None:
    await drafted(stack)
    tested = await asked(stack, "lena", draft=True)
    chatted = await asked(stack, "lena")
    headers = stack.headers("lena")
    for each in (tested, chatted):
        session = UUID(each["session_id"])
        await stack.services.conversations.search.index(stack.tenant.tenant.id, session)
    page = (await stack.http.get("/v1/sessions?count=1", headers=headers)).json()
    older = (
        await stack.http.get(f"/v1/sessions?before={page['next_before']}", headers=headers)
    ).json()
    found = (await stack.http.get("/v1/sessions/search?q=할인율", headers=headers)).json()

    assert [each["session_id"] for each in page["sessions"]] == [chatted["session_id"]]
    assert (older["sessions"], older["next_before"]) == ([], None)
    assert [each["session_id"] for each in found["hits"]] == [chatted["session_id"]]
    assert tested["session_id"] != chatted["session_id"]


async def test_a_draft_reads_its_own_collections(stack: Stack) -> None:
    await drafted(stack, collections=False)
    without = await asked(stack, "colin", draft=True)
    published = await asked(stack, "colin")
    await drafted(stack)
    again = await asked(stack, "colin", draft=True)

    assert await documents_used(stack, "colin", without) == []
    assert await documents_used(stack, "colin", published) != []
    assert await documents_used(stack, "colin", again) != []


async def test_a_draft_reads_no_collection_that_the_caller_may_not_read(stack: Stack) -> None:
    made = await stack.http.post(
        "/v1/collections",
        json={"name": "인사", "audience": ["hr"]},
        headers=stack.headers("admin"),
    )
    opened = await stack.http.post(
        "/v1/ingests", json={"collection": "인사"}, headers=stack.headers("admin")
    )
    ingest = opened.json()["ingest_id"]
    path = f"/v1/ingests/{ingest}/files/secret.md"
    text = f"# {QUESTION}\n\n비밀 할인율은 99%입니다."
    await stack.http.put(path, content=text, headers=stack.headers("admin"))
    async with stack.working():
        await finished(stack, ingest, user="admin")
    assistant = stack.tenant.assistant
    content = {"name": assistant.name, "persona": PERSONA}
    content |= {"collections": [made.json()["collection_id"]]}
    put = await stack.http.put(
        f"/v1/assistants/{assistant.id}/draft", json=content, headers=stack.headers("admin")
    )
    hidden = await asked(stack, "eve", draft=True)
    await stack.http.patch(
        f"/v1/collections/{made.json()['collection_id']}",
        json={"audience": []},
        headers=stack.headers("admin"),
    )
    shown = await asked(stack, "eve", draft=True)

    assert put.status_code == 200
    assert await documents_used(stack, "eve", hidden) == []
    assert await documents_used(stack, "eve", shown) != []


async def test_members_do_not_use_drafts(stack: Stack) -> None:
    tenant = stack.tenant
    key = await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, "k", user="mia", role=Role.MEMBER
    )
    response = await stack.http.post(
        "/v1/chat",
        json={"message": QUESTION, "draft": True},
        headers={"Authorization": f"Bearer {key}"},
    )
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")
