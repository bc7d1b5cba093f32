"""Pages that the server renders: sign-in, errors."""

from typing import Any

import pytest

from tests.web.accessibility import findings
from tests.web.browser_fixture import PATIENCE, Site
from tests.web.conftest import SignedIn

pytestmark = pytest.mark.requirement("CH3")

PATHS = ("/sign-in", "/sign-in?expired=1", "/nowhere")
# The first ones of each section, open: hundreds more are made by the same template.
SOME = """() => {
    for (const more of document.querySelectorAll("section .card:nth-of-type(n+4)")) more.remove();
    for (const closed of document.querySelectorAll("details")) closed.open = true;
}"""


async def test_an_unknown_page_says_so_and_leads_to_the_chat(signed_in: SignedIn) -> None:
    page = await signed_in("길잃음", "/nowhere")
    await page.get_by_role("heading", name="페이지를 찾을 수 없습니다").wait_for()
    assert "옮겨졌거나" in await page.get_by_role("alert").inner_text()
    await page.get_by_role("link", name="대화로 가기").click()
    await page.wait_for_url("**/chat")


async def test_a_refused_page_says_why(site: Site, browser: Any) -> None:
    context = await browser.new_context(locale="en-US")
    context.set_default_timeout(PATIENCE)
    answer = await context.request.post(
        f"{site.url}/sign-in",
        form={"key": "x", "next": "/chat"},
        headers={"Origin": "https://evil.example", "Accept-Language": "en"},
    )
    assert answer.status == 403
    assert "You do not have permission for this page." in await answer.text()
    await context.close()


async def test_the_language_changes_on_the_page_one_is_on(site: Site, browser: Any) -> None:
    context = await browser.new_context(locale="ko-KR")
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    await page.goto(f"{site.url}/nowhere?a=1&b=2")
    await page.get_by_role("link", name="English").click()
    await page.get_by_role("heading", name="Page not found").wait_for()
    assert page.url == f"{site.url}/nowhere?a=1&b=2"
    await context.close()


async def test_the_theme_can_be_chosen_and_is_kept(site: Site, browser: Any) -> None:
    context = await browser.new_context(locale="en-US", color_scheme="light")
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    await page.goto(f"{site.url}/nowhere")
    light = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    await page.get_by_role("button", name="Dark").click()
    await page.reload()
    await page.get_by_role("button", name="Light").wait_for()
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    await context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_nothing_on_plain_pages(site: Site, browser: Any, theme: str) -> None:
    found: dict[str, list[str]] = {}
    for width in (1440, 320):
        context = await browser.new_context(
            locale="ko-KR", color_scheme=theme, viewport={"width": width, "height": 800}
        )
        context.set_default_timeout(PATIENCE)
        page = await context.new_page()
        for path in PATHS:
            await page.goto(site.url + path)
            found[f"{path} {width}"] = await findings(page)
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
        await context.close()
    assert {path: each for path, each in found.items() if each} == {}


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
async def test_axe_finds_nothing_in_the_api_reference(
    signed_in: SignedIn, theme: str, width: int
) -> None:
    viewport = {"width": width, "height": 800}
    page = await signed_in("개발자", "/docs", color_scheme=theme, viewport=viewport)
    await page.evaluate(SOME)
    assert await page.locator("details[open]").count() > 20
    assert await findings(page) == []
