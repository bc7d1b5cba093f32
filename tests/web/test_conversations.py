"""The list of conversations: titles, renaming, pins, deletion with undo, search, and the phone."""

from typing import Any

import pytest

from tests.web.conftest import SignedIn
from tests.web.talking import ask, composer

pytestmark = pytest.mark.requirement("CH3", "CH9")

PHONE = {"width": 390, "height": 844}


def conversations(page: Any) -> Any:
    return page.get_by_role("navigation", name="지난 대화")


async def choose(page: Any, action: str) -> None:
    row = conversations(page).locator("li").first
    await row.hover()
    await row.get_by_role("button").click()
    await page.get_by_role("menuitem", name=action).click()


async def test_a_conversation_is_renamed_pinned_deleted_and_brought_back(
    signed_in: SignedIn,
) -> None:
    page = await signed_in("정리")
    await ask(page, "EC2 비용 줄이는 방법?")
    await conversations(page).get_by_role("heading", name="오늘").wait_for()
    await choose(page, "이름 바꾸기")
    await page.get_by_role("textbox", name="대화 제목").fill("비용 이야기")
    await page.keyboard.press("Enter")
    await conversations(page).get_by_role("link", name="비용 이야기").wait_for()
    await page.wait_for_function("() => document.title.startsWith('비용 이야기')")
    await choose(page, "고정")
    await conversations(page).get_by_role("heading", name="고정").wait_for()
    await choose(page, "삭제")
    await page.wait_for_url("**/chat")
    assert await conversations(page).get_by_role("link").count() == 0
    await page.get_by_role("button", name="되돌리기").click()
    await conversations(page).get_by_role("link", name="비용 이야기").wait_for()
    await page.locator(".turn").wait_for()
    async with page.expect_download() as download:
        await choose(page, "Markdown으로 내보내기")
    text = (await (await download.value).path()).read_text("utf-8")
    assert text.startswith("# 비용 이야기")
    assert "[1] EC2 비용 절감 안내서" in text


async def test_shortcuts_search_and_begin_a_chat(signed_in: SignedIn) -> None:
    page = await signed_in("단축키")
    await ask(page, "EC2 비용 줄이는 방법?")
    await page.keyboard.press("Control+Shift+O")
    await page.wait_for_url("**/chat")
    await composer(page).fill("")
    await page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="대화 검색")
    await dialog.get_by_role("combobox").wait_for()
    # Nobody clicks into the field first.
    await page.keyboard.type("예약 인스턴스 약정")
    await dialog.get_by_role("option").first.wait_for()
    await page.keyboard.press("Enter")
    await page.locator(".turn").wait_for()
    await page.keyboard.press("Control+/")
    await page.get_by_role("dialog", name="키보드 단축키").wait_for()
    await page.keyboard.press("Escape")
    await page.get_by_role("dialog", name="키보드 단축키").wait_for(state="hidden")


@pytest.mark.bug(3)
@pytest.mark.parametrize("way", ["button", "escape", "outside"])
async def test_the_list_closes_on_a_phone(signed_in: SignedIn, way: str) -> None:
    page = await signed_in("전화목록", viewport=PHONE)
    await page.get_by_role("button", name="지난 대화").click()
    sheet = page.get_by_role("dialog", name="지난 대화")
    await sheet.wait_for()
    if way == "button":
        await sheet.get_by_role("button", name="닫기").click()
    elif way == "escape":
        await page.keyboard.press("Escape")
    else:
        await page.mouse.click(PHONE["width"] - 10, 300)
    await sheet.wait_for(state="hidden")


@pytest.mark.bug(15)
async def test_a_new_conversation_can_be_deleted_without_a_reload(signed_in: SignedIn) -> None:
    page = await signed_in("새것")
    await ask(page, "점심 뭐 먹지?")
    await choose(page, "삭제")
    await page.wait_for_url("**/chat")
    assert await page.locator(".turn").count() == 0
