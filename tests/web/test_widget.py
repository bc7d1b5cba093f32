"""The widget on a page of another origin: a token, an answer, and nothing of each other's."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from tests.web.browser_fixture import PATIENCE, Site
from tests.web.conftest import SignedIn

pytestmark = pytest.mark.requirement("CH3")

PAGE = """<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>우리 서비스</title>
<style>button {{ display: none; }} * {{ color: red; }}</style></head>
<body><h1>우리 서비스</h1><script>window.secret = "host";</script>
<script src="{site}/widget.js" data-token-url="/token" data-language="ko" data-title="도우미" defer>
</script></body></html>"""


class Host:
    """Another product: its page, and its backend that mints tokens."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.url = ""
        self.minted = 0
        self.user = "guest"
        self.seconds = 3600

    async def token(self) -> str:
        headers = self.site.stack.headers(self.user)
        body = {"seconds": self.seconds, "origins": [self.url]}
        answer = await self.site.stack.http.post("/v1/tokens", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        self.minted += 1
        return answer.json()["secret"]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readline()).decode()
        while (await reader.readline()).strip():
            pass
        if "/token" in line:
            kind, body = "application/json", f'{{"token": "{await self.token()}"}}'
        else:
            kind, body = "text/html", PAGE.format(site=self.site.url)
        data = body.encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\n"
        writer.write(f"{head}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode())
        writer.write(data)
        await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def hosted(site: Site) -> AsyncIterator[Host]:
    host = Host(site)
    server = await asyncio.start_server(host.answer, "127.0.0.1", 0)
    host.url = f"http://localhost:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield host


async def opened(browser: Any, host: Host, **options: Any) -> tuple[Any, Any]:
    """The host's page with the widget open. Its shadow root is closed to pages; tests look in."""
    context = await browser.new_context(locale="ko-KR", **options)
    context.set_default_timeout(PATIENCE)
    await context.add_init_script(
        "const attach = Element.prototype.attachShadow;"
        "Element.prototype.attachShadow = function () { return attach.call(this, {mode: 'open'}); }"
    )
    page = await context.new_page()
    await page.goto(host.url)
    await page.locator(".bubble-button").click()
    return context, page


async def test_a_visitor_of_another_product_gets_an_answer(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        context, page = await opened(browser, host)
        await page.locator(".composer textarea").fill("EC2 비용 줄이는 방법?")
        await page.locator(".composer textarea").press("Enter")
        await page.locator(".turn .cite").first.wait_for()
        await page.locator(".log:not([aria-busy])").wait_for()
        await page.locator(".turn .cite").first.click()
        await page.locator(".drawer .cited").wait_for()

        assert "할인" in await page.locator(".drawer .cited").inner_text()
        assert host.minted == 1
        assert await context.cookies(site.url) == [], "no cookie of ours on another's page"
        color = await page.locator(".bubble").first.evaluate("e => getComputedStyle(e).color")
        assert color != "rgb(255, 0, 0)", "the host's style stays outside"
        await context.close()


async def test_a_token_that_is_over_is_renewed(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        host.seconds = 15
        context, page = await opened(browser, host)
        await page.locator(".composer textarea").fill("안녕하세요")
        await page.locator(".composer textarea").press("Enter")
        await page.locator(".turn .actions button").first.wait_for()
        await page.wait_for_timeout(15_200)
        await page.locator(".composer textarea").fill("또 왔어요")
        await page.locator(".composer textarea").press("Enter")
        await page.locator(".turn").nth(1).locator(".actions button").first.wait_for()

        assert host.minted >= 2
        await context.close()


async def test_the_shadow_root_is_closed_to_the_host(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        page = await browser.new_page()
        page.set_default_timeout(PATIENCE)
        await page.goto(host.url)
        await page.locator("saegim-widget").wait_for(state="attached")
        assert await page.evaluate("document.querySelector('saegim-widget').shadowRoot") is None
        await page.close()


async def test_a_token_is_good_for_its_own_origin_alone(site: Site) -> None:
    async with hosted(site) as host, httpx2.AsyncClient(timeout=180) as http:
        token = await host.token()
        for origin, status in ((host.url, 200), ("https://evil.example", 401), (None, 401)):
            headers = {"Authorization": f"Bearer {token}"}
            if origin:
                headers["Origin"] = origin
            answer = await http.get(f"{site.url}/v1/me", headers=headers)
            assert answer.status_code == status, origin
            assert "access-control-allow-credentials" not in answer.headers


async def test_pages_are_for_their_own_origin(site: Site, signed_in: SignedIn) -> None:
    async with httpx2.AsyncClient(timeout=180) as http:
        answer = await http.get(f"{site.url}/sign-in", headers={"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in answer.headers
