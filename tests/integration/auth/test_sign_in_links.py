"""The link of `saegim dev` signs a browser in, once and for a few minutes."""

import httpx2
import pytest

from saegim.auth.sign_in_links import LASTS, SignInLinks
from saegim.domain.errors import AuthenticationRequired
from saegim.web.app import create_site
from tests.integration.auth.conftest import Clock
from tests.stack import Stack


async def test_a_link_signs_in_once_and_leaves_no_token_in_the_address(stack: Stack) -> None:
    key = await stack.services.auth.tenants.create_key(
        stack.tenant.tenant.id, stack.tenant.assistant.id, name="demo", user="demo"
    )
    token = stack.services.auth.sign_in_links.create(lambda: key)
    transport = httpx2.ASGITransport(app=create_site(stack.services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as browser:
        first = await browser.get("/sign-in/once", params={"token": token})
        inside = await browser.get("/memory")
        browser.cookies.clear()
        second = await browser.get("/sign-in/once", params={"token": token})
        outside = await browser.get("/memory")

    assert (first.status_code, first.headers["location"]) == (303, "/chat")
    assert inside.status_code == 200
    assert second.status_code == 401
    assert outside.status_code == 303
    assert token not in second.text


def test_a_link_expires_and_its_token_is_not_kept() -> None:
    clock = Clock()
    links = SignInLinks(clock)
    token = links.create(lambda: "key")
    assert token not in repr(vars(links))
    clock.ahead = LASTS.total_seconds() + 1
    with pytest.raises(AuthenticationRequired):
        links.redeem(token)
    with pytest.raises(AuthenticationRequired):
        SignInLinks(clock).redeem("")
