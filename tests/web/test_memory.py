"""The memory page in a browser: view, correct, forget and restore memories."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from saegim.memory.types import Origin
from tests.integration.memory.records import PERSON, told
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

pytestmark = pytest.mark.requirement("CH3")


def row(page: Any, text: str) -> Any:
    """Returns the row of a memory in the list; entries of its history are no rows."""
    rows = page.get_by_role("region", name="기억", exact=True).get_by_role("listitem")
    return rows.filter(has_text=text, has=page.get_by_role("checkbox"))


@pytest.mark.requirement("LM11")
async def test_what_was_just_remembered_is_shown_and_can_be_undone(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("방금")
    turn = await ask(page, "나는 판교에서 일하고 땅콩 알레르기가 있어.")
    await turn.get_by_text("땅콩 알레르기").last.wait_for()
    await turn.get_by_role("button", name="되돌리기").click()
    await turn.get_by_role("button", name="되돌리기").wait_for(state="detached")
    await page.goto(f"{site.url}/memory")

    await page.get_by_text("아직 새긴 기억이 없습니다").wait_for()


@pytest.mark.parametrize(
    ("language", "memory", "message", "agree"),
    [
        ("ko", "땅콩 알레르기가 있다", "땅콩 알레르기는 잊어 줘", "네, 잊어 주세요"),
        ("en", "I live in Daejeon", "Forget that I live in Daejeon", "Yes, forget it"),
    ],
)
async def test_button_below_an_answer_forgets_what_it_quotes(
    signed_in: SignedIn, site: Site, language: str, memory: str, message: str, agree: str
) -> None:
    page = await signed_in(f"forget-{language}", language=language)
    # Pinned memories are never forgotten without a question.
    await site.remember(f"forget-{language}", memory, "fact", pinned=True)
    turn = await ask(page, message)
    assert f"“{memory}”" in await turn.inner_text()
    await page.reload()
    await page.get_by_role("button", name=agree).click()
    await page.get_by_role("button", name=agree).wait_for(state="detached")
    done = page.get_by_role("article").nth(1).get_by_role("status")
    forgotten, undone = ("잊음", "되돌림") if language == "ko" else ("Forgotten", "Undone")
    await done.get_by_text(f"{forgotten}: “{memory}”").wait_for()

    turn = await ask(page, "undo")
    await turn.get_by_role("status").get_by_text(f"{undone}: {memory}").wait_for()
    await done.get_by_text(undone, exact=True).wait_for()


@pytest.mark.requirement("CH3", "LM9")
async def test_a_memory_corrected_in_three_clicks_is_used_in_the_next_turn(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("고침")
    memory = await site.remember("고침", "땅콩 알레르기가 있다", "constraint")
    await page.get_by_role("link", name="기억", exact=True).first.click()
    await row(page, "땅콩").get_by_role("button", name="수정").click()
    await page.get_by_role("textbox", name="기억", exact=True).fill("호두 알레르기가 있다")
    await page.get_by_role("button", name="저장").click()
    await row(page, "호두").wait_for()

    await page.goto(f"{site.url}/memory/{memory}")
    await page.wait_for_url(f"{site.url}/memory?id={memory}")
    opened = page.get_by_role("region", name="선택한 기억")
    await opened.get_by_text("호두 알레르기가 있다").wait_for()
    await opened.get_by_role("link", name="컨텍스트에 넣기").click()
    await page.wait_for_url(f"{site.url}/chat*")
    turn = await ask(page, "점심 뭐 먹지?")
    assert "호두" in await turn.inner_text()


async def test_a_memory_that_was_changed_meanwhile_is_not_overwritten(
    signed_in: SignedIn, site: Site
) -> None:
    memory = await site.remember("둘이서", "땅콩 알레르기가 있다", "constraint")
    headers = {"Authorization": f"Bearer {await site.key('둘이서')}"}
    path = f"/v1/memories/{memory}"
    page = await signed_in("둘이서", "/memory")
    async with page.expect_response(f"**{path}"):
        await row(page, "땅콩").get_by_role("button", name="수정").click()
    await page.get_by_role("textbox", name="기억", exact=True).fill("호두 알레르기가 있다")
    await site.stack.http.patch(path, json={"content": "새우 알레르기가 있다"}, headers=headers)
    await page.get_by_role("button", name="저장").click()
    await page.get_by_role("alert").wait_for()
    stored = await site.stack.http.get(path, headers=headers)

    assert stored.json()["content"] == "새우 알레르기가 있다"


@pytest.mark.requirement("LM11")
async def test_a_memory_is_forgotten_in_two_clicks_and_brought_back(
    signed_in: SignedIn, site: Site
) -> None:
    await site.remember("잊음", "혈액형은 AB형이다")
    page = await signed_in("잊음", "/memory")
    await row(page, "AB형").get_by_role("button", name="잊기").click()
    await page.get_by_text("기억 1개를 잊었습니다").wait_for()
    await page.get_by_text("아직 새긴 기억이 없습니다").wait_for()
    await page.get_by_role("button", name="되돌리기").click()
    await row(page, "AB형").get_by_role("button", name="잊기").click()
    await row(page, "AB형").wait_for(state="detached")
    await page.reload()
    await page.get_by_role("button", name="잊음 1").click()
    await row(page, "AB형").get_by_role("button", name="복원").click()
    await page.get_by_text("잊은 기억이 없습니다.").wait_for()
    await page.get_by_role("button", name="전체 1").click()
    await row(page, "AB형").wait_for()
    assert page.errors == []


@pytest.mark.requirement("LM11")
async def test_what_is_forgotten_is_not_used_again(signed_in: SignedIn, site: Site) -> None:
    await site.remember("효과", "호두 알레르기가 있다", "constraint", pinned=True)
    page = await signed_in("효과", "/memory")
    await row(page, "호두").get_by_role("button", name="잊기").click()
    await page.get_by_text("기억 1개를 잊었습니다").wait_for()
    await page.goto(f"{site.url}/chat")
    turn = await ask(page, "점심 뭐 먹지?")
    assert "호두" not in await turn.inner_text()


@pytest.mark.requirement("LM9")
async def test_memories_of_old_rules_are_kept_or_forgotten_on_one_page(
    signed_in: SignedIn, site: Site
) -> None:
    scope = (await site.stack.caller("옛규칙")).scope
    for content in (
        "땅콩 알레르기가 있다",
        "SECRET_KEY = 'changeme'",
        "오늘은 피자",
        "내일은 국수",
    ):
        record = replace(told(content, core=True), origin=Origin.FALLBACK)
        await site.stack.services.memory.records.add(scope, record, PERSON)
    site.stack.store_under_old_rules()
    await site.remember("옛규칙", "창가 자리에 앉는다")
    page = await signed_in("옛규칙", "/memory")
    await row(page, "창가").wait_for()
    await page.get_by_role("button", name="규칙으로 저장된 기억 4개 확인하기").click()
    await row(page, "창가").wait_for(state="detached")
    await row(page, "SECRET_KEY = '[SECRET]'").get_by_role("button", name="잊기").click()
    await row(page, "땅콩").get_by_role("button", name="남기기").click()
    await row(page, "땅콩").wait_for(state="detached")
    await page.get_by_role("checkbox", name="모두 선택").check()
    await page.get_by_text("2개 선택됨").wait_for()
    await page.get_by_role("button", name="남기기").first.click()
    await page.get_by_text("확인할 기억이 없습니다.").wait_for()
    await page.get_by_role("button", name="전체 기억 보기").last.click()
    await row(page, "창가").wait_for()
    assert await page.get_by_text("규칙으로 저장된 기억").count() == 0
    await row(page, "땅콩").get_by_role("button", name="땅콩").click()
    await page.get_by_text("직접 입력").wait_for()
    assert page.errors == []


async def test_several_and_all_memories_are_forgotten_with_an_undo(
    signed_in: SignedIn, site: Site
) -> None:
    for number in range(4):
        await site.remember("여러개", f"{number}번 서버는 부산에 있다")
    page = await signed_in("여러개", "/memory")
    for number in (1, 2):
        await row(page, f"{number}번").get_by_role("checkbox").check()
    await page.get_by_text("2개 선택됨").wait_for()
    await page.get_by_role("button", name="잊기", exact=True).first.click()
    await page.get_by_text("기억 2개를 잊었습니다").wait_for()
    await page.get_by_role("button", name="전체 2").wait_for()
    await page.get_by_role("button", name="추가 작업").click()
    await page.get_by_role("menuitem", name="모두 잊기").click()
    dialog = page.get_by_role("dialog")
    assert "기억 2개를 모두 잊습니다" in await dialog.inner_text()
    await dialog.get_by_role("button", name="모두 잊기").click()
    await page.get_by_text("아직 새긴 기억이 없습니다").wait_for()
    await page.get_by_role("button", name="되돌리기").last.click()
    await row(page, "3번").wait_for()
    assert await page.get_by_role("listitem").filter(has_text="서버는").count() == 2


@pytest.mark.requirement("LM9")
async def test_versions_pins_filters_and_the_timeline(signed_in: SignedIn, site: Site) -> None:
    await site.remember("여럿", "서울에 산다", "profile")
    await site.remember("여럿", "표로 된 답을 좋아한다", "preference")
    page = await signed_in("여럿", "/memory")
    await row(page, "서울").get_by_role("button", name="고정", exact=True).click()
    await page.get_by_role("button", name="고정됨 1").wait_for()
    await row(page, "서울").get_by_role("button", name="수정").click()
    await page.get_by_role("textbox", name="기억", exact=True).fill("부산에 산다")
    await page.get_by_role("button", name="저장").click()
    await row(page, "부산").get_by_role("button", name="부산에 산다").click()
    await page.get_by_role("button", name="변경 이력").click()
    await page.get_by_role("button", name="이 버전으로 되돌리기").click()
    await page.get_by_role("button", name="서울에 산다", exact=True).wait_for()

    filters = page.get_by_role("navigation", name="기억 필터")
    await filters.get_by_role("button", name="선호 1").click()
    await row(page, "서울").wait_for(state="detached")
    assert await row(page, "표로 된").count() == 1
    await filters.get_by_role("button", name="전체 2").click()
    await page.get_by_label("기억 검색").fill("서울")
    await row(page, "표로 된").wait_for(state="detached")
    await page.get_by_label("기억 검색").fill("")
    await row(page, "표로 된").wait_for()
    await filters.get_by_role("button", name="월").first.click()
    await page.get_by_text("만 표시").wait_for()
    assert await row(page, "표로 된").count() == 1
    assert page.errors == []


@pytest.mark.bug(12)
async def test_no_hit_is_told_apart_from_nothing_yet(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("빈칸", "/memory")
    await page.get_by_text("아직 새긴 기억이 없습니다").wait_for()
    await page.get_by_role("button", name="잊음 0").click()
    await page.get_by_text("잊은 기억이 없습니다.").wait_for()
    await site.remember("빈칸", "서울에 산다")
    await page.goto(f"{site.url}/memory?q=부산")
    await page.get_by_text("조건에 맞는 기억이 없습니다.").wait_for()
    await page.get_by_role("button", name="필터 해제").click()
    await row(page, "서울").wait_for()


async def test_learning_and_using_are_switched_apart(signed_in: SignedIn) -> None:
    page = await signed_in("스위치", "/memory")
    await page.get_by_role("switch", name="대화에서 기억하기").uncheck()
    await page.get_by_text("새로운 내용을 기억하지 않습니다.").wait_for()
    await page.reload()
    learning = page.get_by_role("switch", name="대화에서 기억하기", checked=False)
    await learning.wait_for()
    await page.get_by_role("switch", name="답변에 사용하기", checked=True).uncheck()
    await page.get_by_text("기억을 사용하지 않습니다.").wait_for()
    await learning.check()
    await page.get_by_text("대화에서 말한 새로운 내용을 기억합니다.").wait_for()


async def test_memories_are_added_exported_and_imported(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    page = await signed_in("옮김", "/memory")
    await page.get_by_role("button", name="기억 추가").first.click()
    await page.get_by_label("직접 적어 두기").fill("회의는 오전이 좋다")
    await page.get_by_role("button", name="추가", exact=True).click()
    await row(page, "회의는 오전").wait_for()
    await page.get_by_role("button", name="추가 작업").click()
    async with page.expect_download() as started:
        await page.get_by_role("menuitem", name="내보내기").click()
    file = tmp_path / "memories.json"
    await (await started.value).save_as(file)

    other = await signed_in("받음", "/memory")
    await other.get_by_role("button", name="추가 작업").click()
    await other.get_by_role("menuitem", name="가져오기").click()
    await other.get_by_label("가져올 파일").set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": b"[]"}
    )
    await other.get_by_text("내보낸 기억 파일이 아닙니다.").wait_for()
    await other.get_by_label("가져올 파일").set_input_files(file)
    await other.get_by_text("기억 1개를 가져왔습니다").wait_for()
    await other.get_by_role("dialog").get_by_role("button", name="닫기").last.click()
    await row(other, "회의는 오전").wait_for()
    assert page.errors == other.errors == []


@pytest.mark.requirement("CH6")
async def test_the_preview_shows_blocks_and_obeys_its_switches(
    signed_in: SignedIn, site: Site
) -> None:
    await site.remember("미리", "월 예산은 1,200만원이다", "constraint")
    page = await signed_in("미리")
    await page.get_by_role("textbox", name="메시지를 입력하세요").fill("예산과 EC2 비용?")
    await page.get_by_role("button", name="컨텍스트 미리보기").click()
    preview = page.get_by_role("dialog", name="컨텍스트 미리보기")
    candidates = preview.get_by_role("list", name="검토한 내용")
    await candidates.get_by_text("EC2 비용 절감 안내서").first.wait_for()
    assert await candidates.get_by_text("월 예산은 1,200만원이다").count() == 1
    await preview.get_by_label("장기 기억").uncheck()
    await candidates.get_by_text("월 예산은 1,200만원이다").wait_for(state="detached")


@pytest.mark.requirement("CH6")
async def test_what_the_preview_leaves_out_can_be_put_in(signed_in: SignedIn, site: Site) -> None:
    for day in range(12):
        await site.remember("넣기", f"{day + 1}월에는 {day * 7 + 3}번 서버를 새로 샀다")
    page = await signed_in("넣기")
    await page.get_by_role("button", name="컨텍스트 미리보기").click()
    preview = page.get_by_role("dialog", name="컨텍스트 미리보기")
    await preview.get_by_label("메시지", exact=True).fill("몇 번 서버를 새로 샀지?")
    await preview.get_by_text("한도", exact=True).click()
    await preview.get_by_label("하나당 상한").fill("20")
    await preview.get_by_label("기억 상한").first.fill("40")
    left = preview.get_by_role("listitem").filter(
        has=page.get_by_role("button", name="컨텍스트에 넣기")
    )
    await left.first.wait_for()
    added = (await left.first.locator("span").first.inner_text()).strip()
    await left.first.get_by_role("button", name="컨텍스트에 넣기").click()
    await page.keyboard.press("Escape")
    await page.get_by_role("list", name="메시지와 함께 보낼 항목").get_by_text(added).wait_for()
    assert page.errors == []


@pytest.mark.requirement("LM14")
async def test_a_question_to_memory_is_answered_with_its_sources(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    await site.remember("물음", "데이터베이스는 포스트그레스로 결정했다", "decision")
    await site.remember("물음", "땅콩 알레르기가 있다", "constraint")
    page = await signed_in("물음", "/memory")
    box = page.get_by_role("region", name="기억에 묻기")
    await box.get_by_role("textbox").fill("나에 대해 뭘 알아?")
    await box.get_by_role("button", name="질문하기", exact=True).click()
    await box.get_by_role("heading", name="출처").wait_for()
    sources = box.get_by_role("list").last.get_by_role("listitem")
    assert await sources.count() == 2
    await page.screenshot(path=tmp_path / "ask.png", full_page=True)

    await sources.filter(has_text="땅콩").get_by_role("button").click()
    opened = page.get_by_role("region", name="선택한 기억")
    await opened.get_by_text("땅콩 알레르기가 있다").wait_for()
