"""Run axe-core on every page: both themes, three widths, both languages by turns."""

import contextlib
import itertools
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.web.weight import widget_load
from saegim.db.migrate import ensure_database, migrate
from saegim.encryption import key_store as keyring_store
from saegim.localservers.servers import LocalServers
from saegim.web.app import create_site
from tests.stack import Databases, open_services, served
from tests.web.accessibility import findings
from tests.web.browser_fixture import PATIENCE, Site, staged
from tests.web.hosting import OPEN_ROOTS, hosted

THEMES = ("light", "dark")
WIDTHS = (1440, 1024, 390)
USER = "axe"
PASSWORD = "a long password"  # noqa: S105 - of an account of this run
# Each path with what is on the page when it is loaded.
MEMORY_AND_LIBRARY = {
    "/memory": "li .content",
    "/memory?q=zzz": ".empty",
    "/library": "a[href^='/library/documents/']",
    "/library?q=zzz": ".empty",
    "/library/documents/guide-001": ".passage",
    "/library/search?query=EC2": "article",
}
PAGES = {
    **MEMORY_AND_LIBRARY,
    "/welcome": "main h1, main h2",
    "/docs": "body",
    "/nowhere": "h1",
    "/offline": "h1",
}
SECTIONS = (
    "models", "assistants", "sources", "channels", "people", "limits", "usage", "quality", "audit",
    "keys", "account",
)  # fmt: skip
SIGN_IN = ("/sign-in", "/sign-in?expired=1")

Found = dict[str, list[str]]


@contextlib.contextmanager
def databases() -> Iterator[tuple[Databases, Databases]]:
    """Two sets of migrated databases: for a site with content, and for one without."""
    with (
        tempfile.TemporaryDirectory(prefix="saegim-axe-") as folder,
        LocalServers.start(Path(folder), durable=False) as servers,
    ):
        made: list[Databases] = []
        for name in ("full", "empty"):
            for database in (name, f"{name}_keyring"):
                ensure_database(servers.postgres.url(), database)
            migrate(servers.postgres.url(name), servers.postgres.url(name, user="saegim_app"))
            keyring_store.prepare(servers.postgres.url(f"{name}_keyring"))
            index = Path(folder) / f"{name}-index"
            index.mkdir()
            made.append(Databases(servers, name, f"{name}_keyring", index))
        yield made[0], made[1]


async def measure(browser: Any) -> tuple[dict[str, float], Found]:
    """Return the figures of axe and of the widget's weight, and the findings by page."""
    found: Found = {}
    with databases() as (full, empty):
        async with open_services(empty) as services, served(services, create_site) as http:
            code = await services.auth.set_up.new_code()
            address = f"{str(http.base_url).rstrip('/')}/set-up?code={code}"
            async for name, page in _screens(browser):
                await page.goto(address)
                await page.locator("#organisation").wait_for()
                found[f"set-up {name}"] = await findings(page)
        async with staged(full) as site:
            links = await _links(browser, site)
            await site.remember(USER, "땅콩 알레르기가 있다", pinned=True)
            assistant = await site.assistant("도우미", "당신은 친절합니다.")
            async for name, page in _screens(browser):
                for path in (*SIGN_IN, *links):
                    await page.goto(site.url + path)
                    found[f"{path.partition('?')[0]} {name}"] = await findings(page)
                cookie = {"name": "saegim", "value": await site.cookie(USER), "url": site.url}
                await page.context.add_cookies([cookie])
                await _application(page, site, assistant, name, found)
                await _chat(page, site, name, found)
            await _widget(browser, site, found)
            figures = await widget_load(browser, site)
    figures["axe.pages"] = float(len(found))
    figures["axe.findings"] = float(sum(map(len, found.values())))
    return figures, {name: each for name, each in found.items() if each}


async def _screens(browser: Any) -> AsyncIterator[tuple[str, Any]]:
    """Give a page of a new visitor for each theme and width, the language by turns."""
    languages = itertools.cycle(("ko-KR", "en-US"))
    for (theme, width), locale in zip(itertools.product(THEMES, WIDTHS), languages, strict=False):
        context = await browser.new_context(
            locale=locale,
            color_scheme=theme,
            viewport={"width": width, "height": 860},
            has_touch=width < 700,
            reduced_motion="reduce",
            service_workers="block",
        )
        context.set_default_timeout(PATIENCE)
        yield f"{theme} {width} {locale[:2]}", await context.new_page()
        await context.close()


async def _links(browser: Any, site: Site) -> list[str]:
    """Return the addresses of an invitation and of a reset of a password."""
    http, admin = site.stack.http, {"Authorization": f"Bearer {await site.key('inviter')}"}
    invited = [
        await http.post("/v1/invitations", json={"email": f"{name}@example.com"}, headers=admin)
        for name in ("one", "two")
    ]
    first, second = (_path(answer.json()["link"]) for answer in invited)
    page = await browser.new_page()
    await page.goto(site.url + second)
    await page.locator("#password").fill(PASSWORD)
    await page.locator("#again").fill(PASSWORD)
    await page.locator("button[type=submit]").last.click()
    await page.wait_for_url("**/chat**")
    me = await (await page.context.request.get(f"{site.url}/v1/me")).json()
    await page.close()
    reset = await http.post(f"/v1/members/{me['user_id']}/reset-link", headers=admin)
    return [first, _path(reset.json()["link"])]


def _path(link: str) -> str:
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


async def _application(page: Any, site: Site, assistant: str, name: str, found: Found) -> None:
    for path, shown in PAGES.items():
        await page.goto(site.url + path)
        await page.locator(shown).first.wait_for()
        found[f"{path} {name}"] = await findings(page)
    for section in (*SECTIONS, f"assistants/{assistant}"):
        await page.goto(f"{site.url}/settings/{section}")
        await page.locator("main h1").first.wait_for()
        await page.wait_for_load_state("networkidle")
        found[f"/settings/{section.partition('/')[0]} {name}"] = await findings(page)


async def _chat(page: Any, site: Site, name: str, found: Found) -> None:
    await page.goto(f"{site.url}/chat")
    await page.locator(".composer textarea").wait_for()
    found[f"chat, empty {name}"] = await findings(page)
    await _ask(page.locator("form.composer"))
    await page.locator(".log:not([aria-busy=true]) .turn .cite").first.wait_for()
    turn = page.locator(".turn").first
    found[f"chat, answer {name}"] = await findings(page)
    await turn.locator(".cite").first.click()
    panel = page.get_by_role("dialog")
    await panel.locator("mark").wait_for()
    found[f"chat, citation {name}"] = await findings(page)
    await page.keyboard.press("Escape")
    await (
        turn.get_by_role("button", name="왜 이렇게")
        .or_(turn.get_by_role("button", name="Why"))
        .first.click()
    )
    for tab in await panel.get_by_role("tab").all():
        await tab.click()
        found[f"chat, why, {await tab.inner_text()} {name}"] = await findings(page)
    await page.keyboard.press("Escape")


async def _ask(composer: Any) -> None:
    """Send a message by the button: on a touch keyboard, Enter breaks the line."""
    await composer.locator("textarea").fill("EC2 비용 줄이는 방법?")
    await composer.locator("button[type=submit]").click()


async def _widget(browser: Any, site: Site, found: Found) -> None:
    """The chat on the page of another product, whose own styles are not ours."""
    async with hosted(site) as host:
        host.head = ""
        async for name, page in _screens(browser):
            host.attributes = f'data-language="{name[-2:]}"'
            await page.add_init_script(OPEN_ROOTS)
            await page.goto(host.url)
            launcher = page.locator("saegim-widget button.launcher")
            await launcher.wait_for()
            found[f"widget, closed {name}"] = await findings(page)
            await launcher.click()
            await _ask(page.locator("saegim-widget form.composer"))
            await page.locator("[role=log][aria-busy=false] .cite").first.wait_for()
            found[f"widget, answer {name}"] = await findings(page)
