"""The memory page in a browser: view, correct, forget and restore memories."""

import pytest

from saegim.domain.scope import Role
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask, noticed


@pytest.mark.requirement("LM11")
async def test_what_was_just_remembered_is_shown_and_can_be_undone(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("방금")
    turn = await ask(page, "나는 판교에서 일하고 땅콩 알레르기가 있어.")
    shown = turn.locator(".remembered")
    await shown.get_by_text("기억했어요").wait_for()
    assert "땅콩" in await shown.inner_text()
    await shown.get_by_role("button", name="되돌리기").click()
    await shown.get_by_text("되돌렸습니다").wait_for()
    await page.get_by_role("link", name="기억", exact=True).click()
    await page.wait_for_url(f"{site.url}/memory")

    assert await page.locator("article.memory").count() == 0


@pytest.mark.requirement("CH3", "LM9")
async def test_a_memory_corrected_in_three_clicks_is_used_in_the_next_turn(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("고침")
    await site.remember("고침", "땅콩 알레르기가 있다", "constraint")
    clicks = 0
    for name, role in (("기억", "link"), ("수정", "button")):
        await page.get_by_role(role, name=name, exact=True).click()
        await page.wait_for_url(f"{site.url}/memory")
        clicks += 1
    await page.locator("article textarea").fill("호두 알레르기가 있다")
    await page.get_by_role("button", name="저장").click()
    clicks += 1
    await page.locator("article.memory .content", has_text="호두").wait_for()
    assert clicks <= 3

    await page.get_by_role("link", name="컨텍스트에 넣기").click()
    await page.locator(".chip", has_text="호두").wait_for()
    turn = await ask(page, "점심 뭐 먹지?")
    assert "호두" in await turn.locator(".answer").inner_text()
    assert await page.locator(".chip").count() == 0, "what was put in was for one message"


async def test_a_memory_that_was_changed_meanwhile_is_not_overwritten(
    signed_in: SignedIn, site: Site
) -> None:
    memory = await site.remember("둘이서", "땅콩 알레르기가 있다", "constraint")
    headers = {"Authorization": f"Bearer {await site.key('둘이서')}"}
    page = await signed_in("둘이서", "/memory")
    await page.get_by_role("button", name="수정").click()
    await page.locator("article textarea").fill("호두 알레르기가 있다")
    path = f"/v1/memories/{memory}"
    await site.stack.http.patch(path, json={"content": "새우 알레르기가 있다"}, headers=headers)
    await page.get_by_role("button", name="저장").click()
    await noticed(page, bad=True)
    stored = await site.stack.http.get(path, headers=headers)

    assert stored.json()["content"] == "새우 알레르기가 있다"


@pytest.mark.requirement("LM11")
async def test_a_memory_is_forgotten_in_two_clicks_and_brought_back(
    signed_in: SignedIn, site: Site
) -> None:
    await site.remember("잊음", "혈액형은 AB형이다")
    page = await signed_in("잊음", "/chat")
    await page.get_by_role("link", name="기억", exact=True).click()
    await page.wait_for_url(f"{site.url}/memory")
    await page.get_by_role("button", name="잊기").click()
    gone = page.locator(".memory.gone")
    await gone.wait_for()
    await page.reload()
    assert await page.locator("article.memory").count() == 0
    await page.get_by_label("잊은 기억").check()
    await page.locator(".memory.gone").get_by_role("button", name="되돌리기").click()
    await page.locator("article.memory .content", has_text="AB형").wait_for()


@pytest.mark.requirement("LM11")
async def test_what_is_forgotten_is_not_used_again(signed_in: SignedIn, site: Site) -> None:
    await site.remember("효과", "호두 알레르기가 있다", "constraint", pinned=True)
    page = await signed_in("효과")
    await page.locator("[data-act=preview]").click()
    field = page.locator("#drawer").get_by_placeholder("메시지를 입력하세요")
    await field.fill("점심 뭐 먹지?")
    await page.locator("#drawer .item.used", has_text="호두").wait_for()
    await page.get_by_role("link", name="기억", exact=True).click()
    await page.wait_for_url(f"{site.url}/memory")
    await page.get_by_role("button", name="잊기").click()
    await page.locator(".memory.gone").wait_for()
    await page.goto(f"{site.url}/chat")
    turn = await ask(page, "점심 뭐 먹지?")
    assert "호두" not in await turn.inner_text()
    await turn.locator("[data-act=why]").click()
    await page.locator("#drawer .span").first.wait_for()
    assert await page.locator("#drawer .item", has_text="호두").count() == 0


@pytest.mark.requirement("LM9")
async def test_versions_pins_filters_and_the_timeline(signed_in: SignedIn, site: Site) -> None:
    first = await site.remember("여럿", "서울에 산다", "profile")
    await site.remember("여럿", "표로 된 답을 좋아한다", "preference")
    page = await signed_in("여럿", "/memory")
    card = page.locator(f"#memory-{first}")
    await card.get_by_role("button", name="고정", exact=True).click()
    await card.get_by_text("고정됨").wait_for()
    await card.get_by_role("button", name="수정").click()
    await page.locator("article textarea").fill("부산에 산다")
    await page.get_by_role("button", name="저장").click()
    await card.locator(".content", has_text="부산").wait_for()
    await card.get_by_role("button", name="변경 이력").click()
    await card.get_by_role("button", name="이 버전으로 되돌리기").first.click()
    await card.locator(".content", has_text="서울에 산다").wait_for()

    assert await page.locator(".timeline meter").count() == 1
    await page.get_by_label("종류").first.select_option("preference")
    await page.locator("article.memory").nth(1).wait_for(state="detached")
    assert "표로 된" in await page.locator("#memories").inner_text()
    await page.get_by_label("종류").first.select_option("")
    await page.get_by_label("키워드").fill("서울")
    await page.locator("#memories", has_not_text="표로 된").wait_for()
    assert "서울에 산다" in await page.locator("#memories").inner_text()
    assert page.errors == []


async def test_memory_is_switched_off_and_on(signed_in: SignedIn) -> None:
    page = await signed_in("스위치", "/memory")
    await page.get_by_role("button", name="끄기").click()
    await page.get_by_text("기억하기 꺼짐").wait_for()
    await page.get_by_role("button", name="켜기").click()
    await page.get_by_text("기억하기 켜짐").wait_for()


@pytest.mark.requirement("CH6")
async def test_the_preview_shows_blocks_and_obeys_its_switches(
    signed_in: SignedIn, site: Site
) -> None:
    await site.remember("미리", "월 예산은 1,200만원이다", "constraint")
    page = await signed_in("미리")
    await page.get_by_role("textbox", name="메시지를 입력하세요").fill("예산과 EC2 비용?")
    await page.locator("[data-act=preview]").click()
    drawer = page.locator("#drawer")
    await drawer.locator(".item", has_text="EC2 비용 절감 안내서").first.wait_for()
    assert await drawer.locator(".item", has_text="기억 ·").count() == 1
    await drawer.get_by_label("장기 기억").uncheck()
    await drawer.locator(".item", has_text="기억 ·").first.wait_for(state="detached")
    assert await drawer.locator(".blocks meter").count() == 8


@pytest.mark.requirement("CH6")
async def test_what_the_preview_leaves_out_can_be_put_in(signed_in: SignedIn, site: Site) -> None:
    for day in range(12):
        await site.remember("넣기", f"{day + 1}월에는 {day * 7 + 3}번 서버를 새로 샀다")
    page = await signed_in("넣기")
    await page.locator("[data-act=preview]").click()
    drawer = page.locator("#drawer")
    await drawer.get_by_placeholder("메시지를 입력하세요").fill("몇 번 서버를 새로 샀지?")
    await drawer.get_by_label("하나당 상한").fill("20")
    await drawer.get_by_label("기억 상한").fill("40")
    left = drawer.locator(".item:not(.used)", has_text="서버를 새로 샀다").first
    await left.wait_for()
    put = await left.locator(".name").inner_text()
    await left.get_by_role("button", name="컨텍스트에 넣기").click()
    await drawer.locator(".item.used", has_text=put).wait_for()
    await page.locator(".chip", has_text=put).wait_for()
    assert page.errors == []


async def test_a_member_sees_no_administration(signed_in: SignedIn, site: Site) -> None:
    await site.key("보통", Role.MEMBER)
    page = await signed_in("보통", "/memory")
    assert await page.get_by_role("link", name="관리").count() == 0
    answer = await page.goto(f"{site.url}/admin")
    assert answer.status == 403
