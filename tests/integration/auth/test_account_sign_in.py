"""Sign-in with e-mail and password, and attacks on it."""

import re
import time

import httpx2
import pytest

from saegim.api.caller import COOKIE
from saegim.auth.accounts import SignInRequest
from saegim.auth.throttle import PER_ACCOUNT, PER_ADDRESS
from saegim.domain.errors import AuthenticationRequired
from saegim.web.routes.sign_in import BROWSER_COOKIE
from tests.integration.auth.accounts_fixture import (
    OTHER,
    PASSWORD,
    accept,
    actions,
    browser,
    invited,
    joined,
    sign_in,
    token_in,
)
from tests.integration.auth.conftest import AuthStack

pytestmark = pytest.mark.requirement("CH8", "OP5")


async def test_unknown_e_mails_and_wrong_passwords_look_the_same(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as http:
        await joined(auth_stack, http, "known@example.com")
    async with browser(stack) as http:
        wrong = await sign_in(http, "known@example.com", OTHER)
        unknown = await sign_in(http, "nobody@example.com", OTHER)

    def without_email(response: httpx2.Response) -> str:
        return re.sub(r"\w+@example\.com", "", response.text)

    assert wrong.status_code == unknown.status_code == 401
    assert without_email(wrong) == without_email(unknown)
    assert wrong.headers.keys() == unknown.headers.keys()
    assert (await actions(auth_stack))[-1] == "sign_in_failed"


async def test_an_unknown_e_mail_takes_as_long_as_a_wrong_password(auth_stack: AuthStack) -> None:
    accounts = auth_stack.stack.services.auth.accounts
    async with browser(auth_stack.stack) as http:
        await joined(auth_stack, http, "timed@example.com")

    async def seconds(email: str) -> float:
        began = time.perf_counter()
        with pytest.raises(AuthenticationRequired):
            await accounts.verify(SignInRequest(email, OTHER))
        return time.perf_counter() - began

    await seconds("warm-up@example.com")
    # By turns, and the shortest of each: other load only makes some of them longer.
    took = [
        (await seconds("timed@example.com"), await seconds(f"nobody{number}@example.com"))
        for number in range(7)
    ]
    wrong, unknown = map(min, zip(*took, strict=True))

    # Without the hash for nobody, it would be a tenth.
    assert 0.3 < unknown / wrong < 3


async def test_wrong_passwords_are_throttled_by_account_and_by_address(
    auth_stack: AuthStack,
) -> None:
    stack = auth_stack.stack
    async with browser(stack) as own:
        await joined(auth_stack, own, "victim@example.com")
        async with browser(stack, "203.0.113.7") as thief:
            tries = [
                await sign_in(thief, "victim@example.com", f"wrong password {number}")
                for number in range(PER_ACCOUNT.most + 1)
            ]
        async with browser(stack, "198.51.100.9") as stranger:
            right = await sign_in(stranger, "victim@example.com")
        # The person's own browser has signed in before: nobody else can lock it out.
        own.cookies.delete(COOKIE)
        victim = await sign_in(own, "victim@example.com")
        other_account = await sign_in(own, "somebody@example.com")

    assert [each.status_code for each in tries] == [401] * PER_ACCOUNT.most + [429]
    assert 0 < int(tries[-1].headers["retry-after"]) <= PER_ACCOUNT.window_seconds
    assert right.status_code == 429, "even the right password, or guessing would go on"
    assert victim.status_code == 303
    assert other_account.status_code == 401, "the cookie is of one account"


async def test_one_address_cannot_try_many_accounts(auth_stack: AuthStack) -> None:
    async with browser(auth_stack.stack, "203.0.113.99") as http:
        # The failures of a minute are limited in the process, too; these are of the service.
        accounts = auth_stack.stack.services.auth.accounts
        for number in range(PER_ADDRESS.most):
            request = SignInRequest(f"a{number}@example.com", "x", address="203.0.113.99")
            with pytest.raises(AuthenticationRequired):
                await accounts.verify(request)
        refused = await sign_in(http, "fresh@example.com")

    assert refused.status_code == 429


async def test_a_forged_browser_cookie_escapes_no_throttle(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as http:
        await joined(auth_stack, http, "first@example.com")
        of_another = http.cookies[BROWSER_COOKIE]
    async with browser(stack) as http:
        await joined(auth_stack, http, "second@example.com")
    codes = list[int]()
    async with browser(stack, "203.0.113.8") as thief:
        for number in range(PER_ACCOUNT.most + 2):
            forged = f"{'A' * 20}{number:02d}.{'0' * 64}"
            thief.cookies.set(BROWSER_COOKIE, of_another if number % 2 else forged)
            codes.append((await sign_in(thief, "second@example.com", OTHER)).status_code)

    assert codes[-2:] == [429, 429]


async def test_a_disabled_member_is_refused_and_signed_out(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as http, browser(stack) as later:
        member = await joined(auth_stack, http, "blocked@example.com")
        path = f"/v1/members/{member}"
        link = await auth_stack.made(f"{path}/reset-link", None, auth_stack.owner())
        await auth_stack.call("PATCH", path, auth_stack.owner(), {"disabled": True})
        inside = await http.get("/v1/me")
        outside = await sign_in(later, "blocked@example.com")
        reset = await later.get("/reset", params={"token": token_in(link["link"])})

    assert (inside.status_code, outside.status_code, reset.status_code) == (401, 401, 404)


async def test_signing_in_never_adopts_a_cookie_that_was_there(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as thief, browser(stack) as victim:
        await joined(auth_stack, thief, "thief@example.com")
        planted = thief.cookies[COOKIE]
        token = await invited(auth_stack, "fixed@example.com")
        victim.cookies.set(COOKIE, planted, domain="localhost.local")
        await accept(victim, token)
        of_thief = (await thief.get("/v1/me")).json()["user_id"]
        cookies = [each.value for each in victim.cookies.jar if each.name == COOKIE]

    assert any(each != planted for each in cookies)
    first, second = [
        await stack.services.auth.sign_ins.open(each or "") for each in (planted, cookies[-1])
    ]
    assert first.id != second.id
    assert first.csrf != second.csrf
    assert str(first.member) == of_thief != str(second.member)


@pytest.mark.parametrize("path", ["/sign-in", "/invitation", "/reset"])
async def test_a_form_of_another_site_is_refused(auth_stack: AuthStack, path: str) -> None:
    form = {"email": "x@example.com", "password": PASSWORD, "token": "x"}
    async with browser(auth_stack.stack) as http:
        codes = [
            (await http.post(path, data=form, headers=headers)).status_code
            for headers in (
                {"Origin": "https://evil.example"},
                {"Origin": "null"},
                {"Sec-Fetch-Site": "cross-site"},
                {"Sec-Fetch-Site": "same-site"},
            )
        ]

    assert codes == [403] * 4


async def test_the_next_page_is_one_of_ours(auth_stack: AuthStack) -> None:
    async with browser(auth_stack.stack) as http:
        await joined(auth_stack, http, "next@example.com")
        wanted = ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example"]
        places = [
            (await sign_in(http, "next@example.com", next=each)).headers["location"]
            for each in wanted
        ]

    assert places == ["/chat"] * 4


async def test_an_account_is_no_bearer_credential(auth_stack: AuthStack) -> None:
    stack = auth_stack.stack
    async with browser(stack) as http:
        member = await joined(auth_stack, http, "bearer@example.com")
        cookie = http.cookies[COOKIE]
    for credential in (cookie, member, "bearer@example.com", ""):
        headers = {"Authorization": f"Bearer {credential}"}
        assert (await auth_stack.call("GET", "/v1/me", headers)).status_code == 401
