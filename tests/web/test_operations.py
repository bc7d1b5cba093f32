"""Operations pages in a browser: failed jobs, evaluations."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from saegim.evaluation.results import Figure, QueryResult, Run, ScenarioResult, save
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import noticed

expect = pytest.importorskip("playwright.async_api").expect
pytestmark = pytest.mark.requirement("CH3")


async def test_failed_work_is_shown_and_tried_again(signed_in: SignedIn, site: Site) -> None:
    site.stack.job("failed", "watch_turn")
    page = await signed_in("운영", "/usage")
    row = page.locator("#jobs tr", has_text="StoreUnavailable")
    await row.get_by_role("button", name="다시 시도").click()
    await page.get_by_text("실패한 작업이 없습니다.").wait_for()
    assert page.errors == []


def _run(at: datetime, value: float) -> Run:
    asked = QueryResult(
        query="내 고양이 이름은?",
        alone=None,
        with_recall=None,
        tokens_alone=0,
        tokens_with_recall=0,
        seconds=0.1,
        expects=("보리",),
    )
    played = ScenarioResult(
        id="cat", title="고양이", language="ko", kind="seed", turns=3, asked=(asked,)
    )
    figure = Figure(value=value, low=value - 0.01, high=value + 0.01, count=40)
    return Run(kind="offline", at=at, version="1", figures={"recall.r10": figure}, played=(played,))


async def test_an_evaluation_shows_what_fell_and_what_failed(
    signed_in: SignedIn, site: Site
) -> None:
    settings = site.stack.services.settings
    folder = settings.evaluations or settings.data / "evaluations"
    now = datetime.now(UTC)
    for at, value in ((now - timedelta(days=1), 0.8), (now, 0.7)):
        save(_run(at, value), folder)
    page = await signed_in("평가", "/evaluation")
    assert await page.locator("td .badge.bad").inner_text() == "-0.100"
    await page.get_by_text("내 고양이 이름은?").wait_for()
    assert page.errors == []


@pytest.mark.requirement("LM9")
async def test_another_profile_has_memories_of_its_own(signed_in: SignedIn, site: Site) -> None:
    await site.remember("두얼굴", "혈액형은 AB형이다")
    page = await signed_in("두얼굴", "/memory")
    await page.locator("article.memory").wait_for()
    await page.locator(".profile summary").click()
    await page.get_by_label("새 프로필").fill("회사")
    async with page.expect_navigation():
        await page.get_by_role("button", name="전환").click()
    assert await page.locator("article.memory").count() == 0
    await page.locator(".profile summary").click()
    async with page.expect_navigation():
        await page.locator("select[name=profile]").select_option("default")
    await page.locator("article.memory").wait_for()


async def test_menu_links_are_given_to_those_without_an_answer(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("안내", "/admin")
    await page.get_by_label("메뉴 링크").fill("고객센터 | https://help.example/ko")
    async with page.expect_navigation():
        await page.locator("form[hx-post='/admin/assistant'] button").click()
    shown = await site.stack.http.get(
        "/v1/assistant/config", headers={"Authorization": f"Bearer {await site.key('안내')}"}
    )
    assert shown.json()["menu_links"] == [{"label": "고객센터", "url": "https://help.example/ko"}]
    await page.get_by_label("메뉴 링크").fill("위험 | javascript:window.hacked=1")
    await page.locator("form[hx-post='/admin/assistant'] button").click()
    await noticed(page, bad=True)
    await page.get_by_label("메뉴 링크").fill("")
    async with page.expect_navigation():
        await page.locator("form[hx-post='/admin/assistant'] button").click()


async def test_more_keys_are_a_click_away(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("열쇠", "/admin")
    tenant = site.stack.tenant
    for number in range(51):
        await site.stack.services.auth.tenants.create_key(
            tenant.tenant.id, tenant.assistant.id, f"열쇠 {number}", "열쇠"
        )
    await page.reload()
    rows = page.locator("#keys tbody tr")
    assert await page.get_by_text("열쇠 0", exact=True).count() == 0
    await rows.get_by_role("button", name="더 보기").click()
    await page.get_by_text("열쇠 0", exact=True).wait_for()
    assert await rows.count() > 51
    assert page.errors == []


async def test_an_erasure_is_shown_with_its_receipt(signed_in: SignedIn, site: Site) -> None:
    await site.remember("지움", "혈액형은 AB형이다")
    leaving = {"Authorization": f"Bearer {await site.key('지움')}"}
    member = (await site.stack.http.get("/v1/me", headers=leaving)).json()["user_id"]
    body, admin = {"member_id": member, "reason": "메일로 요청"}, site.stack.headers("eraser")
    asked = await site.stack.http.post("/v1/erasures", json=body, headers=admin)
    assert asked.status_code == 202, asked.text
    page = await signed_in("삭제담당", "/admin")
    row = page.locator("tr", has=page.locator(".receipt"))
    async with asyncio.timeout(180):
        while await row.count() == 0:
            await asyncio.sleep(0.5)
            await page.reload()
    await row.locator("summary").first.click()
    shown = await row.locator(".receipt").first.inner_text()
    assert "AB형" not in shown
    assert asked.json()["erasure_id"] in shown
    assert page.errors == []


async def test_one_plans_ones_own_erasure_and_cancels_it(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("망설임", "/memory")
    page.on("dialog", lambda dialog: dialog.accept())
    await page.get_by_role("button", name="내 데이터 모두 삭제").click()
    cancel = page.get_by_role("button", name="삭제 취소")
    await cancel.wait_for()
    await page.reload()
    await page.get_by_text("모든 데이터 삭제 예정").wait_for()
    await cancel.click()
    await page.get_by_role("button", name="내 데이터 모두 삭제").wait_for()
    headers = {"Authorization": f"Bearer {await site.key('망설임')}"}
    newest, *_ = (await site.stack.http.get("/v1/erasures", headers=headers)).json()

    assert newest["state"] == "cancelled"
    assert page.errors == []


async def test_a_secret_never_stands_beside_another_key(signed_in: SignedIn) -> None:
    page = await signed_in("비밀", "/admin")
    form = page.locator("form[hx-post='/admin/keys']")
    await form.locator("[name=name]").fill("first")
    await form.locator("[name=user]").fill("새사람")
    await form.locator("button").click()
    await expect(page.locator("#keys .secret")).to_be_visible()
    await expect(page.locator("#keys .callout")).to_contain_text("first")
    roles = await form.locator("option").evaluate_all("all => all.map(one => one.value)")
    # Made by hand: what an admin may not give is not offered.
    await form.locator("[name=role]").evaluate("one => one.add(new Option('owner', 'owner'))")
    await form.locator("[name=role]").select_option("owner")
    await form.locator("[name=name]").fill("second")
    async with page.expect_response("**/admin/keys") as refused:
        await form.locator("button").click()

    assert (await refused.value).status == 403
    assert roles == ["member", "editor", "admin"]
    await expect(page.locator("#keys .secret")).to_have_count(0)
    await expect(form.locator("[name=name]")).to_have_value("second")


async def test_questions_of_others_are_shown_for_a_reason(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("읽는이", "/usage")
    form = page.locator("form[hx-post='/usage/questions']")
    await form.locator("[name=reason]").fill("주간 점검")
    async with page.expect_response("**/usage/questions") as shown:
        await form.locator("button").click()
    events = await site.stack.services.audit.trail.events(site.stack.tenant.tenant.id, None, 20)

    assert (await shown.value).status == 200
    assert ("questions_read", "주간 점검") in [(one.event.action, one.reason) for one in events]
