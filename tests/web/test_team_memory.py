"""Team memory on the memory page: shared, confirmed, corrected and deleted."""

import os
from pathlib import Path
from typing import Any

import pytest

from saegim.domain.scope import Role
from tests.web.accessibility import findings
from tests.web.browser_fixture import BROKEN, Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

pytestmark = pytest.mark.requirement("CH3")


def record(page: Any, text: str) -> Any:
    """Returns the row of a shared memory."""
    return page.get_by_role("region", name="팀 기억").get_by_role("listitem").filter(has_text=text)


async def share(page: Any, text: str) -> None:
    """Shares an own memory from its details."""
    await page.get_by_role("button", name=text, exact=True).click()
    await page.get_by_role("button", name="팀과 공유").click()
    dialog = page.get_by_role("dialog", name="팀과 공유")
    await dialog.get_by_text(text).first.wait_for()
    assert await findings(page) == []
    await dialog.get_by_role("button", name="공유", exact=True).click()
    await page.get_by_text("팀과 공유했습니다").wait_for()


async def picture(page: Any, name: str) -> None:
    if folder := os.environ.get("SAEGIM_SCREENSHOTS"):
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


async def test_a_shared_memory_is_seen_and_confirmed_by_another_member(
    signed_in: SignedIn, site: Site
) -> None:
    for user in ("공유하는이", "확인하는이"):
        await site.key(user, Role.MEMBER)
    await site.remember("공유하는이", "배포는 매주 화요일에 한다", "decision")
    page = await signed_in("공유하는이", "/memory")
    await share(page, "배포는 매주 화요일에 한다")

    other = await signed_in("확인하는이", "/memory")
    await other.get_by_role("tab", name="나의 기억", selected=True).focus()
    await other.keyboard.press("ArrowRight")
    await other.wait_for_url("**/memory?tab=team")
    shared = record(other, "화요일")
    await shared.get_by_text("말하거나 확인한 사람: 공유하는이").wait_for()
    assert await shared.get_by_role("button", name="삭제").count() == 0
    await shared.get_by_role("button", name="확인").click()
    await shared.get_by_text("말하거나 확인한 사람: 공유하는이, 나").wait_for()
    assert await shared.get_by_role("button", name="확인").count() == 0
    assert await findings(other) == []
    await picture(other, "team-memory")

    await page.goto(f"{site.url}/memory?tab=team")
    await record(page, "화요일").get_by_role("button", name="삭제").click()
    dialog = page.get_by_role("dialog", name="이 팀 기억을 삭제할까요?")
    await dialog.get_by_text("다른 사람이 확인한 기억").wait_for()
    await dialog.get_by_role("button", name="삭제").click()
    await record(page, "화요일").get_by_text("말하거나 확인한 사람: 확인하는이").wait_for()
    assert page.errors == other.errors == []


async def test_a_shared_memory_is_corrected_and_deleted_by_its_author(
    signed_in: SignedIn, site: Site
) -> None:
    await site.key("고치는이", Role.MEMBER)
    await site.remember("고치는이", "회의실은 3층에 있다")
    page = await signed_in("고치는이", "/memory")
    await share(page, "회의실은 3층에 있다")
    await page.get_by_role("tab", name="팀").click()
    path = "**/v1/team-memory/*"
    async with page.expect_response(path):
        await record(page, "3층").get_by_role("button", name="수정").click()
    await page.get_by_role("textbox", name="팀 기억").fill("회의실은 5층에 있다")
    await page.get_by_role("button", name="저장").click()
    await record(page, "5층").wait_for()
    await page.reload()
    await record(page, "5층").get_by_role("button", name="삭제").click()
    await page.get_by_role("dialog").get_by_role("button", name="삭제").click()
    await record(page, "5층").wait_for(state="detached")
    await page.reload()
    await page.get_by_role("region", name="팀 기억").locator("h2, li").first.wait_for()
    assert await record(page, "회의실은").count() == 0
    assert page.errors == []


async def test_a_citation_of_a_shared_memory_shows_it(signed_in: SignedIn, site: Site) -> None:
    for user in ("나누는이", "묻는이"):
        await site.key(user, Role.MEMBER)
    await site.remember("나누는이", "사보 표지는 연두색으로 결정했다", "decision")
    page = await signed_in("나누는이", "/memory")
    await share(page, "사보 표지는 연두색으로 결정했다")
    other = await signed_in("묻는이", "/chat")
    turn = await ask(other, f"{BROKEN} 사보 표지 색을 뭘로 결정했지?")
    async with other.expect_response("**/v1/team-memory/*") as read:
        await turn.locator(".answer button.cite").first.click()
    assert (await read.value).status == 200
    panel = other.get_by_role("dialog")
    await panel.get_by_text("팀 기억", exact=True).wait_for()
    await panel.get_by_text("사보 표지는 연두색으로 결정했다").first.wait_for()
    await picture(other, "team-citation")
    assert other.errors == []
