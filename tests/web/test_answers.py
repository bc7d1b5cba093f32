"""Answers in the browser: rendering while they arrive, variants, branches and files."""

from typing import Any

import pytest

from tests.web.accessibility import findings
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask, composer, settled

pytestmark = pytest.mark.requirement("CH3")
expect = pytest.importorskip("playwright.async_api").expect

PHONE = {"width": 390, "height": 844}
SELECT = """(selector) => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(selector));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
}"""


@pytest.mark.bug(2)
async def test_tables_code_tasks_and_maths_on_a_phone(signed_in: SignedIn) -> None:
    page = await signed_in("모양", viewport=PHONE)
    turn = await ask(page, "정산 결과를 보여 줘")
    number = turn.locator("td", has_text="16,690,000")
    assert await number.evaluate("cell => getComputedStyle(cell).textAlign") == "right"
    # One line of text, however narrow the page is.
    assert await number.evaluate("cell => getComputedStyle(cell).whiteSpace") == "nowrap"
    scrolls = "box => box.scrollWidth > box.clientWidth && box.tabIndex === 0"
    assert await turn.locator(".table").evaluate(scrolls)
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    boxes = turn.locator("li input[type=checkbox]")
    assert await boxes.evaluate_all("all => all.map((box) => [box.checked, box.disabled])") == [
        [True, True],
        [False, True],
    ]
    await turn.locator("pre .hljs-keyword").first.wait_for()
    await turn.locator("math").first.wait_for()
    assert "$5와 $10" in await turn.locator(".answer").inner_text()
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await turn.get_by_role("button", name="코드 복사").click()
    await turn.get_by_role("button", name="복사했습니다").wait_for()
    assert "return sum(prices)" in await page.evaluate("navigator.clipboard.readText()")


@pytest.mark.bug(21)
@pytest.mark.parametrize(
    ("message", "selected", "counted"),
    [
        ("아주 길게 써 줘", ".answer p", ".answer p"),
        ("목록으로 써 줘", ".answer li", ".answer li"),
        ("표로 써 줘", ".answer td", ".answer tr"),
    ],
)
async def test_a_selection_survives_while_the_answer_grows(
    signed_in: SignedIn, message: str, selected: str, counted: str
) -> None:
    page = await signed_in("선택")
    await composer(page).fill(message)
    await page.keyboard.press("Enter")
    # Once a second one follows, the markup of the first is complete.
    await page.locator(selected).nth(1).wait_for()
    await page.evaluate(SELECT, selected)
    text = await page.evaluate("getSelection().toString()")
    before = await page.locator(counted).count()
    await page.wait_for_function(
        "([counted, before]) => document.querySelectorAll(counted).length > before + 15",
        arg=[counted, before],
    )
    assert text
    assert (await page.evaluate("getSelection().toString()")).startswith(text)
    await settled(page)
    assert (await page.evaluate("getSelection().toString()")).startswith(text)


@pytest.mark.bug(6)
async def test_another_answer_is_a_variant_and_both_are_kept(signed_in: SignedIn) -> None:
    page = await signed_in("여러답")
    turn = await ask(page, "EC2 비용 줄이는 방법?")
    await turn.get_by_role("button", name="다시 답변하기").click()
    await page.get_by_text("2 / 2").wait_for()
    await settled(page)
    assert await page.locator(".turn").count() == 1, "the question is not repeated"
    assert await page.get_by_role("group", name="이 질문의 답변").count() == 1
    assert await page.get_by_role("group", name="질문 버전").count() == 0
    await page.get_by_role("button", name="이전 버전").click()
    await page.get_by_text("1 / 2").wait_for()
    await page.reload()
    await page.get_by_text("1 / 2").wait_for()
    assert await page.locator(".turn").count() == 1
    assert page.errors == []


async def test_an_edited_message_begins_a_branch(signed_in: SignedIn) -> None:
    page = await signed_in("고침")
    await ask(page, "EC2 비용 줄이는 방법?")
    await ask(page, "점심 뭐 먹지?")
    first = page.locator(".turn").first
    await first.locator(".bubble").hover()
    await first.get_by_role("button", name="메시지 수정").click()
    await first.get_by_role("textbox", name="메시지 수정").fill("정산 결과를 보여 줘")
    await first.get_by_role("button", name="보내기").click()
    await page.locator(".answer", has_text="16,690,000").wait_for()
    await settled(page)
    assert await page.locator(".bubble").all_inner_texts() == ["정산 결과를 보여 줘"]
    edits = page.get_by_role("group", name="질문 버전")
    assert "2 / 2" in await edits.inner_text()
    assert await page.get_by_role("group", name="이 질문의 답변").count() == 0
    await edits.get_by_role("button", name="이전 버전").click()
    await page.locator(".bubble").nth(1).wait_for()
    assert await page.locator(".bubble").all_inner_texts() == [
        "EC2 비용 줄이는 방법?",
        "점심 뭐 먹지?",
    ]


@pytest.mark.bug(14)
async def test_sources_are_shown_on_every_turn_after_a_reload(signed_in: SignedIn) -> None:
    page = await signed_in("출처")
    for _ in range(2):
        await ask(page, "EC2 비용 줄이는 방법?")
    await page.reload()
    await page.locator(".turn").nth(1).wait_for()
    for turn in await page.locator(".turn").all():
        sources = turn.get_by_role("list", name="출처").get_by_role("button")
        assert await sources.count() == 2
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="복사", exact=True).last.click()
    await page.get_by_text("출처와 함께 복사했습니다").wait_for()
    assert "[1] EC2 비용 절감 안내서" in await page.evaluate("navigator.clipboard.readText()")


@pytest.mark.bug(11)
async def test_a_memory_is_cited_by_its_words(signed_in: SignedIn, site: Site) -> None:
    content = "호두 알레르기가 있다. 그래서 호두과자와 호두파이, 그리고 호두가 든 빵은 먹지 않는다"
    made = await site.remember("기억출처", content, "constraint", pinned=True)
    page = await signed_in("기억출처")
    turn = await ask(page, "점심 뭐 먹지?")
    source = turn.get_by_role("list", name="출처").get_by_role("button").first
    heights = [
        await source.locator(part).evaluate("one => one.offsetHeight") for part in ("b", "span")
    ]
    assert heights[0] <= heights[1], "a long title does not break the marker"
    await source.click()
    panel = page.get_by_role("dialog")
    await panel.get_by_text("호두 알레르기가 있다").first.wait_for()
    link = panel.get_by_role("link", name="이 기억 수정하기")
    assert await link.get_attribute("href") == f"/memory?id={made}"


@pytest.mark.requirement("LM11", "CH3")
async def test_what_an_answer_did_to_memory_is_shown_and_undone(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("되돌림")
    turn: Any = await ask(page, "나는 부산에 살아. 기억해 줘.")
    line = turn.get_by_role("status").get_by_text("기억함: 나는 부산에 살아")
    await line.wait_for()
    await ask(page, "점심 뭐 먹지?")
    await page.reload()
    await line.wait_for()

    undo = turn.get_by_role("button", name="되돌리기")
    assert await findings(page) == []
    await undo.focus()
    await page.keyboard.press("Enter")
    undone = turn.get_by_role("status").get_by_text("되돌림", exact=True)
    await undone.wait_for()
    # The button, which had the focus, is gone.
    await expect(turn.get_by_role("status")).to_be_focused()
    await page.reload()
    await undone.wait_for()
    await expect(undo).to_have_count(0)
    await page.goto(f"{site.url}/memory")
    await page.get_by_text("아직 새긴 기억이 없습니다").wait_for()


@pytest.mark.bug(22)
async def test_enter_breaks_the_line_on_a_touch_screen(signed_in: SignedIn) -> None:
    page = await signed_in("터치", viewport=PHONE, has_touch=True, is_mobile=True)
    await composer(page).tap()
    await page.keyboard.type("one")
    await page.keyboard.press("Enter")
    await page.keyboard.type("two")
    assert await composer(page).input_value() == "one\ntwo"
    assert await page.locator(".turn").count() == 0
    await page.get_by_role("button", name="보내기").tap()
    await page.locator(".turn").wait_for()


async def test_a_sent_message_is_shown_at_the_end(signed_in: SignedIn) -> None:
    page = await signed_in("끝까지", viewport={"width": 390, "height": 700})
    for _ in range(2):
        turn = await ask(page, "정산 결과를 보여 줘")
    await page.locator(".turn").first.scroll_into_view_if_needed()
    await page.get_by_role("button", name="맨 아래로 이동").wait_for()
    turn = await ask(page, "EC2 비용 줄이는 방법?")
    why = turn.get_by_role("button", name="왜 이렇게 답했나요?")
    await expect(why).to_be_in_viewport()
    await expect(page.get_by_role("button", name="맨 아래로 이동")).to_have_count(0)
    box = await why.bounding_box()
    assert box is not None
    assert box["y"] < 700
