"""The chat page in a browser: from the entrance to a cited answer, and all that goes wrong."""

import asyncio
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from saegim.auth.types import ActAs
from saegim.domain.scope import Role
from tests.web.browser_fixture import GOES_ON, PATIENCE, SLOW, Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask, composer, settled

pytestmark = pytest.mark.requirement("CH3")

WORDS = "".join(SLOW).split()


async def test_from_the_first_visit_to_a_cited_answer(browser: Any, site: Site) -> None:
    page = await browser.new_page(locale="ko-KR")
    page.set_default_timeout(PATIENCE)
    await page.goto(f"{site.url}/chat")
    assert page.url.startswith(f"{site.url}/sign-in")
    await page.context.add_cookies(
        [{"name": "saegim", "value": await site.cookie("처음", Role.MEMBER), "url": site.url}]
    )
    await page.goto(f"{site.url}/chat")
    turn = await ask(page, "EC2 비용 줄이는 방법?")

    assert await turn.locator("table").count() == 1
    await turn.locator(".cite", has_text="1").first.click()
    panel = page.get_by_role("dialog", name="EC2 비용 절감 안내서")
    await panel.locator("mark").wait_for()
    assert "할인" in (await panel.locator("mark").inner_text())
    link = panel.get_by_role("link", name="문서고에서 열기")
    assert "passage=" in (await link.get_attribute("href") or "")
    await page.context.close()


async def test_why_this_answer_begins_with_a_sentence_and_has_tabs(signed_in: SignedIn) -> None:
    page = await signed_in("이유")
    turn = await ask(page, "EC2 비용 줄이는 방법?")
    await turn.get_by_role("button", name="왜 이렇게 답했나요?").click()
    panel = page.get_by_role("dialog", name="왜 이렇게 답했나요?")
    await panel.get_by_text("인용했습니다").wait_for()
    await panel.get_by_text("EC2 비용 절감 안내서").first.wait_for()
    everything = await panel.locator("li").count()
    await panel.get_by_role("switch", name="사용한 것만").click()
    assert 0 < await panel.locator("li").count() < everything
    for tab, text in (("프롬프트", "토큰"), ("소요 시간", "ms"), ("비용", "scripted")):
        await panel.get_by_role("tab", name=tab).click()
        await panel.get_by_role("tabpanel").get_by_text(text).first.wait_for()
    await page.keyboard.press("Escape")
    await panel.wait_for(state="hidden")


@pytest.fixture
def goes_on() -> Iterator[asyncio.Event]:
    """Keeps a slow answer unfinished until the event is set."""
    GOES_ON.clear()
    yield GOES_ON
    GOES_ON.set()


@pytest.mark.usefixtures("goes_on")
async def test_an_answer_is_stopped_with_escape(signed_in: SignedIn) -> None:
    page = await signed_in("멈춤")
    await composer(page).fill("천천히 세어 줘")
    await page.keyboard.press("Enter")
    await page.locator(".answer", has_text="셋").wait_for()
    await page.keyboard.press("Escape")
    await settled(page)

    turn = page.locator(".turn").first
    assert "멈췄습니다" in await turn.inner_text()
    assert (await turn.locator(".answer").inner_text()).split() != WORDS
    await turn.get_by_role("button", name="이어서 답변하기").wait_for()


@pytest.mark.bug(6)
async def test_an_answer_that_was_stopped_continues_in_place(
    signed_in: SignedIn, goes_on: asyncio.Event
) -> None:
    page = await signed_in("이어서")
    await composer(page).fill("천천히 세어 줘")
    await page.keyboard.press("Enter")
    await page.locator(".answer", has_text="셋").wait_for()
    await page.get_by_role("button", name="멈추기").click()
    await settled(page)
    goes_on.set()
    before = await page.locator(".answer").inner_text()
    await page.get_by_role("button", name="이어서 답변하기").click()
    await page.wait_for_function(
        "length => document.querySelector('.answer').innerText.length > length", arg=len(before)
    )
    await settled(page)
    for _ in range(2):
        assert await page.locator(".turn").count() == 1
        assert await page.locator(".bubble").all_inner_texts() == ["천천히 세어 줘"]
        assert len(await page.locator(".answer").inner_text()) > len(before)
        await page.reload()
        await page.locator(".answer").wait_for()


async def test_a_reload_in_the_middle_of_a_stream_goes_on(
    signed_in: SignedIn, goes_on: asyncio.Event
) -> None:
    page = await signed_in("새로고침")
    await composer(page).fill("천천히 세어 줘")
    await page.keyboard.press("Enter")
    await page.locator(".answer", has_text="다섯").wait_for()
    await page.reload()
    await page.locator(".answer", has_text="하나").wait_for()
    goes_on.set()
    await settled(page)

    # A note says that the answer cites no document.
    assert (await page.locator(".answer").inner_text()).split()[: len(WORDS)] == WORDS
    assert await page.locator(".turn").count() == 1


@pytest.mark.bug(5)
async def test_a_stream_that_breaks_says_so_at_once_and_is_picked_up(
    signed_in: SignedIn, goes_on: asyncio.Event
) -> None:
    page = await signed_in("끊김")
    await composer(page).fill("천천히 세어 줘")
    await page.keyboard.press("Enter")
    await page.locator(".answer", has_text="셋").wait_for()
    await page.context.set_offline(True)
    # Before the page would notice that it hears nothing, which takes 14 s.
    await page.get_by_text("연결이 끊겼습니다. 다시 연결하는 중…").wait_for(timeout=12_000)
    await page.context.set_offline(False)
    goes_on.set()
    await settled(page)

    assert (await page.locator(".answer").inner_text()).split()[: len(WORDS)] == WORDS
    await page.get_by_text("연결이 끊겼습니다").wait_for(state="hidden")


@pytest.mark.bug(5)
async def test_a_message_that_cannot_be_sent_is_kept_and_sent_again(signed_in: SignedIn) -> None:
    page = await signed_in("끊긴 서버")
    await page.route("**/v1/chat", lambda route: route.abort())
    await composer(page).fill("점심 뭐 먹지?")
    await page.keyboard.press("Enter")
    await page.get_by_text("연결이 끊겼습니다").wait_for()
    await page.get_by_role("alert").get_by_text("서버에 연결할 수 없습니다").wait_for()
    assert await page.locator(".bubble").inner_text() == "점심 뭐 먹지?"
    await page.unroute("**/v1/chat")
    await page.get_by_role("button", name="다시 시도").click()
    await page.locator(".answer", has_text="메뉴").wait_for()
    assert await page.locator(".turn").count() == 1


async def test_two_tabs_show_the_same_conversation(signed_in: SignedIn) -> None:
    page = await signed_in("두창")
    await ask(page, "EC2 비용 줄이는 방법?")
    other = await page.context.new_page()
    await other.goto(page.url)
    await other.locator(".turn").wait_for()
    await ask(other, "점심 뭐 먹지?")
    await page.locator(".turn").nth(1).wait_for()

    assert "메뉴" in await page.locator(".turn").nth(1).inner_text()
    listed = page.get_by_role("navigation", name="지난 대화").get_by_role("link")
    assert await listed.count() == 1
    assert await listed.get_attribute("aria-current") == "page"


async def test_an_ended_sign_in_keeps_the_message_and_leads_back(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("만료")
    await composer(page).wait_for()
    await page.context.clear_cookies()
    await composer(page).fill("아직 보내지 못한 말")
    await page.keyboard.press("Enter")
    await page.get_by_role("link", name="다시 로그인").click()
    await page.wait_for_url("**/sign-in?**")
    await page.context.add_cookies(
        [{"name": "saegim", "value": await site.cookie("만료"), "url": site.url}]
    )
    await page.goto(f"{site.url}/chat")
    await composer(page).wait_for()

    assert await composer(page).input_value() == "아직 보내지 못한 말"


async def test_a_draft_survives_a_reload(signed_in: SignedIn) -> None:
    page = await signed_in("초안")
    await composer(page).fill("쓰다 만 글")
    await page.reload()
    await composer(page).wait_for()
    assert await composer(page).input_value() == "쓰다 만 글"


@pytest.mark.bug(9)
async def test_thumbs_and_a_correction_are_kept_over_a_reload(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("평가")
    turn = await ask(page, "EC2 비용 줄이는 방법?")
    await turn.get_by_role("button", name="아쉬운 답변").click()
    await turn.get_by_placeholder("어떤 답변이 맞았을까요?").fill("Savings Plan도 있습니다")
    await turn.get_by_role("button", name="관리자에게 이 질문 보내기").click()
    await page.get_by_text("의견 고맙습니다").first.wait_for()
    await page.reload()
    pressed = page.get_by_role("button", name="아쉬운 답변")
    await pressed.wait_for()
    assert await pressed.get_attribute("aria-pressed") == "true"
    await page.get_by_text("Savings Plan도 있습니다").wait_for()
    async with page.expect_response(re.compile("/feedback$")):
        await page.get_by_role("button", name="보내기 취소").click()
    await page.get_by_text("Savings Plan도 있습니다").wait_for(state="detached")

    caller = await site.stack.services.auth.authentication.authenticate(
        await site.key("평가"), ActAs()
    )
    scope, feedback = caller.scope, site.stack.services.chat.feedback_repository
    found = await feedback.unanswered(
        scope.tenant, caller.assistant, site.stack.services.clock.now() - timedelta(days=1), 50
    )
    assert [(one.correction, one.shared) for one in found if one.thumb == "down"] == [(None, False)]


@pytest.mark.bug(10)
async def test_a_temporary_chat_remembers_nothing_and_stays_marked(signed_in: SignedIn) -> None:
    page = await signed_in("임시")
    await page.get_by_role("button", name="임시 대화").click()
    await ask(page, "나는 부산에 살아. 기억해 줘.")
    await page.get_by_text("임시 대화: 기억하지 않습니다").wait_for()
    await page.reload()
    await page.get_by_text("임시 대화: 기억하지 않습니다").wait_for()
    # A conversation that was remembered so far cannot claim otherwise.
    await page.get_by_role("link", name="새 대화").first.click()
    await ask(page, "점심 뭐 먹지?")
    assert await page.get_by_role("button", name="임시 대화").count() == 0


async def test_keys_of_the_keyboard_reach_everything(signed_in: SignedIn) -> None:
    page = await signed_in("자판")
    await ask(page, "EC2 비용 줄이는 방법?")
    await page.locator(".cite").first.focus()
    await page.locator("[popover]").get_by_text("EC2 비용 절감 안내서").wait_for()
    await page.keyboard.press("Enter")
    await page.get_by_role("dialog").locator("mark").wait_for()
    assert await page.evaluate("document.activeElement.closest('dialog') !== null")
    await page.keyboard.press("Escape")
    await page.wait_for_function("() => document.activeElement.classList.contains('cite')")
