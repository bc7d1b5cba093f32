"""What Saegim concludes, on the memory page: with its reasons, taken back and brought back."""

import os
from pathlib import Path

import pytest

from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn

pytestmark = pytest.mark.requirement("LM12", "CH3")


async def test_a_conclusion_says_why_and_can_be_taken_back(signed_in: SignedIn, site: Site) -> None:
    for content in ("아침에 커피를 마신다", "아침에는 커피를 마신다"):
        await site.remember("관찰", content, "preference")
    for content in ("민수 씨가 디자인을 맡는다", "민수 씨와 모바일 프로젝트를 한다"):
        await site.remember("관찰", content, "decision")
    scope = (await site.stack.caller("관찰")).scope
    await site.stack.services.memory.synthesis.synthesise(scope.tenant, scope.profile)
    page = await signed_in("관찰", "/memory")
    section = page.get_by_role("region", name="새김이 이해한 것")
    await section.get_by_role("heading", name="관찰").wait_for()
    observations = section.locator("div", has=page.get_by_role("heading", name="관찰")).last
    await observations.get_by_role("button", name="왜 그렇게 생각하나요?").click()
    await observations.get_by_text("아침에 커피를 마신다", exact=True).wait_for()
    if folder := os.environ.get("SAEGIM_SCREENSHOTS"):
        await page.screenshot(path=Path(folder) / "conclusions.png", full_page=True)
    await observations.get_by_role("button", name="사용하지 않기").click()
    await observations.get_by_text("사용 안 함").wait_for()
    await page.reload()
    await observations.get_by_role("button", name="다시 사용하기").click()
    await observations.get_by_text("사용 안 함").wait_for(state="detached")
    assert page.errors == []
