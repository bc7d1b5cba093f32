"""Sessions in the list of their owner, and turns as a page loads them again."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.conversations.titles import TitleForm
from saegim.conversations.transcripts import UNDO
from saegim.domain.ids import SystemClock
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack

CHANGE = "update saegim.session set summary_version = summary_version + 1"


class MovedClock(SystemClock):
    by = timedelta()

    def now(self) -> datetime:
        return super().now() + self.by


async def listed(stack: Stack, user: str = "alice") -> list[dict[str, Any]]:
    response = await stack.http.get("/v1/sessions", headers=stack.headers(user))
    assert response.status_code == 200, response.text
    return response.json()["sessions"]


async def call(stack: Stack, method: str, path: str, **more: Any) -> Any:
    return await stack.http.request(method, path, headers=stack.headers(), **more)


async def test_a_turn_tells_what_a_page_needs_after_a_reload(stack: Stack) -> None:
    reply = await stack.say("안녕하세요")
    turn, session = reply["turn_id"], reply["session_id"]
    feedback = {"thumb": "down", "correction": "반갑습니다"}
    await call(stack, "PUT", f"/v1/turns/{turn}/feedback", json=feedback)

    page = (await call(stack, "GET", f"/v1/sessions/{session}/turns")).json()["turns"]
    alone = (await call(stack, "GET", f"/v1/turns/{turn}")).json()

    assert page == [alone]
    assert alone["feedback"] == feedback | {"for_evaluation": False}
    assert alone["degraded"] == reply["degraded"]
    assert alone["by_rule"] is True
    assert alone["citations"] == reply["citations"]


async def test_a_session_is_renamed_and_pinned_by_its_owner_alone(stack: Stack) -> None:
    session = (await stack.say("안녕하세요, 비용이 궁금해요"))["session_id"]
    path = f"/v1/sessions/{session}"
    [before] = [each for each in await listed(stack) if each["session_id"] == session]

    named = await call(stack, "PATCH", path, json={"title": " EC2  비용 ", "pinned": True})
    again = await call(stack, "PATCH", path, json={"pinned": False})
    cleared = await call(stack, "PATCH", path, json={"title": ""})
    foreign = await stack.http.patch(path, json={"title": "내 것"}, headers=stack.headers("bob"))

    assert (before["title"], before["pinned"], before["turns"]) == ("비용이 궁금해요", False, 1)
    assert (named.json()["title"], named.json()["pinned"]) == ("EC2 비용", True)
    assert (again.json()["title"], again.json()["pinned"]) == ("EC2 비용", False)
    assert cleared.json()["title"] == "비용이 궁금해요"
    assert foreign.status_code == 404


async def test_a_model_writes_the_title_after_the_first_turn(databases: Databases) -> None:
    models = ScriptedModels(
        {
            ModelRole.LITE: ["예약하세요."],
            ModelRole.SUMMARIZER: [TitleForm(title="“EC2 비용 절감”")],
        }
    )
    async with new_stack(databases, Fakes(models=models)) as stack:
        session = (await stack.say("안녕하세요, EC2 비용 줄이는 방법?"))["session_id"]
        [by_rule] = await listed(stack)
        tenant = stack.tenant.tenant.id
        wrote = await stack.services.conversations.titles.write(tenant, UUID(session))
        repeated = await stack.services.conversations.titles.write(tenant, UUID(session))
        [by_model] = await listed(stack)

    assert by_rule["title"] == "EC2 비용 줄이는 방법"
    assert (wrote, repeated) == (True, False)
    assert by_model["title"] == "EC2 비용 절감"


async def test_the_title_of_a_session_that_changed_meanwhile_is_written_again(
    databases: Databases,
) -> None:
    titles = iter(["옛 제목", "새 제목"])

    def change_and_title(_: RecordedRequest) -> Reply:
        with psycopg.connect(databases.admin_url, autocommit=True) as connection:
            text = next(titles)
            if text == "옛 제목":
                connection.execute(CHANGE)
        return TitleForm(title=text)

    models = ScriptedModels(
        {ModelRole.LITE: ["예약하세요."], ModelRole.SUMMARIZER: change_and_title}
    )
    async with new_stack(databases, Fakes(models=models)) as stack:
        session = (await stack.say("EC2 비용 줄이는 방법?"))["session_id"]
        wrote = await stack.services.conversations.titles.write(
            stack.tenant.tenant.id, UUID(session)
        )
        [shown] = await listed(stack)

    assert (wrote, shown["title"]) == (True, "새 제목")


async def test_without_a_model_the_title_stays_by_rule(stack: Stack) -> None:
    session = UUID((await stack.say("서버 목록"))["session_id"])
    titles = stack.services.conversations.titles

    assert await titles.write(stack.tenant.tenant.id, session) is False
    assert await titles.write(stack.tenant.tenant.id, uuid4()) is False


HIDDEN = [
    ("GET", "/v1/turns/{turn}"),
    ("GET", "/v1/turns/{turn}/trace"),
    ("POST", "/v1/turns/{turn}/cancel"),
    ("GET", "/v1/sessions/{session}/turns"),
    ("GET", "/v1/sessions/{session}/context"),
    ("DELETE", "/v1/sessions/{session}?undoable=true"),
]


async def test_a_session_that_is_deleted_with_undo_is_hidden_and_comes_back(stack: Stack) -> None:
    reply = await stack.say("지울 대화", **{"Saegim-Session": "named"})
    turn, session = reply["turn_id"], reply["session_id"]
    deleted = await call(stack, "DELETE", f"/v1/sessions/{session}?undoable=true")

    assert deleted.json() == {"turns": 1}
    assert session not in [each["session_id"] for each in await listed(stack)]
    for method, path in HIDDEN:
        response = await call(stack, method, path.format(turn=turn, session=session))
        assert response.status_code == 404, path
    spoken = await stack.http.post(
        "/v1/chat", json={"message": "이어서", "session_id": session}, headers=stack.headers()
    )
    assert spoken.status_code == 404
    other = await stack.say("새 대화", **{"Saegim-Session": "named"})
    assert other["session_id"] != session

    restored = await call(stack, "POST", f"/v1/sessions/{session}/restore")

    assert restored.json()["title"] == "지울 대화"
    assert session in [each["session_id"] for each in await listed(stack)]
    page = await call(stack, "GET", f"/v1/sessions/{session}/turns")
    assert [each["message"] for each in page.json()["turns"]] == ["지울 대화"]


async def test_a_hidden_session_is_deleted_after_five_minutes(databases: Databases) -> None:
    clock = MovedClock()
    async with new_stack(databases, Fakes(clock=clock)) as stack:
        session = (await stack.say("지울 대화"))["session_id"]
        kept = (await stack.say("남길 대화"))["session_id"]
        await call(stack, "DELETE", f"/v1/sessions/{session}?undoable=true")
        retention, tenant = stack.services.governance.retention, stack.tenant.tenant.id

        early = await retention.delete_hidden(tenant)
        clock.by = UNDO + timedelta(seconds=1)
        too_late = await call(stack, "POST", f"/v1/sessions/{session}/restore")
        late = await retention.delete_hidden(tenant)
        again = await retention.delete_hidden(tenant)

        assert (early.sessions, late.sessions, again.sessions) == (0, 1, 0)
        assert too_late.status_code == 404
        assert [each["session_id"] for each in await listed(stack)] == [kept]


async def test_memories_cannot_be_restored(stack: Stack) -> None:
    session = (await stack.say("하나"))["session_id"]
    path = f"/v1/sessions/{session}?undoable=true&derived=true"

    assert (await call(stack, "DELETE", path)).status_code == 422
