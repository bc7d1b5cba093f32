"""The library in a browser: a document is uploaded, found, cited and removed."""

from pathlib import Path

import pytest

from benchmarks.idle import until_idle
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

LEAVE = """---
id: leave-1
type: guide
title: 휴가 규정 2026
---
# 휴가 규정

연차 휴가는 입사 첫해에 15일이며, 남은 연차는 이듬해 3월까지 쓸 수 있습니다.
"""


@pytest.mark.requirement("CH3")
async def test_an_uploaded_document_is_found_opened_and_removed(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "휴가 규정.md"
    file.write_text(LEAVE, "utf-8")
    page = await signed_in("사서", "/library")
    await page.locator("#files").set_input_files(file)
    await page.locator("#progress .good").wait_for()
    await page.locator("#documents", has_text="휴가 규정 2026").wait_for()
    await until_idle(site.stack.services)

    await page.goto(f"{site.url}/library/search")
    await page.get_by_label("질문").fill("연차 며칠")
    await page.get_by_role("button", name="검색").click()
    hit = page.locator(".hit", has_text="15일").first
    await hit.wait_for()
    assert await hit.locator("meter").count() >= 2
    await hit.get_by_role("link").click()
    await page.locator(".reading", has_text="15일").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.get_by_role("button", name="삭제").click()
    await page.wait_for_url(f"{site.url}/library")
    assert "휴가 규정 2026" not in await page.locator("#documents").inner_text()


async def test_a_file_attached_in_the_chat_is_what_the_answer_uses(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "메모.md"
    file.write_text("---\nid: memo-9\n---\n# 메모\n\nEC2 서버는 매주 금요일에 끕니다.\n", "utf-8")
    page = await signed_in("첨부")
    await page.locator(".composer input[type=file]").set_input_files(file)
    await page.locator(".chip", has_text="메모.md · 준비됨").wait_for()
    await until_idle(site.stack.services)
    turn = await ask(page, "EC2 서버는 언제 끄지?")
    await turn.locator("[data-act=why]").click()
    await page.locator("#drawer .item", has_text="메모").first.wait_for()


@pytest.mark.requirement("CH6")
async def test_a_chosen_document_is_the_one_that_is_answered_from(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("고른문서", "/library/document?id=ts-501")
    await page.get_by_role("link", name="이 문서로 대화하기").click()
    await page.locator(".chip", has_text="SUPRA XP 센서 이상 조치").wait_for()
    turn = await ask(page, "EC2 비용 줄이는 방법?")
    await turn.locator("[data-act=why]").click()
    drawer = page.locator("#drawer")
    await drawer.get_by_text("선택한 문서").first.wait_for()
    assert await drawer.locator(".item", has_text="센서 이상 조치").count() >= 1
    assert await drawer.locator(".item", has_text="EC2 비용 절감 안내서").count() == 0
    assert await page.locator(".chip").count() == 0


async def test_a_collection_is_added_for_some_groups(signed_in: SignedIn) -> None:
    page = await signed_in("모음", "/library")
    await page.locator("#collections summary").click()
    form = page.locator("#collections form")
    await form.get_by_label("이름").fill("계약서")
    await form.get_by_label("열람할 수 있는 그룹").fill("법무, 경영")
    async with page.expect_navigation():
        await form.get_by_role("button", name="추가").click()
    assert "경영, 법무" in await page.locator("#collections li", has_text="계약서").inner_text()
    assert await page.locator("#collection option", has_text="계약서").count() == 1


async def test_documents_are_filtered_by_title(signed_in: SignedIn) -> None:
    page = await signed_in("찾기", "/library")
    await page.get_by_label("문서 제목 검색").fill("센서")
    await page.locator("#documents", has_not_text="EC2").wait_for()
    assert "SUPRA XP 센서" in await page.locator("#documents").inner_text()


@pytest.mark.requirement("CH3")
async def test_usage_and_administration_show_what_there_is(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("관리자", "/admin")
    form = page.locator("form[hx-post='/admin/keys']")
    await form.get_by_label("이름").fill("새 키")
    await form.locator("[name=user]").fill("somebody")
    await page.get_by_role("button", name="키 만들기").click()
    secret = await page.locator(".secret").inner_text()
    answer = await site.stack.http.get("/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 200
    page.on("dialog", lambda dialog: dialog.accept())
    await page.locator("tr", has_text="새 키").get_by_role("button", name="폐기").click()
    await page.locator("tr", has_text="새 키").get_by_text("폐기됨").wait_for()
    await page.get_by_role("button", name="변조 여부 확인").click()
    await page.get_by_text("감사 기록이 변조되지 않았습니다").wait_for()
    await page.goto(f"{site.url}/usage")
    assert await page.get_by_text("최근 30일 사용량").is_visible()
    assert page.errors == []
