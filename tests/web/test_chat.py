"""The chat page in a browser: from the entrance to a cited answer, and all that goes wrong."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from saegim.auth.types import ActAs
from saegim.domain.scope import Role
from tests.web.browser_fixture import GOES_ON, PATIENCE, SLOW, Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask, noticed, settled

pytestmark = pytest.mark.requirement("CH3")


async def test_from_the_first_visit_to_a_cited_answer(browser: Any, site: Site) -> None:
    page = await browser.new_page(locale="ko-KR")
    page.set_default_timeout(PATIENCE)
    await page.goto(site.url)
    assert page.url.startswith(f"{site.url}/sign-in")

    await page.get_by_label("API 키").fill("sgm_wrong")
    await page.get_by_role("button", name="로그인").click()
    await page.get_by_role("alert").wait_for()

    await page.get_by_label("API 키").fill(await site.key("처음", Role.MEMBER))
    await page.get_by_role("button", name="로그인").click()
    await page.wait_for_url(f"{site.url}/chat")
    turn = await ask(page, "EC2 비용 줄이는 방법?")

    assert await turn.locator("table").count() == 1
    await turn.locator(".cite", has_text="1").first.click()
    drawer = page.locator("#drawer")
    await drawer.locator(".cited").wait_for()
    assert "할인" in (await drawer.inner_text())
    cookies = {one["name"]: one for one in await page.context.cookies()}
    assert cookies["saegim"]["httpOnly"]
    assert cookies["saegim"]["sameSite"] == "Lax"
    assert (await site.key("처음")) not in cookies["saegim"]["value"]
    await page.context.close()


async def test_why_this_answer_shows_route_items_and_times(signed_in: SignedIn) -> None:
    page = await signed_in("이유")
    turn = await ask(page, "EC2 비용 줄이는 방법?")
    await turn.locator("[data-act=why]").click()
    drawer = page.locator("#drawer")
    await drawer.get_by_text("소요 시간").wait_for()
    shown = await drawer.inner_text()

    assert "EC2 비용 절감 안내서" in shown
    assert "경로" in shown
    assert "토큰" in shown
    assert await drawer.locator(".item.used meter").count() >= 1
    assert await drawer.locator(".span").count() >= 4
    await page.keyboard.press("Escape")
    assert await drawer.is_hidden()
    assert page.errors == []


@pytest.fixture
def goes_on() -> Iterator[asyncio.Event]:
    """Keeps a slow answer unfinished until the event is set."""
    GOES_ON.clear()
    yield GOES_ON
    GOES_ON.set()


@pytest.mark.usefixtures("goes_on")
async def test_an_answer_can_be_stopped_and_gone_on_with(signed_in: SignedIn) -> None:
    page = await signed_in("멈춤")
    await page.get_by_role("textbox", name="메시지를 입력하세요").fill("천천히 세어 줘")
    await page.keyboard.press("Enter")
    await page.locator(".answer", has_text="셋").wait_for()
    await page.get_by_role("button", name="멈추기").click()
    await settled(page)

    turn = page.locator(".turn").first
    assert "멈췄습니다" in await turn.inner_text()
    assert await turn.get_by_role("button", name="이어서 답변하기").is_visible()
    assert (await turn.locator(".answer").inner_text()).split() != " ".join(SLOW).split()


async def test_a_reload_in_the_middle_of_a_stream_goes_on(
    signed_in: SignedIn, goes_on: asyncio.Event
) -> None:
    page = await signed_in("새로고침")
    await page.get_by_role("textbox", name="메시지를 입력하세요").fill("천천히 세어 줘")
    await page.keyboard.press("Enter")
    await page.locator(".answer", has_text="다섯").wait_for()
    await page.reload()
    await page.locator(".answer", has_text="하나").wait_for()
    goes_on.set()
    await settled(page)

    # A note says that the answer cites no document.
    words = "".join(SLOW).split()
    assert (await page.locator(".answer").inner_text()).split()[: len(words)] == words
    assert await page.locator(".turn").count() == 1


async def test_a_stream_that_breaks_is_picked_up(
    signed_in: SignedIn, goes_on: asyncio.Event
) -> None:
    page = await signed_in("끊김")
    await page.get_by_role("textbox", name="메시지를 입력하세요").fill("천천히 세어 줘")
    await page.keyboard.press("Enter")
    await page.locator(".answer", has_text="셋").wait_for()
    await page.context.set_offline(True)
    await asyncio.sleep(0.3)
    await page.context.set_offline(False)
    goes_on.set()
    await settled(page)

    # A note says that the answer cites no document.
    words = "".join(SLOW).split()
    assert (await page.locator(".answer").inner_text()).split()[: len(words)] == words


async def test_two_tabs_show_the_same_conversation(signed_in: SignedIn) -> None:
    page = await signed_in("두창")
    await ask(page, "EC2 비용 줄이는 방법?")
    other = await page.context.new_page()
    await other.goto(page.url)
    await other.locator(".turn").wait_for()
    await ask(other, "점심 뭐 먹지?")
    await page.locator(".turn").nth(1).wait_for()

    assert "메뉴" in await page.locator(".turn").nth(1).inner_text()
    assert await page.locator(".threads li").count() == 1
    assert await page.locator(".threads [aria-current=page]").count() == 1


async def test_an_ended_sign_in_keeps_the_message_and_leads_back(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("만료")
    await page.context.clear_cookies()
    await page.get_by_role("textbox", name="메시지를 입력하세요").fill("아직 보내지 못한 말")
    await page.keyboard.press("Enter")
    await page.get_by_role("link", name="다시 로그인").click()
    await page.get_by_label("API 키").fill(await site.key("만료"))
    await page.get_by_role("button", name="로그인").click()
    field = page.get_by_role("textbox", name="메시지를 입력하세요")
    await field.wait_for()

    assert await field.input_value() == "아직 보내지 못한 말"


async def test_thumbs_and_a_correction_are_kept(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("평가")
    turn = await ask(page, "EC2 비용 줄이는 방법?")
    await turn.get_by_role("button", name="아쉬운 답변").click()
    await turn.get_by_placeholder("어떤 답변이 맞았을까요?").fill("Savings Plan도 있습니다")
    await turn.locator(".correction button").click()
    await noticed(page)

    caller = await site.stack.services.auth.authentication.authenticate(
        await site.key("평가"), ActAs()
    )
    found = await site.stack.services.chat.feedback.unanswered(caller, "a test", 1, 50)
    assert [one.correction for one in found if one.thumb == "down"] == ["Savings Plan도 있습니다"]


async def test_a_temporary_chat_remembers_nothing(signed_in: SignedIn) -> None:
    page = await signed_in("임시")
    await page.get_by_role("button", name="임시 대화").click()
    await ask(page, "나는 부산에 살아. 기억해 줘.")
    await page.goto(page.url.split("/chat")[0] + "/memory")

    assert "아직 새긴 기억이 없습니다" in await page.locator("#memories").inner_text()
    await page.goto(page.url.split("/memory")[0] + "/chat")
    assert "임시 대화" in await page.locator(".threads").inner_text()


async def test_keys_of_the_keyboard_reach_everything(signed_in: SignedIn) -> None:
    page = await signed_in("자판")
    await ask(page, "EC2 비용 줄이는 방법?")
    await page.locator(".cite").first.focus()
    await page.keyboard.press("Enter")
    await page.locator("#drawer .cited").wait_for()
    assert await page.evaluate("document.activeElement.closest('#drawer') !== null")
    await page.keyboard.press("Escape")
    assert await page.evaluate("document.activeElement.classList.contains('cite')")
