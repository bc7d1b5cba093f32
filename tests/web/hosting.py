"""Another product with the widget on its page, and a backend that mints tokens."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from saegim.domain.scope import Role
from tests.web.browser_fixture import PATIENCE, Site

PAGE = """<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>{name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">{head}</head>
<body><main id="place"><h1>{name}</h1></main>
<script src="{site}/widget.js" data-token-url="/token" data-title="{title}" {attributes} defer>
</script>
</body></html>"""
# Elements of the host that would show if its styles reached into the widget.
STYLES = (
    "<style>html { font-size: 10px } button, textarea { display: none } * { color: red }</style>"
)
# The shadow root of the widget is closed to pages; tests look in.
OPEN_ROOTS = """
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function () { return attach.call(this, { mode: "open" }); };
"""


class Host:
    """The product: what its page contains, and how its backend answers."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.url = ""
        self.key = ""
        self.minted = 0
        self.user = "guest"
        self.seconds = 3600
        self.head = STYLES
        self.name, self.title = "우리 서비스", "도우미"
        self.attributes = 'data-language="ko"'
        self.policy = ""
        self.token_status = 200

    async def token(self) -> str:
        self.key = self.key or await self._make_key()
        answer = await self.site.stack.http.post(
            "/v1/tokens",
            json={"seconds": self.seconds, "origins": [self.url]},
            headers={"Authorization": f"Bearer {self.key}", "Saegim-User": self.user},
        )
        assert answer.status_code == 201, answer.text
        self.minted += 1
        return answer.json()["secret"]

    async def _make_key(self) -> str:
        """A key that may do nothing but mint tokens for the users of the product."""
        tenant = self.site.stack.tenant
        return await self.site.stack.services.auth.tenants.create_key(
            tenant.tenant.id, tenant.assistant.id, "widget", role=Role.MINTER
        )

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readline()).decode()
        while (await reader.readline()).strip():
            pass
        status, more = 200, ""
        if " /token " in line:
            status = self.token_status
            kind = "application/json"
            body = f'{{"token": "{await self.token()}"}}' if status == 200 else "{}"
        else:
            kind = "text/html"
            body = PAGE.format(
                site=self.site.url,
                head=self.head,
                attributes=self.attributes,
                name=self.name,
                title=self.title,
            )
            more = f"Content-Security-Policy: {self.policy}\r\n" if self.policy else ""
        data = body.encode()
        head = f"HTTP/1.1 {status} Status\r\nContent-Type: {kind}; charset=utf-8\r\n{more}"
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


@contextlib.asynccontextmanager
async def visited(browser: Any, host: Host, **options: Any) -> AsyncIterator[Any]:
    """The host's page."""
    context = await browser.new_context(**{"locale": "ko-KR", "reduced_motion": "reduce"} | options)
    context.set_default_timeout(PATIENCE)
    await context.add_init_script(OPEN_ROOTS)
    page = await context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda line: page.errors.append(line.text) if line.type == "error" else None)
    await page.goto(host.url)
    yield page
    await context.close()


@contextlib.asynccontextmanager
async def opened(browser: Any, host: Host, **options: Any) -> AsyncIterator[Any]:
    """The host's page with the chat open."""
    async with visited(browser, host, **options) as page:
        await page.get_by_role("button", name="대화 열기").click()
        yield page


async def ask(page: Any, message: str) -> Any:
    """Send a message and wait for the end of its answer; returns the turn."""
    field = page.get_by_role("textbox", name="메시지를 입력하세요")
    await field.fill(message)
    await field.press("Enter")
    turn = page.get_by_role("article", name=message).last
    await turn.wait_for()
    await settled(page)
    return turn


async def settled(page: Any) -> None:
    await page.locator("[role=log][aria-busy=false]").wait_for()
