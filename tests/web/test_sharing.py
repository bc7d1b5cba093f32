"""A conversation that is shared by link, and questions to go on with."""

from typing import Any

import pytest

from tests.web.accessibility import findings
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask, composer
from tests.web.test_conversations import choose, conversations

pytestmark = pytest.mark.requirement("CH3", "CH11")


async def test_a_member_reads_what_was_shared_until_it_is_stopped(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("나눔")
    await ask(page, "EC2 비용 줄이는 방법?")
    await choose(page, "공유")
    dialog = page.get_by_role("dialog", name="대화 공유")
    await dialog.get_by_role("button", name="링크 만들기").click()
    link = await dialog.get_by_role("group", name="링크").locator("code").inner_text()
    await dialog.get_by_role("button", name="닫기").click()
    await conversations(page).get_by_text("공유됨").wait_for(state="attached")
    await ask(page, "고마워요")

    reader = await signed_in("읽는이", link.removeprefix(site.url))
    await reader.get_by_role("heading", name="EC2 비용 줄이는 방법").wait_for()
    await reader.get_by_text("나눔 님이").wait_for()
    turns = reader.locator(".turn")
    assert await turns.count() == 1
    assert await reader.get_by_role("button", name="다시 답변하기").count() == 0
    assert await composer(reader).count() == 0
    await turns.get_by_role("list", name="출처").get_by_role("button").first.click()
    await reader.get_by_role("dialog").locator("mark").first.wait_for()
    await reader.keyboard.press("Escape")
    assert await findings(reader) == []

    await choose(page, "공유")
    await dialog.get_by_role("button", name="지금까지 다시 공유").click()
    await page.get_by_text("이제 링크에서 지금까지의 대화가 보입니다.").wait_for()
    await reader.reload()
    await turns.nth(1).wait_for()
    await dialog.get_by_role("button", name="공유 중지").click()
    await dialog.get_by_role("button", name="링크 만들기").wait_for()
    await reader.reload()
    await reader.get_by_role("heading", name="사용할 수 없는 링크입니다").wait_for()
    assert page.errors == []


async def test_questions_to_go_on_with_are_below_the_last_answer(signed_in: SignedIn) -> None:
    page = await signed_in("이어서")
    await ask(page, "EC2 비용 줄이는 방법?")
    group = page.get_by_role("group", name="이어서 물어볼 질문")
    question = await _text(group.get_by_role("button").first)
    await group.get_by_role("button").first.click()
    await page.locator(".turn").nth(1).wait_for()

    assert question in await page.locator(".turn").nth(1).inner_text()
    assert await group.count() == 0
    assert await findings(page) == []


async def _text(button: Any) -> str:
    await button.wait_for()
    return (await button.inner_text()).strip()
