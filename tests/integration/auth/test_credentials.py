"""Keys, end users' tokens and the tenant's own sign-in: what each may do, and when it ends."""

from datetime import timedelta

import pytest

from saegim.domain.policy import ALLOWED, OF_PEOPLE
from saegim.domain.scope import Role
from tests.integration.auth.conftest import JWKS_URL, AuthStack
from tests.unit.auth.issuer import SigningKeys

pytestmark = pytest.mark.requirement("OP5")


async def test_a_key_is_shown_once_and_listed_by_its_prefix(auth_stack: AuthStack) -> None:
    made = await auth_stack.made(
        "/v1/keys", {"name": "backend", "role": "member", "scopes": ["chat"]}
    )
    listed = (await auth_stack.call("GET", "/v1/keys", auth_stack.admin())).json()
    found = next(each for each in listed if each["key_id"] == made["id"])

    assert made["secret"].startswith(found["prefix"])
    assert found["scopes"] == ["chat"]
    assert found["acts_for_others"] is True
    assert all(made["secret"] not in str(each) for each in listed)


async def test_scopes_are_all_that_a_key_may_do(auth_stack: AuthStack) -> None:
    headers = await auth_stack.key("alice", Role.ADMIN, scopes=["library:read"])

    assert (
        await auth_stack.call("POST", "/v1/search", headers, {"query": "비용"})
    ).status_code == 200
    for method, path in (("GET", "/v1/keys"), ("GET", "/v1/me"), ("GET", "/v1/members")):
        assert (await auth_stack.call(method, path, headers)).status_code == 403


async def test_a_rotated_key_goes_on_for_the_overlap_and_then_ends(auth_stack: AuthStack) -> None:
    made = await auth_stack.made("/v1/keys", {"name": "backend", "role": "admin", "groups": ["hr"]})
    path = f"/v1/keys/{made['id']}/rotate"
    new = await auth_stack.made(path, {"overlap_seconds": 3600})
    both = [
        {"Authorization": f"Bearer {each['secret']}", "Saegim-User": "a"} for each in (made, new)
    ]

    during = [(await auth_stack.call("GET", "/v1/me", each)).status_code for each in both]
    groups = (await auth_stack.call("GET", "/v1/me", both[1])).json()["groups"]
    auth_stack.clock.ahead = 3601
    after = [(await auth_stack.call("GET", "/v1/me", each)).status_code for each in both]

    assert (during, after, groups) == ([200, 200], [401, 200], ["hr"])
    assert (await auth_stack.call("POST", path, auth_stack.admin(), {})).status_code == 409


async def test_a_key_ends_when_it_was_to_and_when_it_is_revoked(auth_stack: AuthStack) -> None:
    ends = (auth_stack.clock.now() + timedelta(days=365)).isoformat()
    made = await auth_stack.made("/v1/keys", {"name": "k", "user": "alice", "expires_at": ends})
    other = await auth_stack.made("/v1/keys", {"name": "k", "user": "alice"})
    revoked = await auth_stack.call("DELETE", f"/v1/keys/{other['id']}", auth_stack.admin())
    headers = [{"Authorization": f"Bearer {each['secret']}"} for each in (made, other)]
    now = [(await auth_stack.call("GET", "/v1/me", each)).status_code for each in headers]
    auth_stack.clock.ahead = 366 * 86400
    later = await auth_stack.call("GET", "/v1/me", headers[0])

    assert (revoked.status_code, now, later.status_code) == (204, [200, 401], 401)


@pytest.mark.parametrize("role", [role for role in OF_PEOPLE if role is not Role.OWNER])
async def test_nobody_makes_a_key_that_may_do_more_than_they(
    auth_stack: AuthStack, role: Role
) -> None:
    headers = await auth_stack.key("maker", role)
    for wanted in OF_PEOPLE:
        response = await auth_stack.call(
            "POST", "/v1/keys", headers, {"name": "k", "user": "maker", "role": wanted}
        )
        allowed = role is Role.ADMIN and ALLOWED[wanted] <= ALLOWED[role]
        assert response.status_code == (201 if allowed else 403), wanted


# Members -------------------------------------------------------------------------------------


async def member_of(auth_stack: AuthStack, name: str) -> dict[str, object]:
    listed = (await auth_stack.call("GET", "/v1/members", auth_stack.admin())).json()["members"]
    return next(each for each in listed if each["name"] == name)


async def test_a_members_role_counts_for_the_tenants_own_sign_in(auth_stack: AuthStack) -> None:
    before = (await auth_stack.call("GET", "/v1/me", auth_stack.signed())).json()
    member = before["user_id"]
    changed = await auth_stack.call(
        "PATCH",
        f"/v1/members/{member}",
        auth_stack.admin(),
        {"role": "editor", "groups": ["sales"]},
    )
    after = (await auth_stack.call("GET", "/v1/me", auth_stack.signed(groups=["hr"]))).json()

    assert changed.status_code == 200, changed.text
    assert (before["role"], before["groups"]) == ("member", [])
    assert (after["role"], after["groups"]) == ("editor", ["hr", "sales"])
    assert (await member_of(auth_stack, "oidc:https://login.example.com#kim"))["role"] == "editor"


async def test_a_member_who_is_locked_out_stays_out_with_every_credential(
    auth_stack: AuthStack,
) -> None:
    await auth_stack.call("GET", "/v1/me", auth_stack.signed())
    key = await auth_stack.key("oidc:https://login.example.com#kim")
    token = await auth_stack.made(
        "/v1/tokens", {}, auth_stack.admin("oidc:https://login.example.com#kim")
    )
    ways = [auth_stack.signed(), key, {"Authorization": f"Bearer {token['secret']}"}]
    member = (await auth_stack.call("GET", "/v1/me", ways[0])).json()["user_id"]
    before = [(await auth_stack.call("GET", "/v1/me", each)).status_code for each in ways]
    await auth_stack.call("PATCH", f"/v1/members/{member}", auth_stack.admin(), {"disabled": True})
    after = [(await auth_stack.call("GET", "/v1/me", each)).status_code for each in ways]
    await auth_stack.call("PATCH", f"/v1/members/{member}", auth_stack.admin(), {"disabled": False})
    again = (await auth_stack.call("GET", "/v1/me", ways[0])).status_code

    assert (before, after, again) == ([200] * 3, [401] * 3, 200)


async def test_a_member_who_steps_down_loses_the_keys_of_the_old_role(
    auth_stack: AuthStack,
) -> None:
    editor = await auth_stack.key("eve", Role.EDITOR)
    plain = await auth_stack.key("eve", Role.MEMBER)
    member = (await auth_stack.call("GET", "/v1/me", editor)).json()["user_id"]
    await auth_stack.call("PATCH", f"/v1/members/{member}", auth_stack.admin(), {"role": "member"})

    assert (await auth_stack.call("GET", "/v1/me", editor)).status_code == 401
    assert (await auth_stack.call("GET", "/v1/me", plain)).status_code == 200


async def test_an_admin_does_not_touch_an_owner(auth_stack: AuthStack) -> None:
    me = (await auth_stack.call("GET", "/v1/me", auth_stack.owner())).json()["user_id"]
    path = f"/v1/members/{me}"
    await auth_stack.call("PATCH", path, auth_stack.owner(), {"role": "owner"})

    assert (
        await auth_stack.call("PATCH", path, auth_stack.admin(), {"role": "member"})
    ).status_code == 403
    assert (
        await auth_stack.call("PATCH", path, auth_stack.owner(), {"disabled": True})
    ).status_code == 403


# End users' tokens ---------------------------------------------------------------------------


async def test_a_token_speaks_for_its_user_and_profile_alone(auth_stack: AuthStack) -> None:
    minted = await auth_stack.made(
        "/v1/tokens", {}, auth_stack.admin("alice", **{"Saegim-Profile": "cat"})
    )
    headers = {"Authorization": f"Bearer {minted['secret']}"}
    said = await auth_stack.call("POST", "/v1/chat", headers, {"message": "안녕"})
    me = (await auth_stack.call("GET", "/v1/me", headers)).json()
    alice = await auth_stack.call(
        "GET", "/v1/me", auth_stack.admin("alice", **{"Saegim-Profile": "cat"})
    )

    assert said.status_code == 200
    assert (me["role"], me["credential"]) == ("member", "token")
    assert me["profile_id"] == alice.json()["profile_id"]
    for more in ({"Saegim-User": "bob"}, {"Saegim-Profile": "dog"}):
        assert (await auth_stack.call("GET", "/v1/me", headers | more)).status_code == 403
    assert (await auth_stack.call("GET", "/v1/keys", headers)).status_code == 403
    assert (await auth_stack.call("POST", "/v1/tokens", headers, {})).status_code == 403


async def test_a_token_ends_with_its_time_its_page_and_its_key(auth_stack: AuthStack) -> None:
    made = await auth_stack.made("/v1/keys", {"name": "web", "role": "admin"})
    backend = {"Authorization": f"Bearer {made['secret']}", "Saegim-User": "alice"}
    body = {"seconds": 60, "origins": ["https://app.example.com"]}
    minted = await auth_stack.made("/v1/tokens", body, backend)
    page = {"Authorization": f"Bearer {minted['secret']}", "Origin": "https://app.example.com"}
    elsewhere = page | {"Origin": "https://evil.example.com"}
    nowhere = {"Authorization": page["Authorization"]}

    async def status(headers: dict[str, str]) -> int:
        return (await auth_stack.call("GET", "/v1/me", headers)).status_code

    assert [await status(each) for each in (page, elsewhere, nowhere)] == [200, 401, 401]
    auth_stack.clock.ahead = 61
    assert await status(page) == 401
    auth_stack.clock.ahead = 0
    await auth_stack.call("DELETE", f"/v1/keys/{made['id']}", auth_stack.admin())
    assert await status(page) == 401


async def test_groups_of_a_token_are_some_of_its_keys(auth_stack: AuthStack) -> None:
    made = await auth_stack.made(
        "/v1/keys", {"name": "web", "role": "admin", "groups": ["hr", "it"]}
    )
    backend = {"Authorization": f"Bearer {made['secret']}", "Saegim-User": "alice"}
    minted = await auth_stack.made("/v1/tokens", {"groups": ["it", "legal"]}, backend)
    me = await auth_stack.call("GET", "/v1/me", {"Authorization": f"Bearer {minted['secret']}"})

    assert me.json()["groups"] == ["it"]


async def test_a_key_that_is_bound_to_one_user_mints_nothing(auth_stack: AuthStack) -> None:
    headers = await auth_stack.key("alice", Role.ADMIN)
    assert (await auth_stack.call("POST", "/v1/tokens", headers, {})).status_code == 403


# The tenant's own sign-in --------------------------------------------------------------------


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
async def test_the_tenants_own_users_come_in(auth_stack: AuthStack, alg: str) -> None:
    token = auth_stack.signing.sign(auth_stack.claims(), alg)
    me = await auth_stack.call("GET", "/v1/me", auth_stack.bearing(token))

    assert (me.status_code, me.json()["credential"]) == (200, "issuer")


async def test_keys_of_an_issuer_are_fetched_seldom_and_again_when_they_change(
    auth_stack: AuthStack,
) -> None:
    for _ in range(3):
        await auth_stack.call("GET", "/v1/me", auth_stack.signed())
    assert auth_stack.key_sets.asked == [JWKS_URL]

    rotated = SigningKeys()
    auth_stack.key_sets.documents[JWKS_URL] = {
        "keys": [key | {"kid": f"{key['kid']}2"} for key in rotated.jwks()["keys"]]
    }
    token = rotated.sign(auth_stack.claims(), kid="r2")
    too_soon = await auth_stack.call("GET", "/v1/me", auth_stack.bearing(token))
    auth_stack.clock.ahead = 31
    later = await auth_stack.call("GET", "/v1/me", auth_stack.bearing(token))

    assert (too_soon.status_code, later.status_code) == (401, 200)
    assert len(auth_stack.key_sets.asked) == 2


async def test_an_issuer_that_was_removed_signs_for_nobody(auth_stack: AuthStack) -> None:
    [issuer] = (await auth_stack.call("GET", "/v1/issuers", auth_stack.admin())).json()
    before = (await auth_stack.call("GET", "/v1/me", auth_stack.signed())).status_code
    await auth_stack.call("DELETE", f"/v1/issuers/{issuer['issuer_id']}", auth_stack.owner())

    assert (before, (await auth_stack.call("GET", "/v1/me", auth_stack.signed())).status_code) == (
        200,
        401,
    )


@pytest.mark.parametrize(
    "keys",
    [
        {"jwks": {"keys": []}},
        {"jwks": {"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}},
        {"jwks_url": "http://login.example.com/jwks"},
        {},
    ],
)
async def test_an_issuer_without_good_keys_is_not_taken(
    auth_stack: AuthStack, keys: dict[str, object]
) -> None:
    body = {"url": "https://two.example.com", "audience": "a", **keys}
    assert (
        await auth_stack.call("PUT", "/v1/issuers", auth_stack.owner(), body)
    ).status_code == 422
