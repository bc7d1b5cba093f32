"""A citation opens the place in its document, and the original is downloaded, in a browser."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks.idle import until_idle
from tests.integration.library.parsing.more_office_files import xlsx
from tests.integration.library.parsing.pdf_files import Line, pdf
from tests.web.browser_fixture import BROKEN, Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

pytestmark = pytest.mark.requirement("CH3")

PAGES = [
    ("사무실 안내", "이 책자는 새로 온 사람을 위한 것입니다."),
    ("회의실", "회의실은 7층에 네 개가 있으며 하루 전에 예약합니다."),
    ("주차", "방문객 주차권은 지하 2층 총무팀 창구에서 발급합니다."),
]


def shot(page: Any, name: str) -> Any:
    """Saves a screenshot where `SAEGIM_SHOTS` says; else nothing is drawn."""
    folder = os.environ.get("SAEGIM_SHOTS")
    return page.screenshot(path=Path(folder) / name) if folder else _nothing()


async def _nothing() -> None:
    return None


async def upload(page: Any, site: Site, file: Path) -> None:
    await page.get_by_label("업로드할 파일").set_input_files([file])
    await page.get_by_role("region", name="업로드").first.get_by_text("파일 1개 준비됨").wait_for()
    await until_idle(site.stack.services)


async def saved(page: Any, link: Any) -> bytes:
    async with page.expect_download() as started:
        await link.click()
    path = Path(await (await started.value).path())
    return await asyncio.to_thread(path.read_bytes)


async def test_a_citation_opens_its_page_and_the_file_is_downloaded(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    content = pdf([[Line(title, 20), Line(text, gap=3)] for title, text in PAGES])
    file = tmp_path / "사무실 안내.pdf"
    file.write_bytes(content)
    page = await signed_in("쪽찾기", "/library")
    await upload(page, site, file)
    await page.goto(f"{site.url}/chat")
    turn = await ask(page, f"{BROKEN} 방문객 주차권은 어디에서 발급하나요?")
    sources = turn.get_by_role("list", name="출처").get_by_role("button")
    await sources.filter(has_text="3쪽").first.wait_for()
    await turn.locator(".answer button", has_text="1").first.hover()
    await page.locator(".card[popover]", has_text="3쪽").wait_for()
    await shot(page, "citation-card.png")

    await sources.filter(has_text="3쪽").first.click()
    panel = page.get_by_role("dialog")
    await panel.locator("mark", has_text="총무팀 창구").wait_for()
    await panel.get_by_text("3쪽", exact=True).wait_for()
    shown = await panel.get_by_role("link", name="PDF 열기").get_attribute("href")
    assert shown.endswith("/original?inline=true#page=3")
    assert await saved(page, panel.get_by_role("link", name="원본 내려받기")) == content
    await shot(page, "citation-panel.png")

    await panel.get_by_role("link", name="문서고에서 열기").click()
    marked = page.locator("[aria-current=true]", has_text="총무팀 창구")
    await marked.get_by_role("link", name="1~3쪽").wait_for()
    assert await saved(page, page.get_by_role("link", name="원본 내려받기")) == content
    await shot(page, "document-page.png")
    assert page.errors == []


async def test_a_row_of_a_sheet_is_named_and_downloaded_from_the_list(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    rows = [["지점", "매출", "담당"], ["서울", 112, "김하나"], ["울산", 73, "박세나"]]
    file = tmp_path / "지점 매출.xlsx"
    file.write_bytes(xlsx({"매출": rows}))
    page = await signed_in("행찾기", "/library")
    await upload(page, site, file)
    row = page.get_by_role("row").filter(has_text="지점 매출")
    await row.get_by_role("button", name="지점 매출").click()
    item = page.get_by_role("menuitem", name="원본 내려받기")
    assert await saved(page, item) == file.read_bytes()

    await row.get_by_role("link", name="지점 매출").click()
    await page.get_by_text("시트 ‘매출’ 2행").first.wait_for()
    await shot(page, "sheet-page.png")
    assert page.errors == []
