"""Pictures of every page in both languages, light and dark, on a desk and on a phone:
`make screenshots`.

Not a test: pytest runs it when it is named, with the folder in SAEGIM_SCREENSHOTS."""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from saegim.localservers.servers import LocalServers
from saegim.web.app import create_site
from tests.conftest import copied
from tests.stack import open_services, served
from tests.web.browser_fixture import PATIENCE, Site
from tests.web.conftest import SignedIn
from tests.web.hosting import hosted, settled as widget_settled, visited
from tests.web.screenshot_data import connected_model, filled, person, send
from tests.web.screenshot_texts import STORY, Texts
from tests.web.talking import ask, composer

FOLDER = Path(os.environ.get("SAEGIM_SCREENSHOTS", "build/screenshots"))
DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
}  # fmt: skip
DEVICES = {"desk": DESK, "phone": PHONE}
SECTIONS = (
    "assistants", "sources", "channels", "people", "limits", "usage", "quality", "audit", "keys",
    "account",
)  # fmt: skip
HOST = """<style>
    body { margin: 0; font: 16px/1.6 sans-serif; color: #222; background: #f6f7f9 }
    main { max-width: 640px; padding: 48px 32px } h1 { font-size: 30px }
</style>"""
both = pytest.mark.parametrize("site", ["ko", "en"], indirect=True)
themes = pytest.mark.parametrize("theme", ["light", "dark"])
devices = pytest.mark.parametrize("device", ["desk", "phone"])


@pytest.fixture(scope="module")
async def site(
    request: pytest.FixtureRequest,
    templates: LocalServers,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Site]:
    """A site of its own for each language."""
    language = request.param
    with copied(templates, f"pictures_{language}", tmp_path_factory.mktemp("index")) as databases:
        async with filled(databases, language) as running:
            yield running


class Camera:
    """Takes the pictures of one page, named after its language, theme and device."""

    def __init__(self, page: Any, tail: str) -> None:
        self.page = page
        self.tail = tail
        FOLDER.mkdir(parents=True, exist_ok=True)

    async def shoot(self, name: str) -> None:
        await self.page.wait_for_timeout(300)
        await self.page.screenshot(path=FOLDER / f"{name}-{self.tail}.png")

    async def open(self, url: str, name: str) -> None:
        await self.page.goto(url, wait_until="networkidle")
        await self.shoot(name)


@both
@devices
@themes
async def test_pictures_of_the_chat(
    signed_in: SignedIn, site: Site, theme: str, device: str
) -> None:
    language = site.keys["language"]
    texts, ko = STORY[language], language == "ko"
    user = texts.people[["light", "dark"].index(theme) + 2 * (device == "phone")]
    await person(site, texts, user)
    page = await signed_in(user, "/chat", language, color_scheme=theme, **DEVICES[device])
    camera = Camera(page, f"{language}-{theme}-{device}")
    await composer(page).wait_for()
    await camera.shoot("chat-empty")
    if device == "phone":
        await page.get_by_role("button", name="지난 대화" if ko else "Conversations").click()
        await camera.shoot("chat-conversations")
        await page.keyboard.press("Escape")
        await page.get_by_role("navigation").get_by_role("button").last.click()
    else:
        await page.locator(".account button").first.click()
    await camera.shoot("chat-account")
    await page.keyboard.press("Escape")
    first = await _ask(page, texts.told)
    await first.get_by_role("button", name="되돌리기" if ko else "Undo").wait_for()
    await camera.shoot("chat-remembered")
    turn = await _ask(page, texts.compare)
    await camera.shoot("chat-answer")
    await turn.locator(".cite").first.focus()
    await page.locator("[popover]").first.wait_for()
    await camera.shoot("chat-hover-card")
    await turn.locator(".cite").first.click()
    await page.locator("dialog mark").wait_for()
    await camera.shoot("chat-citation")
    await page.keyboard.press("Escape")
    await turn.get_by_role(
        "button", name="왜 이렇게 답했나요?" if ko else "Why this answer?"
    ).click()
    for tab in range(5):
        await page.get_by_role("dialog").get_by_role("tab").nth(tab).click()
        await camera.shoot(f"chat-why-{tab + 1}")
    await page.keyboard.press("Escape")
    await composer(page).fill(texts.compare)
    await page.get_by_role("button", name="컨텍스트 미리보기" if ko else "Context preview").click()
    await page.get_by_role("dialog").locator("li").first.wait_for()
    await camera.shoot("chat-preview")
    await page.keyboard.press("Escape")
    await composer(page).fill("")
    turn = await _ask(page, texts.code)
    await camera.shoot("chat-code")
    await turn.locator(".bubble").hover()
    await turn.get_by_role("button", name="메시지 수정" if ko else "Edit the message").click()
    await turn.get_by_role("textbox").fill(texts.edited)
    await camera.shoot("chat-edit")
    await turn.get_by_role("button", name="보내기" if ko else "Send").click()
    await page.locator(".bubble", has_text=texts.edited).wait_for()
    await page.locator(".log:not([aria-busy=true])").wait_for()
    await camera.shoot("chat-variants")
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog").get_by_role("combobox").fill(texts.search.split()[0])
    await page.get_by_role("dialog").get_by_role("option").first.wait_for()
    await camera.shoot("chat-search")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+/")
    await camera.shoot("chat-shortcuts")
    assert page.errors == []


async def _ask(page: Any, message: str) -> Any:
    """Ask with Enter, which makes a new line where a finger points."""
    if not await page.evaluate("matchMedia('(pointer: coarse)').matches"):
        return await ask(page, message)
    before = await page.locator(".turn").count()
    await composer(page).fill(message)
    send_button = page.get_by_role("button", name="보내기").or_(
        page.get_by_role("button", name="Send")
    )
    await send_button.last.tap()
    await page.locator(".turn").nth(before).wait_for()
    await page.locator(".log:not([aria-busy=true])").wait_for()
    return page.locator(".turn").nth(before)


@both
@devices
@themes
async def test_pictures_of_memory_and_library(
    signed_in: SignedIn, site: Site, theme: str, device: str
) -> None:
    language = site.keys["language"]
    texts = STORY[language]
    user = texts.people[["light", "dark"].index(theme) + 2 * (device == "phone")]
    if not (await send(site, "GET", "/v1/memories", None, user))["memories"]:
        await person(site, texts, user)
    page = await signed_in(user, "/memory", language, color_scheme=theme, **DEVICES[device])
    camera = Camera(page, f"{language}-{theme}-{device}")
    await camera.open(f"{site.url}/memory", "memory")
    await page.get_by_role("button", name=texts.memories[3][1][:8]).first.click()
    await camera.shoot("memory-details")
    await page.get_by_role(
        "button", name="변경 이력" if language == "ko" else "History"
    ).first.click()
    await camera.shoot("memory-history")
    await camera.open(f"{site.url}/library", "library")
    await camera.open(f"{site.url}/library/search?query={texts.search}", "library-search")
    document = "guide-002" if language == "ko" else "guide-052"
    await camera.open(f"{site.url}/library/documents/{document}", "document")
    assert page.errors == []


@both
@devices
@themes
async def test_pictures_of_the_settings(
    signed_in: SignedIn, site: Site, theme: str, device: str
) -> None:
    language = site.keys["language"]
    user = STORY[language].people[0]
    page = await signed_in(user, "/settings", language, color_scheme=theme, **DEVICES[device])
    camera = Camera(page, f"{language}-{theme}-{device}")
    await camera.open(f"{site.url}/settings", "settings")
    await camera.open(f"{site.url}/settings/models", "settings-no-model")
    async with connected_model(site):
        await camera.open(f"{site.url}/settings/models", "settings-models")
    for section in SECTIONS:
        await camera.open(f"{site.url}/settings/{section}", f"settings-{section}")
    assistants = await send(site, "GET", "/v1/assistants", None)
    path = f"/settings/assistants/{assistants[0]['assistant_id']}"
    await camera.open(site.url + path, "settings-assistant")
    await camera.open(f"{site.url}/welcome", "welcome")
    await camera.open(f"{site.url}/nowhere", "error")
    invited = {"email": f"new-{theme}-{device}@costlens.example", "role": "member"}
    link = (await send(site, "POST", "/v1/invitations", invited))["link"]
    await page.context.clear_cookies()
    await camera.open(site.url + "/" + link.split("/", 3)[3], "invitation")
    await camera.open(f"{site.url}/sign-in", "sign-in")


@both
@devices
@themes
async def test_pictures_of_the_widget(browser: Any, site: Site, theme: str, device: str) -> None:
    language = site.keys["language"]
    texts: Texts = STORY[language]
    async with hosted(site) as host:
        host.name = host.title = texts.tenant
        host.head, host.attributes = HOST, f'data-language="{language}" data-open'
        options = DEVICES[device] | {"color_scheme": theme}
        async with visited(browser, host, **options) as page:
            camera = Camera(page, f"{language}-{theme}-{device}")
            await page.get_by_role("textbox").wait_for()
            await camera.shoot("widget-start")
            for name, question in (("answer", texts.compare), ("code", texts.code)):
                await page.get_by_role("textbox").fill(question)
                await page.get_by_role(
                    "button", name="보내기" if language == "ko" else "Send"
                ).click()
                await page.get_by_role("article", name=question).wait_for()
                await widget_settled(page)
                await camera.shoot(f"widget-{name}")


@pytest.mark.parametrize("language", ["ko", "en"])
async def test_pictures_of_the_set_up(
    browser: Any, templates: LocalServers, tmp_path: Path, language: str
) -> None:
    with copied(templates, f"set_up_{language}", tmp_path) as databases:
        with psycopg.connect(databases.admin_url, autocommit=True) as admin:
            admin.execute("delete from saegim.set_up_code")
            admin.execute("update saegim.embedder_use set indexes = 0")
        async with open_services(databases) as services, served(services, create_site) as http:
            code = await services.auth.set_up.new_code()
            for theme in ("light", "dark"):
                for device, options in DEVICES.items():
                    locale = "ko-KR" if language == "ko" else "en-US"
                    context = await browser.new_context(
                        locale=locale, color_scheme=theme, **options
                    )
                    context.set_default_timeout(PATIENCE)
                    camera = Camera(await context.new_page(), f"{language}-{theme}-{device}")
                    url = str(http.base_url).rstrip("/")
                    await camera.open(f"{url}/set-up?code={code}", "set-up")
                    await context.close()
