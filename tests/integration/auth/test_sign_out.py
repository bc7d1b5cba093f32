"""Signing out ends the sign-in, in this browser or in all; a forged cookie leaves no trace."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx2
import psycopg
import pytest

from saegim.api.caller import COOKIE, CSRF
from saegim.auth import tokens
from saegim.auth.sign_in import LASTS, PREFIX
from saegim.cli.operators import governance
from saegim.web.app import create_site
from tests.integration.auth.conftest import AuthStack
from tests.stack import Stack

pytestmark = pytest.mark.requirement("OP2")


@asynccontextmanager
async def _browser(stack: Stack) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=create_site(stack.services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as http:
        yield http


async def _sign_in(stack: Stack, browser: httpx2.AsyncClient, user: str = "kim") -> dict[str, str]:
    """Signs in; the header that every change shows."""
    form = {"key": stack.tenant.key, "user": user, "next": "/memory"}
    assert (await browser.post("/sign-in", data=form)).status_code == 303
    sign_in = await stack.services.auth.sign_ins.open(browser.cookies[COOKIE])
    return {CSRF: sign_in.csrf}


async def test_a_cookie_is_worth_nothing_after_sign_out(stack: Stack) -> None:
    async with _browser(stack) as browser, _browser(stack) as other, _browser(stack) as thief:
        shown = await _sign_in(stack, browser)
        await _sign_in(stack, other)
        copied = {"Cookie": f"{COOKIE}={browser.cookies[COOKIE]}"}
        before = await thief.get("/v1/me", headers=copied)
        left = await browser.post("/sign-out", headers=shown)
        read = await thief.get("/v1/me", headers=copied)
        wrote = await stack.http.post("/v1/chat", json={"message": "안녕"}, headers=copied | shown)
        elsewhere = await other.get("/v1/me")

    assert (before.status_code, left.status_code) == (200, 204)
    assert (read.status_code, wrote.status_code) == (401, 401)
    assert COOKIE not in browser.cookies
    assert elsewhere.status_code == 200, "another browser stays signed in"


async def test_sign_ins_and_sign_outs_are_events_that_name_the_person(
    auth_stack: AuthStack,
) -> None:
    stack = auth_stack.stack
    async with _browser(stack) as browser, _browser(stack) as other:
        shown = await _sign_in(stack, browser)
        user = (await browser.get("/v1/me")).json()["user_id"]
        refused = await browser.post("/sign-in", data={"key": "sgm_none", "user": "kim"})
        await browser.post("/sign-out", headers=shown)
        await other.post("/sign-out/everywhere", headers=await _sign_in(stack, other))
    events = (await auth_stack.call("GET", "/v1/audit", auth_stack.owner())).json()["events"]
    signed = [each for each in reversed(events) if each["action"].startswith("signed_")]

    assert refused.status_code >= 400
    assert [each["action"] for each in signed] == ["signed_in", "signed_out"] * 2
    assert {each["actor_id"] for each in signed} == {user}


async def test_sign_out_everywhere_ends_all_sign_ins_of_the_person_alone(stack: Stack) -> None:
    async with _browser(stack) as one, _browser(stack) as two, _browser(stack) as third:
        shown = await _sign_in(stack, one)
        await _sign_in(stack, two)
        await _sign_in(stack, third, "lee")
        left = await one.post("/sign-out/everywhere", headers=shown)
        theirs, others = await two.get("/v1/me"), await third.get("/v1/me")

    assert left.status_code == 204
    assert (theirs.status_code, others.status_code) == (401, 200)


async def test_switching_profiles_does_not_prolong_a_sign_in(auth_stack: AuthStack) -> None:
    async with _browser(auth_stack.stack) as browser:
        shown = await _sign_in(auth_stack.stack, browser)
        auth_stack.clock.ahead = LASTS.total_seconds() - 60
        form = {"new": "집"}
        switched = await browser.post("/profile", data=form, headers=shown)
        during = await browser.get("/v1/me")
        auth_stack.clock.ahead = LASTS.total_seconds() + 1
        after = await browser.get("/v1/me")

    assert (switched.status_code, during.status_code, after.status_code) == (204, 200, 401)


async def test_a_csrf_secret_or_state_that_is_not_ascii_is_refused(stack: Stack) -> None:
    async with _browser(stack) as browser:
        await _sign_in(stack, browser)
        wrong = {CSRF.encode(): b"\xe9"}
        csrf = await browser.post("/sign-out", headers=wrong)
        state = await browser.get("/sign-in/back", params={"state": "상태", "code": "x"})

    assert (csrf.status_code, state.status_code) == (403, 401)


async def test_cookies_of_unknown_tenants_make_no_keys(stack: Stack) -> None:
    before = _keys(stack)
    async with _browser(stack) as browser:
        for name in (COOKIE, "saegim_on_the_way"):
            forged = tokens.write(uuid4(), uuid4(), b"x" * 60, PREFIX)
            headers = {"Cookie": f"{name}={forged}"}
            read = await browser.get("/v1/me", headers=headers)
            back = await browser.get("/sign-in/back?state=s&code=c", headers=headers)
            assert (read.status_code, back.status_code) == (401, 401)

    assert _keys(stack) == before


async def test_prune_removes_keys_of_unknown_tenants_and_no_others(stack: Stack) -> None:
    unknown, fresh, with_user = uuid4(), uuid4(), uuid4()
    keyring, tenant = stack.services.encryption.keyring, stack.tenant.tenant.id
    for each in (unknown, fresh, with_user, tenant):
        await keyring.tenant(each)
    await keyring.user(with_user, uuid4())
    _age(stack, [unknown, with_user, tenant])
    await governance.prune_keys(stack.services)

    assert unknown not in _keys(stack)
    assert {fresh, with_user, tenant} <= _keys(stack)


def _keys(stack: Stack) -> set[object]:
    with _keyring(stack) as connection:
        return {row[0] for row in connection.execute("select tenant_id from wrapped_key")}


def _age(stack: Stack, tenants: list[object]) -> None:
    with _keyring(stack) as connection:
        connection.execute(
            "update wrapped_key set made_at = now() - interval '2 days' where tenant_id = any(%s)",
            (tenants,),
        )


def _keyring(stack: Stack) -> psycopg.Connection:
    databases = stack.databases
    return psycopg.connect(databases.servers.postgres.url(databases.keyring), autocommit=True)
