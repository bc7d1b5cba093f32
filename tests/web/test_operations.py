"""Profiles and erasure in a browser."""

import pytest

from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn

expect = pytest.importorskip("playwright.async_api").expect
pytestmark = pytest.mark.requirement("CH3")


@pytest.mark.requirement("LM9")
async def test_another_profile_has_memories_of_its_own(signed_in: SignedIn, site: Site) -> None:
    await site.remember("두얼굴", "혈액형은 AB형이다")
    page = await signed_in("두얼굴", "/memory")
    await page.get_by_role("button", name="혈액형은 AB형이다", exact=True).wait_for()
    await page.get_by_role("button", name="프로필: 기본").click()
    await page.get_by_role("menuitem", name="새 프로필").click()
    await page.get_by_role("dialog").get_by_label("이름").fill("회사")
    await page.get_by_role("button", name="전환").click()
    await page.get_by_role("button", name="프로필: 회사").click()
    await page.get_by_text("아직 새긴 기억이 없습니다").wait_for()
    await page.get_by_role("menuitemradio", name="기본").click()
    await page.get_by_role("button", name="혈액형은 AB형이다", exact=True).wait_for()


async def test_one_plans_ones_own_erasure_and_cancels_it(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("망설임", "/memory")
    await page.get_by_role("button", name="내 데이터 모두 삭제").click()
    await page.get_by_role("dialog").get_by_role("button", name="내 데이터 모두 삭제").click()
    cancel = page.get_by_role("button", name="삭제 취소")
    await cancel.wait_for()
    await page.reload()
    await page.get_by_text("에 모든 데이터가 삭제됩니다").wait_for()
    await cancel.click()
    await page.get_by_role("button", name="내 데이터 모두 삭제").wait_for()
    headers = {"Authorization": f"Bearer {await site.key('망설임')}"}
    newest, *_ = (await site.stack.http.get("/v1/erasures", headers=headers)).json()

    assert newest["state"] == "cancelled"
    assert page.errors == []
