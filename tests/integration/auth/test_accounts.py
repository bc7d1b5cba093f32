"""Accounts with e-mail and password: invitations, tenants, erasure."""

import asyncio
from uuid import UUID

import psycopg
import pytest

from saegim.api.caller import COOKIE
from saegim.app.infrastructure import Fakes, KeyTimes
from saegim.auth.accounts import INVITED_FOR
from saegim.auth.types import mint_link
from saegim.db.cells import HOME_CELL
from saegim.domain.scope import Role
from tests.integration.auth.accounts_fixture import (
    OTHER,
    PASSWORD,
    accept,
    actions,
    browser,
    invited,
    joined,
    shown,
    sign_in,
    token_in,
)
from tests.integration.auth.conftest import AuthStack
from tests.stack import Databases, new_stack

pytestmark = pytest.mark.requirement("CH8", "OP5")


async def test_links_take_no_host_from_the_request(auth_stack: AuthStack) -> None:
    member = (await auth_stack.call("GET", "/v1/me", auth_stack.owner())).json()["user_id"]
    for path in ("/v1/invitations", f"/v1/members/{member}/reset-link"):
        headers = auth_stack.owner() | {"Host": "evil.example"}
        refused = await auth_stack.call("POST", path, headers, {"email": "new@example.com"})
        assert (refused.status_code, refused.json()["code"]) == (409, "no_public_url")
    assert (await auth_stack.call("GET", "/v1/invitations", auth_stack.owner())).json() == []


async def test_an_invited_person_chooses_a_password_and_signs_in_with_it(
    auth_stack: AuthStack,
) -> None:
    stack = auth_stack.stack
    token = await invited(auth_stack, "Kim@Example.com", Role.EDITOR, groups=["sales"])
    async with browser(stack) as http, browser(stack) as later:
        page = await http.get("/invitation", params={"token": token})
        accepted = await accept(http, token)
        me = (await http.get("/v1/me")).json()
        signed_in = await sign_in(later, " kim@example.COM ", next="/memory")
        same = (await later.get("/v1/me")).json()

    assert "kim@example.com" in page.text
    assert "새김 상사" in page.text
    assert accepted.headers["location"] == "/chat", "the history keeps no token"
    assert (me["role"], me["groups"], me["credential"]) == ("editor", ["sales"], "account")
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/memory")
    assert same == me
    recorded = await actions(auth_stack)
    assert recorded[-4:] == ["invited", "account_made", "signed_in", "signed_in"]


async def test_an_invitation_works_once_until_it_expires_or_is_withdrawn(
    auth_stack: AuthStack,
) -> None:
    stack, owner = auth_stack.stack, auth_stack.owner()
    used = await invited(auth_stack, "used@example.com")
    replaced = await invited(auth_stack, "twice@example.com")
    await invited(auth_stack, "twice@example.com")
    withdrawn = await invited(auth_stack, "withdrawn@example.com")
    listed = (await auth_stack.call("GET", "/v1/invitations", owner)).json()
    late = await invited(auth_stack, "late@example.com")
    [gone] = [each for each in listed if each["email"] == "withdrawn@example.com"]
    await auth_stack.call("DELETE", f"/v1/invitations/{gone['invitation_id']}", owner)
    async with browser(stack) as http, browser(stack) as other:
        assert (await accept(http, used)).status_code == 303
        again = [await accept(other, each) for each in (used, replaced, withdrawn)]
        auth_stack.clock.ahead = INVITED_FOR.total_seconds() + 1
        expired = await accept(other, late)

    assert [each.status_code for each in (*again, expired)] == [404] * 4
    assert COOKIE not in other.cookies
    assert all(used not in str(each) for each in listed), "a link is shown once"


async def test_tokens_of_links_are_stored_hashed_and_of_no_other_kind(
    auth_stack: AuthStack,
) -> None:
    stack = auth_stack.stack
    token = await invited(auth_stack, "hash@example.com")
    async with browser(stack) as http:
        crossed = await http.get("/reset", params={"token": token.replace("sgi_", "sgr_")})
        forged, _ = mint_link("invitation", stack.tenant.tenant.id)
        unknown = await http.get("/invitation", params={"token": forged})
    with psycopg.connect(stack.databases.admin_url) as admin:
        rows = admin.execute("select i::text from saegim.invitation i").fetchall()

    assert (crossed.status_code, unknown.status_code) == (404, 404)
    assert rows
    # The secret may contain the separator.
    secret = token.split("_", 2)[2]
    assert all(secret not in row and secret.encode().hex() not in row for (row,) in rows)
    assert all("hash@example.com" not in row for (row,) in rows)


async def test_a_password_has_ten_characters_and_is_typed_twice(auth_stack: AuthStack) -> None:
    token = await invited(auth_stack, "short@example.com")
    async with browser(auth_stack.stack) as http:
        short = await accept(http, token, "ninechars")
        form = {"token": token, "password": PASSWORD, "again": OTHER}
        different = await http.post("/invitation", data=form)
        good = await accept(http, token, "tenletters")

    assert [each.status_code for each in (short, different, good)] == [422, 422, 303]


async def test_nobody_invites_above_themselves_or_somebody_with_an_account(
    auth_stack: AuthStack,
) -> None:
    async with browser(auth_stack.stack) as http:
        await joined(auth_stack, http, "taken@example.com")
    admin, member = await auth_stack.key("관리", Role.ADMIN), await auth_stack.key("회원")

    async def invite(headers: dict[str, str], **body: object) -> int:
        body = {"email": "new@example.com"} | body
        return (await auth_stack.call("POST", "/v1/invitations", headers, body)).status_code

    assert await invite(member) == 403
    assert [await invite(admin, role=role) for role in ("owner", "auditor")] == [403, 403]
    assert await invite(admin, role="admin") == 201
    assert await invite(auth_stack.owner(), role="minter") == 422
    assert await invite(admin, email="TAKEN@example.com") == 409
    assert await invite(admin, email="no address") == 422


async def test_invitations_of_somebody_who_loses_the_role_are_void(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as boss, browser(stack) as guest:
        member = await joined(auth_stack, boss, "boss@example.com", Role.ADMIN)
        body = {"email": "guest@example.com", "role": "admin"}
        made = await boss.post("/v1/invitations", json=body, headers=await shown(stack, boss))
        path = f"/v1/members/{member}"
        changed = await auth_stack.call("PATCH", path, auth_stack.owner(), {"role": "member"})
        accepted = await accept(guest, token_in(made.json()["link"]))

    assert (made.status_code, changed.status_code) == (201, 200)
    assert accepted.status_code == 404


async def test_the_password_decides_between_accounts_of_one_e_mail(auth_stack: AuthStack) -> None:
    stack, services = auth_stack.stack, auth_stack.stack.services
    second = await services.auth.tenants.create("둘째 상사", "ko", HOME_CELL)
    headers = {"Authorization": f"Bearer {second.key}", "Saegim-User": "root"}
    email = "both@example.com"
    async with browser(stack) as one, browser(stack) as two, browser(stack) as any_:
        await joined(auth_stack, one, email)
        made = await auth_stack.made("/v1/invitations", {"email": email}, headers)
        await accept(two, token_in(made["link"]), OTHER)
        ids = [(await each.get("/v1/me")).json()["user_id"] for each in (one, two)]
        await sign_in(any_, email, OTHER)
        by_second = (await any_.get("/v1/me")).json()["user_id"]
        csrf = await shown(stack, two)
        body = {"current": OTHER, "new": PASSWORD}
        await two.put("/v1/me/password", json=body, headers=csrf)
        any_.cookies.clear()
        choice = await sign_in(any_, email)
        no_session = (await any_.get("/v1/me")).status_code
        await sign_in(any_, email, organisation=str(second.tenant.id))
        chosen = (await any_.get("/v1/me")).json()["user_id"]
        foreign = await sign_in(any_, email, organisation=str(UUID(int=9)))

    assert by_second == ids[1]
    assert (choice.status_code, no_session) == (200, 401)
    assert "둘째 상사" in choice.text
    assert "새김 상사" in choice.text
    assert chosen == ids[1]
    assert foreign.status_code == 401


async def test_an_admin_of_another_tenant_reaches_no_account(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    second = await stack.services.auth.tenants.create("셋째 상사", "ko", HOME_CELL)
    headers = {"Authorization": f"Bearer {second.key}", "Saegim-User": "root"}
    async with browser(stack) as http:
        member = await joined(auth_stack, http, "mine@example.com")
    await invited(auth_stack, "open@example.com")
    listed = (await auth_stack.call("GET", "/v1/invitations", auth_stack.owner())).json()
    path = f"/v1/invitations/{listed[0]['invitation_id']}"

    assert (await auth_stack.call("GET", "/v1/invitations", headers)).json() == []
    assert (await auth_stack.call("DELETE", path, headers)).status_code == 404
    reset = await auth_stack.call("POST", f"/v1/members/{member}/reset-link", headers)
    assert reset.status_code == 404


async def test_an_erased_account_leaves_nothing_to_look_up(databases: Databases) -> None:
    fakes = Fakes(key_times=KeyTimes(remember=0.2, margin=0.1))
    async with new_stack(databases, fakes, "지운 상사") as stack, browser(stack) as http:
        body, headers = {"email": "erased@example.com"}, stack.headers()
        made = await stack.http.post("/v1/invitations", json=body, headers=headers)
        await accept(http, token_in(made.json()["link"]))
        member = (await http.get("/v1/me")).json()["user_id"]
        exported = (await http.get("/v1/export")).json()
        order = {"member_id": member, "reason": "요청"}
        async with stack.working():
            asked = await stack.http.post("/v1/erasures", json=order, headers=headers)
            path = f"/v1/erasures/{asked.json()['erasure_id']}"
            async with asyncio.timeout(120):
                while (await stack.http.get(path, headers=headers)).json()["state"] != "done":
                    await asyncio.sleep(0.1)
        gone = await sign_in(http, "erased@example.com")
        hashed = await stack.services.auth.accounts.store.email_hash("erased@example.com")
    with psycopg.connect(databases.admin_url) as admin:
        query = "select count(*) from saegim.account_directory where email_hash = %s"
        row = admin.execute(query, (hashed,)).fetchone()

    assert exported["tables"]["account"][0]["email"] == "erased@example.com"
    assert "password_hash" not in exported["tables"]["account"][0]
    assert gone.status_code == 401
    assert row == (0,)
