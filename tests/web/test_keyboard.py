"""Everyday jobs with the keyboard alone: no pointer moves, clicks or touches."""

import re
from typing import Any

import pytest

from benchmarks.doubles.providers import BrokenProvider
from saegim.domain.scope import Role
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import composer, settled

expect = pytest.importorskip("playwright.async_api").expect
pytestmark = pytest.mark.requirement("CH3")

FOCUSED = "element => element === document.activeElement"
MOST_STEPS = 120


async def reach(page: Any, target: Any, key: str = "Tab") -> None:
    """Press a key until the target has the focus, which must be visible there."""
    await target.wait_for()
    for _ in range(MOST_STEPS):
        if await target.evaluate(FOCUSED):
            assert await target.evaluate("element => element.matches(':focus-visible')")
            return
        await page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {target}")


async def press(page: Any, target: Any) -> None:
    await reach(page, target)
    await page.keyboard.press("Enter")


async def write(page: Any, target: Any, text: str) -> None:
    """Replace what a field contains."""
    await reach(page, target)
    await page.keyboard.press("Control+A")
    await page.keyboard.type(text)


async def test_ask_and_open_a_citation(signed_in: SignedIn) -> None:
    page = await signed_in("손가락1")
    await reach(page, composer(page))
    await page.keyboard.type("EC2 비용 줄이는 방법?")
    await page.keyboard.press("Enter")
    await page.locator(".cite").first.wait_for()
    await settled(page)
    cite = page.locator(".cite").first
    await reach(page, cite, "Shift+Tab")
    await page.locator("[popover]").get_by_text("EC2 비용 절감 안내서").wait_for()
    await page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="EC2 비용 절감 안내서")
    await panel.locator("mark").wait_for()
    await reach(page, panel.get_by_role("link", name="문서고에서 열기"))
    await page.keyboard.press("Escape")
    await panel.wait_for(state="hidden")
    assert await cite.evaluate(FOCUSED), "the focus returns to where it was"
    assert page.errors == []


async def test_edit_a_memory(signed_in: SignedIn, site: Site) -> None:
    memory = await site.remember("손가락2", "땅콩 알레르기가 있다", "constraint")
    page = await signed_in("손가락2")
    await press(page, page.get_by_role("link", name="기억", exact=True).first)
    await press(page, page.get_by_role("button", name="수정"))
    await write(page, page.get_by_role("textbox", name="기억", exact=True), "호두 알레르기가 있다")
    await press(page, page.get_by_role("button", name="저장"))
    await page.get_by_role("button", name="호두 알레르기가 있다", exact=True).wait_for()
    headers = {"Authorization": f"Bearer {await site.key('손가락2')}"}
    stored = await site.stack.http.get(f"/v1/memories/{memory}", headers=headers)

    assert stored.json()["content"] == "호두 알레르기가 있다"
    assert page.errors == []


async def test_add_a_model_provider(signed_in: SignedIn, site: Site) -> None:
    headers = {"Authorization": f"Bearer {await site.key('손가락3', Role.OWNER)}"}
    page = await signed_in("손가락3", "/settings/models", role=Role.OWNER)
    async with BrokenProvider(text="ok") as provider:
        await press(page, page.get_by_role("button", name="제공자 연결").first)
        dialog = page.get_by_role("dialog")
        await reach(page, dialog.get_by_role("radio").first)
        compatible = dialog.get_by_role("radio", name=re.compile("OpenAI 호환 서버"))
        await reach(page, compatible, "ArrowDown")
        await write(page, dialog.get_by_label("주소", exact=True), provider.base_url)
        await press(page, dialog.get_by_role("button", name="모델 목록"))
        await expect(dialog.get_by_label("모델", exact=True)).to_have_value("loopback")
        await write(page, dialog.get_by_label("이름(선택)"), "자판으로")
        await press(page, dialog.get_by_role("button", name="연결", exact=True))
        await dialog.wait_for(state="hidden")
        await page.get_by_text("자판으로").first.wait_for()
        listed = (await site.stack.http.get("/v1/model-connections", headers=headers)).json()
        made = [each for each in listed["connections"] if each["name"] == "자판으로"]
        for each in made:
            path = f"/v1/model-connections/{each['connection_id']}"
            await site.stack.http.delete(path, headers=headers)
    assert len(made) == 1
    assert page.errors == []
