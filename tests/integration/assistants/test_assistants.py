"""Assistants' configuration: a draft changes nothing, publishing does, rolling back undoes it."""

from typing import Any
from uuid import uuid4

import pytest

from saegim.domain.scope import Role
from tests.integration.auth.conftest import AuthStack

pytestmark = pytest.mark.requirement("OP5")

DRAFT = {"name": "새 봇", "persona": "짧게 답합니다.", "policy": "정책", "locale": "en"}


async def now(auth_stack: AuthStack) -> dict[str, Any]:
    [assistant] = (await auth_stack.call("GET", "/v1/assistants", auth_stack.admin())).json()
    return assistant


async def change(auth_stack: AuthStack, what: str, body: object, method: str = "POST") -> Any:
    assistant = auth_stack.stack.tenant.assistant.id
    return await auth_stack.call(
        method, f"/v1/assistants/{assistant}/{what}", auth_stack.admin(), body
    )


async def test_a_draft_is_published_and_rolled_back(auth_stack: AuthStack) -> None:
    before = await now(auth_stack)
    collection = before["collections"][0]
    draft = DRAFT | {"collections": [collection], "config": {"routes": []}}
    written = await change(auth_stack, "draft", draft, "PUT")
    during = await now(auth_stack)
    published = await change(auth_stack, "publish", None)
    after = await now(auth_stack)
    back = await change(auth_stack, "rollback", {"version": 1})

    assert (written.json()["state"], written.json()["version"]) == ("draft", 2)
    assert during == before
    assert published.json()["state"] == "published"
    assert (after["name"], after["locale"], after["policy"]) == ("새 봇", "en", "정책")
    assert back.status_code == 200
    assert await now(auth_stack) == before
    versions = (await change(auth_stack, "versions", None, "GET")).json()
    assert [(each["version"], each["state"]) for each in versions] == [
        (2, "retired"),
        (1, "published"),
    ]
    assert versions[0]["content"]["config"] == {"routes": []}


async def test_a_new_assistant_reads_the_shared_collection(auth_stack: AuthStack) -> None:
    first = await now(auth_stack)
    body = {"name": "다음 봇", "persona": "돕습니다."}
    omitted = await auth_stack.made("/v1/assistants", body)
    none = await auth_stack.made("/v1/assistants", body | {"name": "빈 봇", "collections": []})
    path = f"/v1/collections/{first['collections'][0]}"
    await auth_stack.call("PATCH", path, auth_stack.admin(), {"name": "사내 문서"})
    await auth_stack.made("/v1/collections", {"name": "가나다"})
    renamed = await auth_stack.made("/v1/assistants", body | {"name": "새 봇"})

    assert omitted["collections"] == renamed["collections"] == first["collections"]
    assert none["collections"] == []


async def test_another_configuration_is_a_version_of_its_own(auth_stack: AuthStack) -> None:
    draft = DRAFT | {"config": {"strict": False}}
    await change(auth_stack, "draft", draft, "PUT")
    path = "/v1/assistant/config"
    put = await auth_stack.call("PUT", path, auth_stack.admin(), {"strict": True})
    during = (await auth_stack.call("GET", path, auth_stack.admin())).json()
    versions = (await change(auth_stack, "versions", None, "GET")).json()
    await change(auth_stack, "rollback", {"version": 1})
    after = (await auth_stack.call("GET", path, auth_stack.admin())).json()

    assert put.status_code == 200
    assert (during["strict"], after["strict"]) == (True, False)
    assert [(each["version"], each["state"], each["content"]["config"]) for each in versions] == [
        (3, "published", {"strict": True}),
        (2, "draft", {"strict": False}),
        (1, "retired", {}),
    ]
    assert versions[0]["content"]["persona"] == versions[2]["content"]["persona"]


async def test_a_draft_with_a_configuration_that_means_nothing_is_refused(
    auth_stack: AuthStack,
) -> None:
    refused = await change(auth_stack, "draft", DRAFT | {"config": {"rutes": []}}, "PUT")
    assert refused.status_code == 422


async def test_there_is_one_draft_at_a_time(auth_stack: AuthStack) -> None:
    for name in ("하나", "둘"):
        await change(auth_stack, "draft", DRAFT | {"name": name}, "PUT")
    versions = (await change(auth_stack, "versions", None, "GET")).json()

    assert [each["content"]["name"] for each in versions if each["state"] == "draft"] == ["둘"]


async def test_what_cannot_be_published_is_refused(auth_stack: AuthStack) -> None:
    assert (await change(auth_stack, "publish", None)).status_code == 409
    await change(auth_stack, "draft", DRAFT | {"collections": [str(uuid4())]}, "PUT")
    before = await now(auth_stack)

    assert (await change(auth_stack, "publish", None)).status_code == 409
    assert (await change(auth_stack, "rollback", {"version": 2})).status_code == 409
    assert (await change(auth_stack, "rollback", {"version": 9})).status_code == 404
    assert await now(auth_stack) == before


async def test_an_editor_writes_drafts_and_publishes_nothing(auth_stack: AuthStack) -> None:
    editor = await auth_stack.key("eddi", Role.EDITOR)
    path = f"/v1/assistants/{auth_stack.stack.tenant.assistant.id}"
    written = await auth_stack.call("PUT", f"{path}/draft", editor, DRAFT)
    published = await auth_stack.call("POST", f"{path}/publish", editor)

    assert (written.status_code, published.status_code) == (200, 403)


async def test_errors_say_what_is_wrong(auth_stack: AuthStack) -> None:
    name = (await now(auth_stack))["name"]
    body = {"name": name, "persona": "돕습니다."}
    taken = await auth_stack.call("POST", "/v1/assistants", auth_stack.admin(), body)
    no_draft = await change(auth_stack, "publish", None)

    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
    assert (no_draft.status_code, no_draft.json()["code"]) == (409, "no_draft")


async def test_an_assistant_is_deleted_unless_it_is_needed(auth_stack: AuthStack) -> None:
    first = auth_stack.stack.tenant.assistant.id
    body = {"name": "둘째", "persona": "돕습니다.", "config": {"offered_to": []}}
    last = await auth_stack.call("DELETE", f"/v1/assistants/{first}", auth_stack.admin())
    second = (await auth_stack.call("POST", "/v1/assistants", auth_stack.admin(), body)).json()
    path = f"/v1/assistants/{second['assistant_id']}"
    needed = await auth_stack.call("DELETE", f"/v1/assistants/{first}", auth_stack.admin())
    gone = await auth_stack.call("DELETE", path, auth_stack.admin())
    again = await auth_stack.call("DELETE", path, auth_stack.admin())
    named = auth_stack.admin() | {"Saegim-Assistant": second["assistant_id"]}
    chat = await auth_stack.call("POST", "/v1/chat", named, {"message": "안녕"})
    same_name = await auth_stack.call("POST", "/v1/assistants", auth_stack.admin(), body)

    assert [each.json()["code"] for each in (last, needed)] == ["in_use", "in_use"]
    assert (gone.status_code, again.status_code) == (204, 404)
    assert chat.status_code in (403, 404)
    assert same_name.status_code == 201


async def test_an_assistant_has_starters(auth_stack: AuthStack) -> None:
    path, admin = "/v1/assistant/starters", auth_stack.admin()
    none = (await auth_stack.call("GET", path, admin)).json()
    config = {"starters": ["휴가는 며칠이에요?"], "description": "사내 규정 안내"}
    await auth_stack.call("PUT", "/v1/assistant/config", admin, config)
    own = (await auth_stack.call("GET", path, admin)).json()
    other = await auth_stack.call("GET", f"{path}?assistant={uuid4()}", admin)

    assert none["starters"] == []
    assert (own["starters"], own["description"]) == (["휴가는 며칠이에요?"], "사내 규정 안내")
    assert other.status_code == 404
