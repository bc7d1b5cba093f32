"""Sessions that are shared by link with the members of the tenant."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from benchmarks.doubles.models import RecordedRequest, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.conversations.titles import TitleForm
from saegim.domain.scope import Role
from saegim.llm.ports import ModelRole
from tests.integration.chat.test_attachments import upload
from tests.integration.library.conftest import GUIDE, bring_in, finished
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("CH11")
SECRET = "# 매각 계획\n\n매각 대금은 4,120억 원입니다."


async def call(stack: Stack, method: str, path: str, user: str = "alice", **more: Any) -> Any:
    return await stack.http.request(method, path, headers=stack.headers(user), **more)


async def share(stack: Stack, session: str) -> str:
    response = await call(stack, "POST", f"/v1/sessions/{session}/share")
    assert response.status_code == 200, response.text
    assert response.json()["path"] == f"/shared/{response.json()['share_id']}"
    return response.json()["share_id"]


async def read(stack: Stack, link: str, user: str = "bob", **query: Any) -> Any:
    return await call(stack, "GET", f"/v1/shared/{link}", user, params=query)


def said(shared: Any) -> list[str]:
    assert shared.status_code == 200, shared.text
    return [turn["message"] for turn in shared.json()["turns"]]


def echo(request: RecordedRequest) -> str:
    return f"답: {request.messages[-1].text.splitlines()[-1]}"


async def test_a_shared_branch_stays_as_it_was_until_it_is_shared_again(
    databases: Databases,
) -> None:
    fakes = Fakes(models=ScriptedModels({ModelRole.LITE: echo}))
    async with new_stack(databases, fakes) as stack:
        one = await stack.say("하나")
        session = one["session_id"]
        two = await stack.say("둘", **{"Saegim-Session": session})
        link = await share(stack, session)
        first = await read(stack, link)
        pages = [await read(stack, link, count=1), await read(stack, link, count=1, after=1)]

        edit = f"/v1/turns/{two['turn_id']}/edit"
        await call(stack, "POST", edit, json={"message": "두울"})
        await stack.say("셋", **{"Saegim-Session": session})
        unchanged = await read(stack, link)
        again = await share(stack, session)
        updated = await read(stack, link)
        [listed] = (await call(stack, "GET", "/v1/sessions")).json()["sessions"]

    assert said(first) == said(unchanged) == ["하나", "둘"]
    assert first.json()["turns"][0]["answer"] == "답: 하나"
    assert (first.json()["title"], first.json()["owner_name"]) == ("하나", "alice")
    assert [page.json()["next_after"] for page in pages] == [1, None]
    assert [said(page) for page in pages] == [["하나"], ["둘"]]
    assert again == link
    assert said(updated) == ["하나", "두울", "셋"]
    assert listed["share_id"] == link
    assert UUID(link).version == 4


async def test_the_title_is_of_the_shared_branch(databases: Databases) -> None:
    title = TitleForm(title="매각 계획")
    fakes = Fakes(models=ScriptedModels({ModelRole.LITE: echo, ModelRole.SUMMARIZER: [title]}))
    async with new_stack(databases, fakes) as stack:
        one = await stack.say("회의록을 정리해 줘")
        session = one["session_id"]
        link = await share(stack, session)
        edit = f"/v1/turns/{one['turn_id']}/edit"
        await call(stack, "POST", edit, json={"message": "매각 계획을 정리해 줘"})
        by_rule = await read(stack, link)
        later = await read(stack, link, after=1)
        wrote = await stack.services.conversations.titles.write(
            stack.tenant.tenant.id, UUID(session)
        )
        by_model = await read(stack, link)
        await call(stack, "PATCH", f"/v1/sessions/{session}", json={"title": "주간 회의"})
        named = await read(stack, link)

    assert wrote
    titles = [each.json()["title"] for each in (by_rule, later, by_model, named)]
    assert titles == ["회의록을 정리해 줘"] * 3 + ["주간 회의"]


async def test_only_the_owner_shares_and_stops_and_both_are_audited(stack: Stack) -> None:
    session = (await stack.say("안녕하세요"))["session_id"]
    path = f"/v1/sessions/{session}/share"
    foreign = [await call(stack, each, path, "bob") for each in ("POST", "DELETE")]
    link = await share(stack, session)
    own = await read(stack, link, "alice")
    stopped = await call(stack, "DELETE", path)
    gone = await read(stack, link)
    nobodys = await read(stack, str(uuid4()))
    [listed] = (await call(stack, "GET", "/v1/sessions")).json()["sessions"]
    trail = await stack.services.audit.trail.events(stack.tenant.tenant.id, None, 10)

    assert [each.status_code for each in foreign] == [404, 404]
    assert said(own) == ["안녕하세요"]
    assert stopped.status_code == 204
    assert (gone.status_code, gone.json()["code"]) == (404, nobodys.json()["code"])
    assert (listed["share_id"], listed["shared_at"]) == (None, None)
    noted = [(each.event.action, each.event.subject) for each in trail]
    assert ("session_shared", UUID(session)) in noted
    assert ("sharing_stopped", UUID(session)) in noted
    assert sum(action == "session_shared" for action, _ in noted) == 1


async def test_temporary_and_empty_conversations_cannot_be_shared(stack: Stack) -> None:
    body = {"message": "비밀이에요", "temporary": True}
    session = (await call(stack, "POST", "/v1/chat", json=body)).json()["session_id"]
    temporary = await call(stack, "POST", f"/v1/sessions/{session}/share")

    assert (temporary.status_code, temporary.json()["code"]) == (409, "nothing_to_share")


async def test_a_reader_sees_sources_only_as_far_as_the_reader_may(stack: Stack) -> None:
    await stack.services.warm_up()
    await bring_in(stack, {"ec2.md": GUIDE})
    ingest = await upload(stack, {"sale.md": SECRET})
    async with stack.working():
        report = await finished(stack, ingest, user="alice")
    document = report["files"][0]["document_id"]
    ask = {"message": "매각 대금이 얼마예요?", "attached_doc_ids": [document]}
    private = (await call(stack, "POST", "/v1/chat", json=ask)).json()
    session = private["session_id"]
    other = {"message": "예약 인스턴스는 최대 얼마나 할인돼요?", "selected_doc_ids": ["ec2.md"]}
    open_to_all = await call(stack, "POST", "/v1/chat", json=other | {"session_id": session})
    link = await share(stack, session)
    secret, readable = (await read(stack, link)).json()["turns"]
    own, _ = (await read(stack, link, "alice")).json()["turns"]

    assert private["citations"]
    assert open_to_all.json()["citations"]
    assert [each["readable"] for each in secret["citations"]] == [False]
    assert secret["citations"][0] | {"marker": "1", "kind": "passage"} == {
        "marker": "1", "kind": "passage", "readable": False, "id": "", "title": "",
        "section": None, "locator": None, "document": None, "url": None,
    }  # fmt: skip
    assert own["citations"][0]["readable"]
    assert readable["citations"][0]["readable"]
    assert readable["citations"][0]["document"] == "ec2.md"


async def test_an_end_user_of_an_application_reads_nothing_shared(stack: Stack) -> None:
    link = await share(stack, (await stack.say("안녕하세요"))["session_id"])
    minted = await call(stack, "POST", "/v1/tokens", "visitor", json={})
    assert minted.status_code == 201, minted.text
    token = {"Authorization": f"Bearer {minted.json()['secret']}"}
    refused = await stack.http.get(f"/v1/shared/{link}", headers=token)

    assert refused.status_code == 404


async def test_a_link_ends_with_its_session_and_its_owner(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    kept, deleted = [(await stack.say("안녕하세요"))["session_id"] for _ in range(2)]
    links = [await share(stack, each) for each in (kept, deleted)]
    await call(stack, "DELETE", f"/v1/sessions/{deleted}", params={"undoable": True})
    hidden = await read(stack, links[1])
    await call(stack, "POST", f"/v1/sessions/{deleted}/restore")
    restored = await read(stack, links[1])
    await call(stack, "DELETE", f"/v1/sessions/{deleted}")
    gone = await read(stack, links[1])
    export = await call(stack, "GET", "/v1/export")
    owner = await stack.caller("alice")
    admin = await stack.services.auth.tenants.create_key(
        tenant, stack.tenant.assistant.id, "admin", role=Role.OWNER
    )
    disabled = await stack.http.patch(
        f"/v1/members/{owner.scope.user}",
        json={"disabled": True},
        headers={"Authorization": f"Bearer {admin}", "Saegim-User": "admin"},
    )
    locked_out = await read(stack, links[0])

    assert disabled.status_code == 200, disabled.text
    assert hidden.status_code == gone.status_code == locked_out.status_code == 404
    assert said(restored) == ["안녕하세요"]
    assert links[0] in export.text


async def test_forgotten_words_are_not_shared(stack: Stack) -> None:
    reply = await stack.say("우리 집 강아지 이름은 두부야")
    link = await share(stack, reply["session_id"])
    told = await read(stack, link)
    await _redact(stack, reply["turn_id"], "두부")
    after = await read(stack, link)
    listed = await call(stack, "GET", "/v1/sessions")

    assert "두부" in told.text
    assert after.status_code == 200
    assert "두부" not in after.text
    assert "두부" not in listed.text


async def _redact(stack: Stack, turn: str, words: str) -> None:
    """Marks words of the message as those of a forgotten record."""
    stored = await stack.services.conversations.turns.find(
        (await stack.caller("alice")).scope, UUID(turn)
    )
    start = stored.message.index(words)
    spans = {"message": [[start, start + len(words)]], "reply": [[0, len(stored.reply or "")]]}
    statement = "update turn set redactions = %s::jsonb where tenant_id = %s and turn_id = %s"
    redactions = f'{{"forgotten": {{"{uuid4()}": {str(spans).replace(chr(39), chr(34))}}}}}'
    async with stack.services.db.cells.transaction(stack.tenant.tenant.id) as connection:
        await connection.execute(statement, (redactions, stack.tenant.tenant.id, UUID(turn)))
