"""What a review of the pages found and no other test shows: notes, labels, links, comparisons."""

import re
from pathlib import Path

import pytest

from tests.integration.library.conftest import bring_in
from tests.web.browser_fixture import BROKEN, Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask, composer

expect = pytest.importorskip("playwright.async_api").expect
pytestmark = pytest.mark.requirement("CH3")

PLANS = """---
id: plans-1
type: guide
title: 바다호 요금표
---
# 바다호 요금표

| 항목 | 무료 | 팀 |
| --- | --- | --- |
| 바다호 월 요금 | 0원 | 29,000원 |
| 바다호 저장 공간 | 1 GB | 100 GB |
"""
NOTE = "모델이 응답하지 않아"
MORE_THAN_A_PAGE_READ_AT_ONCE = 13


@pytest.mark.bug(7, 24)
async def test_what_was_missing_is_told_in_words_and_after_a_reload(
    signed_in: SignedIn, site: Site
) -> None:
    await bring_in(site.stack, {"plans.md": PLANS})
    page = await signed_in("고장")
    turn = await ask(page, f"{BROKEN} 바다호 월 요금은 얼마야?")
    answer = await turn.locator(".answer").inner_text()
    assert "29,000원" in answer, "rows of a table are quoted"
    assert "검색 모드" not in answer
    for _ in range(2):
        notes = page.locator(".turn .note", has_text=NOTE)
        await expect(notes).to_have_count(1)
        shown = await page.locator(".turn").inner_text()
        assert not re.search(r"\b(model|index|memory|embedder)\b", shown)
        await page.reload()
        await page.locator(".turn").wait_for()


@pytest.mark.bug(13)
async def test_only_pinned_memories_are_called_pinned(signed_in: SignedIn, site: Site) -> None:
    await site.remember("고정안함", "점심에는 국수를 즐겨 먹는다", "preference")
    await site.remember("고정안함", "호두 알레르기가 있다", "constraint", pinned=True)
    page = await signed_in("고정안함")
    turn = await ask(page, "점심 뭐 먹지?")
    await turn.get_by_role("button", name="왜 이렇게 답했나요?").click()
    panel = page.get_by_role("dialog")
    await panel.get_by_role("tab", name="기억").click()
    plain = panel.get_by_role("listitem").filter(has_text="국수를 즐겨 먹는다")
    pinned = panel.get_by_role("listitem").filter(has_text="호두 알레르기가 있다")
    await expect(pinned).to_contain_text("항상 사용")
    await expect(plain).not_to_contain_text("고정")
    for item in await panel.get_by_role("listitem").filter(has_text=re.compile("-0\\.")).all():
        await expect(item).not_to_contain_text("사용")


@pytest.mark.bug(14)
async def test_every_turn_of_a_longer_conversation_has_its_sources(
    signed_in: SignedIn, site: Site
) -> None:
    headers = {"Authorization": f"Bearer {await site.key('여러출처')}"}
    for _ in range(MORE_THAN_A_PAGE_READ_AT_ONCE):
        body = {"message": "EC2 비용 줄이는 방법?"}
        answer = await site.stack.http.post("/v1/chat", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        headers["Saegim-Session"] = answer.json()["session_id"]
    page = await signed_in("여러출처", f"/chat/{headers['Saegim-Session']}")
    turns = page.locator(".turn")
    await expect(turns).to_have_count(MORE_THAN_A_PAGE_READ_AT_ONCE)
    for turn in await turns.all():
        assert await turn.get_by_role("list", name="출처").get_by_role("button").count() >= 2


@pytest.mark.bug(15)
async def test_another_language_keeps_the_conversation_and_the_filter(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("두말")
    await ask(page, "점심 뭐 먹지?")
    address = page.url
    await page.locator(".account button").first.click()
    await page.get_by_role("menuitemradio", name="English").click()
    await page.get_by_role("textbox", name="Type a message").wait_for()
    await page.locator(".turn").wait_for()
    assert page.url == address
    await page.goto(f"{site.url}/memory?q=부산")
    await page.get_by_role("searchbox").or_(page.get_by_label("Search memories")).first.wait_for()
    await page.locator(".account button").first.click()
    await page.get_by_role("menuitemradio", name="한국어").click()
    await expect(page.get_by_label("기억 검색")).to_have_value("부산")


@pytest.mark.bug(17)
async def test_a_file_that_cannot_be_attached_says_why_once(
    signed_in: SignedIn, tmp_path: Path
) -> None:
    file = tmp_path / "그림.xyz"
    file.write_bytes(b"\x00\x01")
    page = await signed_in("못붙임")
    await composer(page).wait_for()
    await page.locator("input[type=file]").set_input_files(file)
    chips = page.get_by_role("list", name="메시지와 함께 보낼 항목")
    await chips.get_by_role("alert").wait_for()
    await page.wait_for_timeout(1500)
    said = await page.get_by_role("alert").all_inner_texts()
    assert len(said) == 1
    assert re.search("[가-힣]", said[0])
    assert "unsupported" not in said[0]
    assert await page.get_by_role("region", name="알림").locator("p").count() == 0


@pytest.mark.bug(23)
async def test_evaluations_over_other_questions_are_not_compared(signed_in: SignedIn) -> None:
    page = await signed_in("시험", "/settings/quality")
    questions = page.get_by_label("질문", exact=True)
    for count, question in enumerate(("EC2 비용 줄이는 방법?", "비용 알림은 어떻게 받나요?"), 1):
        await questions.fill(f"{question} | 72%")
        await page.get_by_role("button", name="평가 실행").click()
        await expect(page.get_by_role("button", name="보고서 보기")).to_have_count(count)
        await expect(page.get_by_role("button", name="평가 실행")).to_be_enabled()
    await page.get_by_role("button", name="보고서 보기").first.click()
    await page.get_by_role("listitem").get_by_text("비용 알림은 어떻게 받나요?").wait_for()
    assert await page.get_by_text("이전 평가에도 있던 질문").count() == 0
    # The same questions again are compared.
    await page.get_by_role("button", name="평가 실행").click()
    await expect(page.get_by_role("button", name="보고서 보기")).to_have_count(2)
    await page.get_by_role("button", name="보고서 보기").first.click()
    await page.get_by_text("이전 평가에도 있던 질문 1개").wait_for()
