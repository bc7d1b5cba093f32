"""Which assistants a credential may use besides its own, and what a conversation stays with."""

from typing import Any
from uuid import uuid4

import pytest

from saegim.domain.scope import Role
from tests.integration.auth.conftest import AuthStack


async def added(auth_stack: AuthStack, name: str, **config: object) -> str:
    body = {"name": name, "persona": f"{name}입니다.", "config": config}
    return (await auth_stack.made("/v1/assistants", body))["assistant_id"]


async def choices(auth_stack: AuthStack, headers: dict[str, str]) -> list[str]:
    response = await auth_stack.call("GET", "/v1/assistants/available", headers)
    assert response.status_code == 200, response.text
    return [one["name"] for one in response.json()]


async def asked(auth_stack: AuthStack, headers: dict[str, str], **more: str) -> Any:
    return await auth_stack.call("POST", "/v1/chat", headers | more, {"message": "안녕하세요"})


async def test_a_credential_may_use_its_own_and_what_is_offered_to_its_groups(
    auth_stack: AuthStack,
) -> None:
    everyone = await added(auth_stack, "모두", offered_to=[])
    mechanics = await added(auth_stack, "정비", offered_to=["mechanics"])
    nobody = await added(auth_stack, "비밀")
    anna = await auth_stack.key("anna")
    ben = await auth_stack.key("ben", groups=["mechanics"])
    own = auth_stack.stack.tenant.assistant.name

    assert await choices(auth_stack, anna) == [own, "모두"]
    assert await choices(auth_stack, ben) == [own, "모두", "정비"]
    assert (await asked(auth_stack, anna, **{"Saegim-Assistant": everyone})).status_code == 200
    assert (await asked(auth_stack, ben, **{"Saegim-Assistant": mechanics})).status_code == 200
    for refused in (mechanics, nobody, str(uuid4())):
        assert (await asked(auth_stack, anna, **{"Saegim-Assistant": refused})).status_code == 404
    wrong = await asked(auth_stack, anna, **{"Saegim-Assistant": "정비".encode().hex()})
    assert wrong.status_code == 422


async def test_a_token_is_for_one_assistant(auth_stack: AuthStack) -> None:
    everyone = await added(auth_stack, "모두", offered_to=[])
    minted = await auth_stack.made("/v1/tokens", {}, auth_stack.admin("carol"))
    token = {"Authorization": f"Bearer {minted['secret']}"}

    assert await choices(auth_stack, token) == [auth_stack.stack.tenant.assistant.name]
    assert (await asked(auth_stack, token, **{"Saegim-Assistant": everyone})).status_code == 404
    assert (await asked(auth_stack, token)).status_code == 200


async def test_a_conversation_stays_with_the_assistant_it_began_with(auth_stack: AuthStack) -> None:
    other = {"Saegim-Assistant": await added(auth_stack, "모두", offered_to=[])}
    own = {"Saegim-Assistant": str(auth_stack.stack.tenant.assistant.id)}
    dora = await auth_stack.key("dora")
    begun = (await asked(auth_stack, dora, **other)).json()
    same = {"Saegim-Session": begun["session_id"]}

    assert (await asked(auth_stack, dora, **other, **same)).status_code == 200
    assert (await asked(auth_stack, dora, **own, **same)).status_code == 409
    named = {"Saegim-Session": "work"}
    assert (await asked(auth_stack, dora, **own, **named)).status_code == 200
    assert (await asked(auth_stack, dora, **other, **named)).status_code == 409
    listed = (await auth_stack.call("GET", "/v1/sessions", dora)).json()["sessions"]
    by_session = {one["session_id"]: one["assistant_id"] for one in listed}
    assert by_session[begun["session_id"]] == other["Saegim-Assistant"]


@pytest.mark.requirement("OP5")
async def test_only_who_may_publish_adds_an_assistant(auth_stack: AuthStack) -> None:
    body = {"name": "새 봇", "persona": "짧게 답합니다."}
    for role, status in ((Role.MEMBER, 403), (Role.EDITOR, 403), (Role.ADMIN, 201)):
        key = await auth_stack.key(f"{role}-adds", role)
        assert (await auth_stack.call("POST", "/v1/assistants", key, body)).status_code == status
    assert (
        await auth_stack.call("POST", "/v1/assistants", auth_stack.admin(), body)
    ).status_code == 409
    strange = body | {"name": "또", "collections": [str(uuid4())]}
    assert (
        await auth_stack.call("POST", "/v1/assistants", auth_stack.admin(), strange)
    ).status_code == 409
    [made] = [
        one
        for one in (await auth_stack.call("GET", "/v1/assistants", auth_stack.admin())).json()
        if one["name"] == "새 봇"
    ]
    path = f"/v1/assistants/{made['assistant_id']}/versions"
    versions = (await auth_stack.call("GET", path, auth_stack.admin())).json()
    assert [(one["version"], one["state"]) for one in versions] == [(1, "published")]
