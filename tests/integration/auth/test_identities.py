"""One person on several channels: linked by a code, unlinked again (CH7)."""

import pytest

from tests.integration.auth.conftest import House

pytestmark = pytest.mark.requirement("CH7")


async def who(house: House, headers: dict[str, str]) -> str:
    return (await house.call("GET", "/v1/me", headers)).json()["user_id"]


async def link(house: House, first: dict[str, str], second: dict[str, str]) -> int:
    code = (await house.made("/v1/identities/codes", None, first))["code"]
    return (await house.call("POST", "/v1/identities", second, {"code": code})).status_code


async def test_linked_names_are_one_person_with_one_memory(house: House) -> None:
    web, discord = house.admin("alice"), house.admin("discord:1234")
    session = {"Saegim-Session": "talk"}
    await house.made("/v1/chat", {"message": "내 고양이 이름은 나비야"}, web | session)
    before = await who(house, web), await who(house, discord)

    assert before[0] != before[1]
    assert await link(house, web, discord) == 204
    assert await who(house, discord) == before[0]
    reply = await house.made("/v1/chat", {"message": "내 고양이 이름은?"}, discord | session)
    turns = await house.call("GET", f"/v1/sessions/{reply['session_id']}/turns", discord)
    assert [turn["message"] for turn in turns.json()["turns"]] == [
        "내 고양이 이름은 나비야",
        "내 고양이 이름은?",
    ]


async def test_an_unlinked_name_leads_back_to_what_it_had(house: House) -> None:
    web, discord = house.admin("bob"), house.admin("discord:77")
    own = await who(house, discord)
    await link(house, web, discord)
    [linked] = (await house.call("GET", "/v1/identities", web)).json()
    gone = await house.call("DELETE", f"/v1/identities/{linked['identity_id']}", web)

    assert (linked["channel"], linked["name"]) == ("discord", "discord:77")
    assert gone.status_code == 204
    assert await who(house, discord) == own
    assert (await house.call("GET", "/v1/identities", web)).json() == []


async def test_the_tenants_own_sign_in_can_be_linked(house: House) -> None:
    api = house.admin("carol")
    assert await link(house, api, house.signed(sub="carol@example.com")) == 204
    assert await who(house, house.signed(sub="carol@example.com")) == await who(house, api)


async def test_a_code_works_once_for_a_while_and_in_its_own_tenant(house: House) -> None:
    web, discord, other = house.admin("dora"), house.admin("discord:5"), house.admin("discord:6")
    code = (await house.made("/v1/identities/codes", None, web))["code"]

    async def say(code: str, headers: dict[str, str]) -> int:
        return (await house.call("POST", "/v1/identities", headers, {"code": code})).status_code

    assert await say("ABCDEFGH", discord) == 404
    assert await say(f"{code[:4]}-{code[4:].lower()}", discord) == 204
    assert await say(code, other) == 404
    late = (await house.made("/v1/identities/codes", None, web))["code"]
    house.clock.ahead = 601
    assert await say(late, other) == 404


async def test_somebody_elses_identity_cannot_be_unlinked(house: House) -> None:
    web, discord = house.admin("fred"), house.admin("discord:8")
    await link(house, web, discord)
    [linked] = (await house.call("GET", "/v1/identities", web)).json()
    path = f"/v1/identities/{linked['identity_id']}"

    assert (await house.call("DELETE", path, house.admin("mallory"))).status_code == 404


async def test_nobody_links_to_themselves(house: House) -> None:
    web = house.admin("gail")
    assert await link(house, web, web) == 409
