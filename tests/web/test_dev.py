"""The pages of `saegim dev` itself, the program as a person runs it: no script, no model."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from saegim.localservers.valkey import find_free_port
from tests.acceptance.dev.home import REPOSITORY, Home
from tests.web.browser_fixture import PATIENCE
from tests.web.talking import ask

pytestmark = pytest.mark.requirement("CH3")

DOCUMENT = REPOSITORY / "examples/cost-analysis/documents/gcb-123.ko.md"
PAGES = ("/chat", "/memory", "/library", "/library/search", "/evaluation", "/settings")


@pytest.fixture
async def dev(tmp_path: Path) -> AsyncIterator[Home]:
    home = Home(tmp_path, find_free_port())
    try:
        await asyncio.to_thread(home.start)
        yield home
    finally:
        await asyncio.to_thread(home.stop)


async def test_from_the_demo_key_to_a_cited_answer(browser: Any, dev: Home) -> None:
    page = await browser.new_page(locale="ko-KR")
    page.set_default_timeout(PATIENCE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    await page.goto(dev.url)
    await page.get_by_text("API 키로 로그인").click()
    await page.get_by_label("API 키", exact=True).fill(dev.key)
    await page.get_by_role("button", name="로그인").last.click()
    await page.wait_for_url(f"{dev.url}/chat")

    await page.get_by_role("link", name="문서고").click()
    await page.wait_for_load_state()
    await page.get_by_label("업로드할 파일").set_input_files(DOCUMENT)
    await page.get_by_text("파일 1개 준비됨").wait_for()
    await asyncio.to_thread(dev.until_found, {"gcb-123": "환율 기준"})
    await page.get_by_role("link", name="대화", exact=True).click()
    turn = await ask(page, "gcb-123 환율 기준이 어떻게 바뀌었나요?")
    await turn.locator(".cite").first.click()
    await page.get_by_role("dialog").locator("mark").wait_for()
    await page.keyboard.press("Escape")
    await turn.get_by_role("button", name="왜 이렇게 답했나요?").click()
    why = page.get_by_role("dialog")
    await why.get_by_role("tab", name="비용").click()
    await why.get_by_text("설정된 모델 없음").first.wait_for()
    for path in PAGES:
        answer = await page.goto(dev.url + path)
        assert answer.status == 200
        await page.locator("#main").wait_for()
    assert errors == []
    await page.context.close()
