"""New passwords of accounts, and attacks on changing them."""

import html
from uuid import UUID

import httpx2
import pytest

from saegim.auth.accounts import RESET_FOR, SignInRequest
from saegim.auth.throttle import PER_ACCOUNT
from saegim.domain.errors import AuthenticationRequired
from saegim.domain.scope import Role
from tests.integration.auth.accounts_fixture import (
    OTHER,
    PASSWORD,
    actions,
    browser,
    joined,
    shown,
    sign_in,
    token_in,
)
from tests.integration.auth.conftest import AuthStack

pytestmark = pytest.mark.requirement("CH8", "OP5")


async def test_changing_the_password_ends_the_other_sign_ins(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as http, browser(stack) as other:
        await joined(auth_stack, http, "change@example.com")
        await sign_in(other, "change@example.com")
        csrf = await shown(stack, http)

        async def change(current: str, new: str, headers: dict[str, str]) -> httpx2.Response:
            body = {"current": current, "new": new}
            return await http.put("/v1/me/password", json=body, headers=headers)

        without_csrf = await change(PASSWORD, OTHER, {})
        wrong, weak = await change(OTHER, OTHER, csrf), await change(PASSWORD, "short", csrf)
        changed = await change(PASSWORD, OTHER, csrf)
        here, there = await http.get("/v1/me"), await other.get("/v1/me")
        old, new = [await sign_in(other, "change@example.com", each) for each in (PASSWORD, OTHER)]

    assert without_csrf.status_code == 403
    assert (wrong.status_code, wrong.json()["code"]) == (422, "wrong_password")
    assert (weak.status_code, weak.json()["code"]) == (422, "weak_password")
    assert (changed.status_code, here.status_code, there.status_code) == (204, 200, 401)
    assert (old.status_code, new.status_code) == (401, 303)
    assert "password_changed" in await actions(auth_stack)


async def test_a_key_changes_nobodys_password(auth_stack: AuthStack) -> None:
    body = {"current": PASSWORD, "new": OTHER}
    as_user = auth_stack.admin("account:key@example.com")
    async with browser(auth_stack.stack) as http:
        await joined(auth_stack, http, "key@example.com")
    refused = await auth_stack.call("PUT", "/v1/me/password", as_user, body)

    assert refused.status_code == 403


async def test_guesses_of_the_current_password_are_throttled(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as http:
        await joined(auth_stack, http, "guessed@example.com")
        headers, body = await shown(stack, http), {"current": OTHER, "new": OTHER}
        codes = [
            (await http.put("/v1/me/password", json=body, headers=headers)).status_code
            for _ in range(PER_ACCOUNT.most + 1)
        ]

    assert codes == [422] * PER_ACCOUNT.most + [429]


async def test_a_reset_link_sets_a_password_once_and_signs_out_everywhere(
    auth_stack: AuthStack,
) -> None:
    stack, owner = auth_stack.stack, auth_stack.owner()
    async with browser(stack) as http, browser(stack) as new:
        member = await joined(auth_stack, http, "forgot@example.com")
        path = f"/v1/members/{member}/reset-link"
        old = token_in((await auth_stack.made(path, None, owner))["link"])
        token = token_in((await auth_stack.made(path, None, owner))["link"])
        form = {"password": OTHER, "again": OTHER}
        replaced = await new.post("/reset", data=form | {"token": old})
        page = await new.get("/reset", params={"token": token})
        done = await new.post("/reset", data=form | {"token": token})
        replayed = await new.post("/reset", data=form | {"token": token})
        before, after = await http.get("/v1/me"), await new.get("/v1/me")
        late = token_in((await auth_stack.made(path, None, owner))["link"])
        auth_stack.clock.ahead = RESET_FOR.total_seconds() + 1
        expired = await new.post("/reset", data=form | {"token": late})

    assert "forgot@example.com" in html.unescape(page.text)
    assert (replaced.status_code, done.status_code, replayed.status_code) == (404, 303, 404)
    assert (before.status_code, after.status_code) == (401, 200)
    assert after.json()["user_id"] == member
    assert expired.status_code == 404
    assert {"reset_link_made", "password_changed"} <= set(await actions(auth_stack))


async def test_a_reset_link_is_for_accounts_that_the_caller_outranks(
    auth_stack: AuthStack,
) -> None:
    admin, member = await auth_stack.key("관리", Role.ADMIN), await auth_stack.key("회원")
    plain = (await auth_stack.call("GET", "/v1/me", member)).json()["user_id"]
    async with browser(auth_stack.stack) as http:
        owner = await joined(auth_stack, http, "owner@example.com", Role.OWNER)

    async def made(headers: dict[str, str], of: str) -> int:
        return (await auth_stack.call("POST", f"/v1/members/{of}/reset-link", headers)).status_code

    assert await made(member, owner) == 403
    assert await made(admin, owner) == 403
    assert await made(admin, plain) == 409
    assert await made(admin, str(UUID(int=7))) == 404


async def test_a_sign_in_that_crosses_a_change_of_password_is_refused(
    auth_stack: AuthStack,
) -> None:
    services = auth_stack.stack.services
    async with browser(auth_stack.stack) as http:
        await joined(auth_stack, http, "race@example.com")
    [account] = await services.auth.accounts.verify(SignInRequest("race@example.com", PASSWORD))
    await services.auth.accounts.store.set_password(
        account, await services.auth.accounts.passwords.hash(OTHER), auth_stack.clock.now()
    )
    with pytest.raises(AuthenticationRequired):
        await services.auth.sign_ins.begin_with_account(account)
