"""What administrators see of people and keys, and keys that only mint tokens."""

from typing import Any

import pytest

from saegim.domain.scope import Role
from tests.integration.auth.accounts_fixture import browser, joined, shown
from tests.integration.auth.conftest import AuthStack

pytestmark = pytest.mark.requirement("OP5")

REASON = "웹사이트의 위젯"


async def test_members_show_account_role_groups_and_last_use(auth_stack: AuthStack) -> None:
    owner = auth_stack.owner()
    async with browser(auth_stack.stack) as http:
        with_account = await joined(auth_stack, http, "member@example.com", Role.EDITOR)
    boss = await auth_stack.key("boss", Role.ADMIN)
    by_key = (await auth_stack.call("GET", "/v1/me", boss)).json()["user_id"]
    change = {"groups": ["sales"]}
    await auth_stack.call("PATCH", f"/v1/members/{with_account}", owner, change)
    members = await _members(auth_stack)
    account, key = members[with_account], members[by_key]

    assert (account["name"], account["email"]) == ("김새김", "member@example.com")
    assert (account["role"], account["groups"]) == ("editor", ["sales"])
    assert (account["has_account"], account["disabled"]) == (True, False)
    assert account["last_seen"] is not None
    assert (key["name"], key["email"], key["has_account"]) == ("boss", None, False)
    assert key["role"] == "admin", "the role of the key is what the person may do"
    demoted = await auth_stack.call("PATCH", f"/v1/members/{by_key}", owner, {"role": "member"})
    assert demoted.json()["role"] == "member"


async def _members(auth_stack: AuthStack) -> dict[str, Any]:
    found = (await auth_stack.call("GET", "/v1/members", auth_stack.owner())).json()["members"]
    return {each["member_id"]: each for each in found}


async def test_groups_in_use_are_listed_with_counts(auth_stack: AuthStack) -> None:
    owner = auth_stack.owner()
    me = (await auth_stack.call("GET", "/v1/me", await auth_stack.key("grouped"))).json()
    await auth_stack.call(
        "PATCH", f"/v1/members/{me['user_id']}", owner, {"groups": ["영업", "인사"]}
    )
    await auth_stack.made("/v1/collections", {"name": "급여", "audience": ["인사"]}, owner)
    invited = {"email": "new@example.com", "role": "member", "groups": ["법무", "영업"]}
    await auth_stack.made("/v1/invitations", invited, owner)
    await auth_stack.key("keyed", groups=["운영"])
    groups = (await auth_stack.call("GET", "/v1/groups", owner)).json()
    refused = await auth_stack.call("GET", "/v1/groups", await auth_stack.key("plain"))

    assert groups == [
        {"name": "법무", "members": 0, "invitations": 1, "keys": 0, "collections": 0},
        {"name": "영업", "members": 1, "invitations": 1, "keys": 0, "collections": 0},
        {"name": "운영", "members": 0, "invitations": 0, "keys": 1, "collections": 0},
        {"name": "인사", "members": 1, "invitations": 0, "keys": 0, "collections": 1},
    ]
    assert refused.status_code == 403


@pytest.mark.parametrize(
    ("role", "people"),
    [
        (Role.OWNER, ["owner", "admin", "editor", "member", "auditor"]),
        (Role.ADMIN, ["admin", "editor", "member"]),
        (Role.MEMBER, ["member"]),
    ],
)
async def test_the_roles_that_are_offered_are_those_that_may_be_granted(
    auth_stack: AuthStack, role: Role, people: list[str]
) -> None:
    me = (await auth_stack.call("GET", "/v1/me", await auth_stack.key("me", role))).json()

    assert me["grantable_roles"] == people
    minter = ["minter"] if role is Role.OWNER else []
    assert me["grantable_key_roles"] == people + minter


# Keys -----------------------------------------------------------------------------------------


async def test_keys_show_whose_they_are_and_who_made_them(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as http:
        await joined(auth_stack, http, "maker@example.com", Role.OWNER)
        csrf = await shown(stack, http)
        body = {"name": "laptop", "user": "new person", "reason": "장비"}
        made = await http.post("/v1/keys", json=body, headers=csrf)
        keys = (await http.get("/v1/keys")).json()
    [one] = [each for each in keys if each["key_id"] == made.json()["id"]]

    assert (one["member_name"], one["made_by_name"]) == ("new person", "김새김")
    assert not any(each["current"] for each in keys), "an account is no key"
    own = (await auth_stack.call("GET", "/v1/keys", auth_stack.owner())).json()
    assert [each["name"] for each in own if each["current"]] == ["owner"]


async def test_the_key_in_use_cannot_be_revoked_by_itself(auth_stack: AuthStack) -> None:
    keys = (await auth_stack.call("GET", "/v1/keys", auth_stack.owner())).json()
    [own] = [each["key_id"] for each in keys if each["current"]]
    other = await auth_stack.key("another", Role.OWNER)
    refused = await auth_stack.call("DELETE", f"/v1/keys/{own}", auth_stack.owner())
    still = await auth_stack.call("GET", "/v1/keys", auth_stack.owner())
    revoked = await auth_stack.call("DELETE", f"/v1/keys/{own}", other)

    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "in use" in refused.json()["detail"]
    assert (still.status_code, revoked.status_code) == (200, 204)


async def test_a_minting_key_mints_tokens_and_does_nothing_else(auth_stack: AuthStack) -> None:
    order = {"name": "website", "role": "minter", "reason": REASON}
    made = await auth_stack.made("/v1/keys", order, auth_stack.owner())
    minter = {"Authorization": f"Bearer {made['secret']}", "Saegim-User": "visitor-7"}
    token = await auth_stack.made("/v1/tokens", {}, minter)
    visitor = {"Authorization": f"Bearer {token['secret']}"}
    asked = await auth_stack.call("POST", "/v1/chat", visitor, {"message": "안녕하세요"})
    me = (await auth_stack.call("GET", "/v1/me", visitor)).json()
    extra = await auth_stack.call("POST", "/v1/tokens", minter, {"may": ["self:erase"]})
    others = [
        (await auth_stack.call(method, path, minter, body)).status_code
        for method, path, body in (
            ("GET", "/v1/me", None),
            ("POST", "/v1/chat", {"message": "x"}),
            ("GET", "/v1/memories", None),
            ("POST", "/v1/search", {"query": "x"}),
            ("GET", "/v1/members", None),
            ("GET", "/v1/keys", None),
            ("POST", "/v1/keys", {"name": "x"}),
            ("POST", "/v1/invitations", {"email": "x@example.com"}),
        )
    ]

    assert asked.status_code == 200, asked.text
    assert (me["role"], me["credential"]) == ("member", "token")
    assert extra.status_code == 403
    assert others == [403] * 8


async def test_a_minting_key_reaches_everybody_so_it_needs_a_reason(
    auth_stack: AuthStack,
) -> None:
    order = {"name": "website", "role": "minter"}
    admin, owner = (
        await auth_stack.key("관리", Role.ADMIN),
        await auth_stack.key("주인", Role.OWNER),
    )

    async def made(headers: dict[str, str], **more: str) -> int:
        return (await auth_stack.call("POST", "/v1/keys", headers, order | more)).status_code

    async def offered(headers: dict[str, str]) -> bool:
        me = (await auth_stack.call("GET", "/v1/me", headers)).json()
        return "minter" in me["grantable_key_roles"]

    backend = await auth_stack.made(
        "/v1/keys", {"name": "backend", "role": "admin", "reason": REASON}, auth_stack.owner()
    )
    program = {"Authorization": f"Bearer {backend['secret']}", "Saegim-User": "kim"}

    assert [await offered(each) for each in (admin, owner, program)] == [False, True, True]
    assert await made(admin, reason=REASON) == 403
    assert await made(program) == 201
    assert await made(owner) == 422
    assert await made(owner, reason=REASON) == 201
    assert await made(owner, reason=REASON, user="kim") == 422


async def test_a_person_cannot_have_the_role_of_a_minting_key(auth_stack: AuthStack) -> None:
    me = (await auth_stack.call("GET", "/v1/me", await auth_stack.key("person"))).json()
    path = f"/v1/members/{me['user_id']}"
    changed = await auth_stack.call("PATCH", path, auth_stack.owner(), {"role": "minter"})

    assert changed.status_code == 422
