"""Behind a proxy: SAEGIM_PUBLIC_URL is the address that browsers use."""

import html
import re
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from pydantic import ValidationError

from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.domain.scope import Role
from saegim.web.app import create_site
from tests.integration.auth.conftest import ISSUER, JWKS_URL, KeySets
from tests.stack import Databases, Stack, new_stack

PUBLIC = "https://copilot.example.com"


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    key_sets = KeySets()
    key_sets.documents[f"{ISSUER}/.well-known/openid-configuration"] = {
        "issuer": ISSUER,
        "authorization_endpoint": f"{ISSUER}/authorize",
        "token_endpoint": f"{ISSUER}/token",
    }
    settings = {"public_url": PUBLIC}
    async with new_stack(databases, Fakes(key_sets=key_sets), settings=settings) as running:
        yield running


@pytest.mark.requirement("OP2")
async def test_proxied_sign_in_uses_the_public_address(stack: Stack) -> None:
    issuer = {"url": ISSUER, "audience": "saegim", "jwks_url": JWKS_URL}
    tenant = stack.tenant
    owner = await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, "k", user="owner", role=Role.OWNER
    )
    headers = {"Authorization": f"Bearer {owner}"}
    put = await stack.http.put("/v1/issuers", json=issuer, headers=headers)
    # What nginx sends by default: its own name for the server behind it.
    transport = httpx2.ASGITransport(app=create_site(stack.services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http:
        form = {"key": tenant.key, "user": "kim"}
        signed_in = await http.post("/sign-in", data=form, headers={"Origin": PUBLIC})
        foreign = await http.post("/sign-in", data=form, headers={"Origin": "https://evil.com"})
        page = await http.get(f"/sign-in/with/{tenant.tenant.id}")
        cookie = signed_in.headers["Set-Cookie"]
        name, _, rest = cookie.partition("=")
        shown = {"Cookie": f"{name}={rest.partition(';')[0]}"}
        me = await http.get("/v1/me", headers=shown)
        plain = {"Cookie": shown["Cookie"].removeprefix("__Host-")}
        without_prefix = await http.get("/v1/me", headers=plain)

    assert put.status_code == 204, put.text
    assert (signed_in.status_code, foreign.status_code) == (303, 403)
    assert name == "__Host-saegim"
    assert {"Secure", "HttpOnly", "Path=/"} <= set(rest.split("; "))
    assert "Domain" not in rest
    assert signed_in.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert (me.status_code, without_prefix.status_code) == (200, 401)
    [link] = re.findall(r'href="(https://login[^"]+)"', page.text)
    back = parse_qs(urlsplit(html.unescape(link)).query)["redirect_uri"]
    assert back == [f"{PUBLIC}/sign-in/back"]


@pytest.mark.parametrize("wrong", ["copilot.example.com", "https://a/b", "ftp://a", "https://u@a"])
def test_a_public_address_is_a_scheme_and_a_host(wrong: str) -> None:
    with pytest.raises(ValidationError):
        Settings(public_url=wrong)
    assert Settings(public_url=PUBLIC + "/").public_url == PUBLIC
