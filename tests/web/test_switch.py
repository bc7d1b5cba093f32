"""Choosing an assistant and a profile in the chat, by mouse, by keyboard and on a phone."""

import re
from typing import Any

import pytest

from tests.web.browser_fixture import MECHANIC, Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

pytestmark = pytest.mark.requirement("CH3")

NAMES = {"ko": "어시스턴트", "en": "Assistant"}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
async def mechanic(site: Site) -> str:
    return await site.assistant("무쇠", MECHANIC)


async def answered(page: Any) -> str:
    return await (await ask(page, "센서가 이상해요")).locator(".answer").inner_text()


@pytest.mark.usefixtures("mechanic")
async def test_a_new_conversation_uses_the_chosen_one_and_the_old_stays(
    signed_in: SignedIn,
) -> None:
    page = await signed_in("고름")
    assert "기억해 두겠습니다" in await answered(page)
    first = page.url
    await page.locator(".switch summary").click()
    async with page.expect_navigation(url=re.compile("/chat$")):
        await page.get_by_role("button", name="무쇠").click()
    assert await page.locator(".turn").count() == 0
    assert "무쇠가 답합니다" in await answered(page)
    second = page.url

    await page.goto(first)
    assert "코스트렌즈" in await page.locator(".switch summary").inner_text()
    assert "기억해 두겠습니다" in await answered(page)
    await page.goto(second)
    assert "무쇠" in await page.locator(".switch summary").inner_text()
    assert "무쇠가 답합니다" in await answered(page)
    await page.locator(".turn").last.get_by_role("button", name="다시 답변하기").click()
    await page.locator(".answer", has_text="무쇠가 답합니다").nth(2).wait_for()
    assert await page.locator(".threads", has_text="무쇠").count() == 1
    assert page.errors == []


@pytest.mark.usefixtures("mechanic")
@pytest.mark.parametrize("language", ["ko", "en"])
async def test_by_keyboard_on_a_phone(signed_in: SignedIn, language: str) -> None:
    page = await signed_in(f"자판-{language}", "/chat", language, viewport=PHONE)
    summary = page.locator(".switch summary")
    assert (await summary.get_attribute("aria-label") or "").startswith(NAMES[language])
    await summary.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="무쇠").wait_for()
    await page.keyboard.press("Escape")
    assert await page.get_by_role("button", name="무쇠").is_hidden()
    await page.keyboard.press("Enter")
    names = await page.locator(".switch li button").all_inner_texts()
    for _ in names[: names.index("무쇠") + 1]:
        await page.keyboard.press("Tab")
    async with page.expect_navigation():
        await page.keyboard.press("Enter")
    assert "무쇠" in await page.locator(".switch summary").inner_text()
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert "무쇠가 답합니다" in await answered(page)


async def test_what_is_offered_no_longer_is_left_readable_and_closed(
    signed_in: SignedIn, site: Site
) -> None:
    gone = await site.assistant("임시직", MECHANIC)
    page = await signed_in("떠남")
    await page.locator(".switch summary").click()
    async with page.expect_navigation():
        await page.get_by_role("button", name="임시직").click()
    assert "무쇠가 답합니다" in await answered(page)

    admin = await page.context.new_page()
    await admin.goto(f"{site.url}/admin")
    async with admin.expect_navigation():
        await admin.locator("tr", has_text="임시직").get_by_text("제공 중단").click()
    await page.reload()
    await page.locator(".closed").wait_for()
    assert "무쇠가 답합니다" in await page.locator(".answer").inner_text()
    await page.get_by_role("link", name="새 대화 시작하기").click()
    await page.locator(".greeting").wait_for()
    assert "기억해 두겠습니다" in await answered(page)
    headers = {"Saegim-Assistant": gone, "Authorization": f"Bearer {await site.key('떠남')}"}
    body = {"message": "아직 있나요?"}
    refused = await site.stack.http.post("/v1/chat", json=body, headers=headers)
    assert refused.status_code == 404


async def test_an_administrator_adds_an_assistant_that_people_choose(
    signed_in: SignedIn,
) -> None:
    page = await signed_in("더함", "/admin")
    await page.get_by_text("어시스턴트 추가").click()
    form = page.locator("form[hx-post='/admin/assistants']")
    await form.get_by_label("이름").fill("새내기")
    await form.get_by_label("성격과 말투").fill(MECHANIC)
    async with page.expect_navigation():
        await form.get_by_role("button", name="추가").click()
    await page.locator("tr", has_text="새내기").get_by_text("모두에게 제공").wait_for()
    await page.get_by_role("link", name="대화", exact=True).click()
    await page.locator(".switch summary").click()
    await page.get_by_role("button", name="새내기").wait_for()
    assert page.errors == []


async def test_the_profile_is_switched_in_the_chat(signed_in: SignedIn, site: Site) -> None:
    await site.remember("두모습", "호두 알레르기가 있다", "constraint", pinned=True)
    page = await signed_in("두모습", "/memory")
    await page.locator(".profile summary").click()
    await page.get_by_label("새 프로필").fill("회사 <b>'\"")
    async with page.expect_navigation():
        await page.get_by_role("button", name="전환").click()
    await page.goto(f"{site.url}/chat")
    assert "회사 <b>'\"" in await page.locator(".switch summary").inner_text()
    await page.locator(".switch summary").click()
    async with page.expect_navigation(url=re.compile("/chat$")):
        await page.get_by_role("button", name="기본").click()
    assert "호두" in await (await ask(page, "점심 뭐 먹지?")).inner_text()
    await page.locator(".switch summary").click()
    async with page.expect_navigation(url=re.compile("/chat$")):
        await page.get_by_role("button", name="회사").click()
    assert "호두" not in await (await ask(page, "점심 뭐 먹지?")).inner_text()
    await page.goto(f"{site.url}/memory")
    assert await page.locator("article.memory").count() == 0
