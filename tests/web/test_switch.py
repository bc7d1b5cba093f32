"""Choosing an assistant and a profile in the chat, by mouse, by keyboard and on a phone."""

import re
from typing import Any
from uuid import UUID

import pytest

from saegim.auth.types import ActAs
from tests.web.browser_fixture import MECHANIC, Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

pytestmark = pytest.mark.requirement("CH3")

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
async def mechanic(site: Site) -> str:
    return await site.assistant("무쇠", MECHANIC)


def chosen(page: Any) -> Any:
    """Returns the button that shows who answers."""
    return page.locator("header").get_by_role("button", expanded=False).first


async def switch(page: Any, name: str) -> None:
    await chosen(page).click()
    async with page.expect_navigation(url=re.compile("/chat$")):
        await page.get_by_role("menuitemradio", name=name).click()


async def answered(page: Any) -> str:
    return await (await ask(page, "센서가 이상해요")).locator(".answer").inner_text()


@pytest.mark.usefixtures("mechanic")
async def test_a_new_conversation_uses_the_chosen_one_and_the_old_stays(
    signed_in: SignedIn,
) -> None:
    page = await signed_in("고름")
    assert "기억해 두겠습니다" in await answered(page)
    first = page.url
    await switch(page, "무쇠")
    assert await page.locator(".turn").count() == 0
    assert "무쇠가 답합니다" in await answered(page)
    second = page.url

    await page.goto(first)
    await chosen(page).get_by_text("코스트렌즈").wait_for()
    assert "기억해 두겠습니다" in await answered(page)
    await page.goto(second)
    await chosen(page).get_by_text("무쇠").wait_for()
    assert "무쇠가 답합니다" in await answered(page)
    await page.locator(".turn").last.get_by_role("button", name="다시 답변하기").click()
    await page.get_by_text("2 / 2").wait_for()
    assert await page.locator(".answer", has_text="무쇠가 답합니다").count() == 2


@pytest.mark.usefixtures("mechanic")
@pytest.mark.parametrize("language", ["ko", "en"])
async def test_by_keyboard_on_a_phone(signed_in: SignedIn, language: str) -> None:
    page = await signed_in(f"자판-{language}", "/chat", language, viewport=PHONE)
    await chosen(page).focus()
    await page.keyboard.press("Enter")
    option = page.get_by_role("menuitemradio", name="무쇠")
    await option.wait_for()
    await page.keyboard.press("Escape")
    await option.wait_for(state="hidden")
    await page.keyboard.press("Enter")
    names = await page.get_by_role("menuitemradio").all_inner_texts()
    for _ in names[: names.index("무쇠")]:
        await page.keyboard.press("ArrowDown")
    async with page.expect_navigation():
        await page.keyboard.press("Enter")
    await chosen(page).get_by_text("무쇠").wait_for()
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert "무쇠가 답합니다" in await answered(page)


async def test_what_is_offered_no_longer_is_left_readable_and_closed(
    signed_in: SignedIn, site: Site
) -> None:
    gone = await site.assistant("임시직", MECHANIC)
    page = await signed_in("떠남")
    await switch(page, "임시직")
    assert "무쇠가 답합니다" in await answered(page)

    services, tenant = site.stack.services, site.stack.tenant.tenant.id
    caller = await services.auth.authentication.authenticate(await site.key("떠남"), ActAs())
    stored = await services.auth.repository.assistant(tenant, UUID(gone))
    config = {**stored.config, "offered_to": None}
    await services.assistants.assistants.configure(caller, UUID(gone), config)
    await page.reload()
    await page.get_by_text("이 대화의 어시스턴트를 더 이상 사용할 수 없습니다.").wait_for()
    await page.locator(".answer", has_text="무쇠가 답합니다").wait_for()
    assert await page.locator(".composer").count() == 0
    await page.get_by_role("link", name="새 대화 시작하기").click()
    await page.locator(".composer").wait_for()
    assert "기억해 두겠습니다" in await answered(page)
    headers = {"Saegim-Assistant": gone, "Authorization": f"Bearer {await site.key('떠남')}"}
    body = {"message": "아직 있나요?"}
    refused = await site.stack.http.post("/v1/chat", json=body, headers=headers)
    assert refused.status_code == 404


TAKE_PROFILE = """async (name) => {
    const { csrf } = JSON.parse(document.getElementById("boot").textContent);
    const body = new URLSearchParams({ profile: name });
    await fetch("/profile", { method: "POST", headers: { "Saegim-Csrf": csrf }, body });
}"""


async def test_the_profile_is_switched_in_the_account_menu(signed_in: SignedIn, site: Site) -> None:
    await site.remember("두모습", "호두 알레르기가 있다", "constraint", pinned=True)
    page = await signed_in("두모습")
    await page.evaluate(TAKE_PROFILE, "회사 <b>'\"")
    await page.goto(f"{site.url}/chat")
    for name, knows in (("기본", True), ("회사 <b>'\"", False)):
        await page.locator(".account:visible > button").click()
        async with page.expect_navigation():
            await page.get_by_role("menuitemradio", name=name).click()
        answer = await ask(page, "점심 뭐 먹지?")
        assert ("호두" in await answer.inner_text()) is knows
        await page.goto(f"{site.url}/chat")
