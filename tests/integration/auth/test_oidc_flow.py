"""Signing in with the company's account: there, back with a code, and nowhere else."""

import base64
import hashlib
import html
import re
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from saegim.web.app import create_site
from tests.integration.auth.conftest import AUDIENCE, ISSUER, AuthStack

pytestmark = pytest.mark.requirement("OP2")

PAGE = "https://login.example.com/authorize?theme=new"
EXCHANGE = "https://login.example.com/token"


@pytest.fixture
async def browser(auth_stack: AuthStack) -> AsyncIterator[httpx2.AsyncClient]:
    auth_stack.key_sets.documents[f"{ISSUER}/.well-known/openid-configuration"] = {
        "issuer": ISSUER,
        "authorization_endpoint": PAGE,
        "token_endpoint": EXCHANGE,
    }
    transport = httpx2.ASGITransport(app=create_site(auth_stack.stack.services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as http:
        yield http


async def _leave(auth_stack: AuthStack, browser: httpx2.AsyncClient) -> dict[str, str]:
    """Returns the parameters of the link to the issuer's page."""
    tenant = auth_stack.stack.tenant.tenant.id
    response = await browser.get(f"/sign-in/with/{tenant}?next=/memory")
    assert response.status_code == 200, "no redirect to an address that a tenant chose"
    assert "<strong>login.example.com</strong>" in response.text
    [link] = re.findall(r'href="(https://[^"]+)"', response.text)
    address = html.unescape(link)
    assert address.startswith(f"{PAGE}&")
    asked = parse_qs(urlsplit(address).query)
    return {name: values[0] for name, values in asked.items()}


def _good(auth_stack: AuthStack, asked: dict[str, str], **changed: object) -> None:
    """The issuer has a token for a code."""
    claims = {"nonce": asked["nonce"]} | changed
    auth_stack.key_sets.codes["code"] = auth_stack.signing.sign(auth_stack.claims(**claims))


async def _back(browser: httpx2.AsyncClient, state: str, code: str = "code") -> httpx2.Response:
    return await browser.get("/sign-in/back", params={"state": state, "code": code})


async def test_a_person_comes_back_signed_in_at_the_page_they_wanted(
    auth_stack: AuthStack, browser: httpx2.AsyncClient
) -> None:
    asked = await _leave(auth_stack, browser)
    _good(auth_stack, asked)
    back = await _back(browser, asked["state"])
    page = await browser.get(back.headers["Location"])

    assert (asked["client_id"], asked["response_type"]) == (AUDIENCE, "code")
    assert asked["redirect_uri"] == "http://localhost/sign-in/back"
    [form] = auth_stack.key_sets.forms
    digest = hashlib.sha256(form["code_verifier"].encode()).digest()
    assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == asked["code_challenge"]
    assert form["redirect_uri"] == asked["redirect_uri"]
    assert (back.status_code, back.headers["Location"]) == (303, "/memory")
    assert page.status_code == 200


async def test_another_browsers_way_back_signs_nobody_in(
    auth_stack: AuthStack, browser: httpx2.AsyncClient
) -> None:
    asked = await _leave(auth_stack, browser)
    _good(auth_stack, asked)
    wrong = await _back(browser, "x" * len(asked["state"]))
    browser.cookies.clear()
    without = await _back(browser, asked["state"])

    assert (wrong.status_code, without.status_code) == (401, 401)
    assert auth_stack.key_sets.codes, "the code was not even tried"
    assert "saegim" not in browser.cookies


@pytest.mark.parametrize(
    "changed", [{"nonce": "another"}, {"nonce": None}, {"aud": "another"}, {"exp": 1}]
)
async def test_a_token_for_something_else_signs_nobody_in(
    auth_stack: AuthStack, browser: httpx2.AsyncClient, changed: dict[str, object]
) -> None:
    asked = await _leave(auth_stack, browser)
    _good(auth_stack, asked, **changed)
    assert (await _back(browser, asked["state"])).status_code == 401
    assert "saegim" not in browser.cookies


async def test_a_code_that_the_issuer_refuses_and_a_way_that_took_too_long(
    auth_stack: AuthStack, browser: httpx2.AsyncClient
) -> None:
    asked = await _leave(auth_stack, browser)
    refused = await _back(browser, asked["state"], "unknown")
    asked = await _leave(auth_stack, browser)
    _good(auth_stack, asked)
    auth_stack.clock.ahead = 601
    late = await _back(browser, asked["state"])

    assert (refused.status_code, late.status_code) == (401, 401)


async def test_an_issuer_that_speaks_for_another_is_not_followed(
    auth_stack: AuthStack, browser: httpx2.AsyncClient
) -> None:
    where = f"{ISSUER}/.well-known/openid-configuration"
    auth_stack.key_sets.documents[where] = dict(auth_stack.key_sets.documents[where]) | {
        "issuer": "other"
    }
    tenant = auth_stack.stack.tenant.tenant.id
    assert (await browser.get(f"/sign-in/with/{tenant}")).status_code == 503
