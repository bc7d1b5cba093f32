"""Identities of a user on several channels: linked by a code, and unlinked."""

import pytest

from tests.integration.auth.conftest import AuthStack

pytestmark = pytest.mark.requirement("CH7")


async def who(auth_stack: AuthStack, headers: dict[str, str]) -> str:
    return (await auth_stack.call("GET", "/v1/me", headers)).json()["user_id"]


async def link(auth_stack: AuthStack, first: dict[str, str], second: dict[str, str]) -> int:
    code = (await auth_stack.made("/v1/identities/codes", None, first))["code"]
    return (await auth_stack.call("POST", "/v1/identities", second, {"code": code})).status_code


async def test_linked_names_are_one_person_with_one_memory(auth_stack: AuthStack) -> None:
    web, discord = auth_stack.admin("alice"), auth_stack.admin("discord:1234")
    session = {"Saegim-Session": "talk"}
    await auth_stack.made("/v1/chat", {"message": "내 고양이 이름은 나비야"}, web | session)
    before = await who(auth_stack, web), await who(auth_stack, discord)

    assert before[0] != before[1]
    assert await link(auth_stack, web, discord) == 204
    assert await who(auth_stack, discord) == before[0]
    reply = await auth_stack.made("/v1/chat", {"message": "내 고양이 이름은?"}, discord | session)
    turns = await auth_stack.call("GET", f"/v1/sessions/{reply['session_id']}/turns", discord)
    assert [turn["message"] for turn in turns.json()["turns"]] == [
        "내 고양이 이름은 나비야",
        "내 고양이 이름은?",
    ]


async def test_an_unlinked_name_leads_back_to_what_it_had(auth_stack: AuthStack) -> None:
    web, discord = auth_stack.admin("bob"), auth_stack.admin("discord:77")
    own = await who(auth_stack, discord)
    await link(auth_stack, web, discord)
    [linked] = (await auth_stack.call("GET", "/v1/identities", web)).json()
    gone = await auth_stack.call("DELETE", f"/v1/identities/{linked['identity_id']}", web)

    assert (linked["channel"], linked["name"]) == ("discord", "discord:77")
    assert gone.status_code == 204
    assert await who(auth_stack, discord) == own
    assert (await auth_stack.call("GET", "/v1/identities", web)).json() == []


async def test_the_tenants_own_sign_in_can_be_linked(auth_stack: AuthStack) -> None:
    api = auth_stack.admin("carol")
    assert await link(auth_stack, api, auth_stack.signed(sub="carol@example.com")) == 204
    assert await who(auth_stack, auth_stack.signed(sub="carol@example.com")) == await who(
        auth_stack, api
    )


async def test_a_code_works_once_for_a_while_and_in_its_own_tenant(auth_stack: AuthStack) -> None:
    web, discord, other = (
        auth_stack.admin("dora"),
        auth_stack.admin("discord:5"),
        auth_stack.admin("discord:6"),
    )
    code = (await auth_stack.made("/v1/identities/codes", None, web))["code"]

    async def say(code: str, headers: dict[str, str]) -> int:
        return (
            await auth_stack.call("POST", "/v1/identities", headers, {"code": code})
        ).status_code

    assert await say("ABCDEFGH", discord) == 404
    assert await say(f"{code[:4]}-{code[4:].lower()}", discord) == 204
    assert await say(code, other) == 404
    late = (await auth_stack.made("/v1/identities/codes", None, web))["code"]
    auth_stack.clock.ahead = 601
    assert await say(late, other) == 404


async def test_somebody_elses_identity_cannot_be_unlinked(auth_stack: AuthStack) -> None:
    web, discord = auth_stack.admin("fred"), auth_stack.admin("discord:8")
    await link(auth_stack, web, discord)
    [linked] = (await auth_stack.call("GET", "/v1/identities", web)).json()
    path = f"/v1/identities/{linked['identity_id']}"

    assert (await auth_stack.call("DELETE", path, auth_stack.admin("mallory"))).status_code == 404


async def test_nobody_links_to_themselves(auth_stack: AuthStack) -> None:
    web = auth_stack.admin("gail")
    assert await link(auth_stack, web, web) == 409
