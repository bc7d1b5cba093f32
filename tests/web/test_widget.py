"""The widget on a page of another origin: a token, an answer, and nothing of each other's."""

import gzip
from typing import Any

import httpx2
import pytest

from tests.web.accessibility import findings
from tests.web.browser_fixture import EVIL, PATIENCE, Site
from tests.web.conftest import SignedIn
from tests.web.hosting import ask, hosted, opened, settled, visited

pytestmark = pytest.mark.requirement("CH10")

QUESTION = "EC2 비용 줄이는 방법?"
LARGEST_BYTES = 60_000
PANEL = "saegim-widget [role=dialog]"


async def test_a_visitor_of_another_product_gets_an_answer(browser: Any, site: Site) -> None:
    async with hosted(site) as host, opened(browser, host) as page:
        turn = await ask(page, QUESTION)
        await turn.get_by_role("button", name="출처 1").first.click()
        cited = page.locator("mark")
        await cited.wait_for()

        assert "할인" in await cited.inner_text()
        assert host.minted == 1
        assert await page.context.cookies(site.url) == [], "no cookie of ours on another's page"
        style = "e => [getComputedStyle(e).color, getComputedStyle(e).fontSize]"
        color, size = await cited.locator("p").first.evaluate(style)
        assert color != "rgb(255, 0, 0)", "the host's style stays outside"
        assert float(size.removesuffix("px")) >= 14, "the host's root font size too"
        assert page.errors == []


async def test_it_works_under_the_strict_policy_of_a_host(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        host.head = ""
        host.policy = (
            f"default-src 'none'; script-src {site.url}; connect-src 'self' {site.url};"
            " style-src 'none'; img-src 'self'"
        )
        async with opened(browser, host) as page:
            await ask(page, QUESTION)
            box = await page.locator(PANEL).bounding_box()

            assert box["width"] == 400, "it has its styles"
            assert page.errors == []


async def test_what_was_remembered_is_undone_in_the_widget(browser: Any, site: Site) -> None:
    async with hosted(site) as host, opened(browser, host) as page:
        turn = await ask(page, "나는 부산에 살아")
        await turn.get_by_text("기억함: 나는 부산에 살아").wait_for()
        await turn.get_by_role("button", name="되돌리기").click()
        await turn.get_by_text("되돌림", exact=True).wait_for()
        assert page.errors == []


@pytest.mark.bug(20)
async def test_a_conversation_is_kept_over_page_loads(browser: Any, site: Site) -> None:
    async with hosted(site) as host, opened(browser, host) as page:
        host.user = "returning"
        await page.reload()
        await ask(page, "안녕하세요, 처음 왔어요")
        await page.reload()
        turn = page.get_by_role("article", name="안녕하세요, 처음 왔어요")
        await turn.wait_for()
        assert await page.locator(PANEL).is_visible(), "it is still open"
        await ask(page, "또 왔어요")
        assert await page.get_by_role("article").count() == 2

        host.user = "another"
        await page.reload()
        await settled(page)
        await page.get_by_role("heading", name="무엇을 도와드릴까요?").wait_for()
        assert await page.get_by_role("article").count() == 0, "it belongs to one user"


async def test_an_answer_goes_on_after_a_page_load(browser: Any, site: Site) -> None:
    async with hosted(site) as host, opened(browser, host) as page:
        host.user = "midway"
        await page.reload()
        field = page.get_by_role("textbox", name="메시지를 입력하세요")
        await field.fill("천천히 세어 줘")
        await field.press("Enter")
        await page.get_by_text("하나 둘").first.wait_for()
        await page.reload()
        await settled(page)
        assert (await page.get_by_role("article").inner_text()).count("열") >= 4


async def test_a_new_chat_starts_with_the_starters_of_the_host(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        host.user = "starting"
        host.attributes += f' data-starters="{QUESTION} | 요금은 얼마인가요?"'
        async with opened(browser, host) as page:
            await page.get_by_role("button", name=QUESTION).click()
            await page.get_by_role("article", name=QUESTION).wait_for()
            await settled(page)
            await page.get_by_role("button", name="새 대화").click()
            await page.get_by_role("button", name="요금은 얼마인가요?").wait_for()
            assert await page.get_by_role("article").count() == 0
            await page.reload()
            await page.get_by_role("button", name="요금은 얼마인가요?").wait_for()


@pytest.mark.bug(20)
async def test_escape_closes_the_innermost_layer(browser: Any, site: Site) -> None:
    async with hosted(site) as host, opened(browser, host) as page:
        turn = await ask(page, QUESTION)
        marker = turn.get_by_role("button", name="출처 1").first
        await marker.focus()
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="대화로 돌아가기").wait_for()
        await page.keyboard.press("Escape")
        assert await page.get_by_role("button", name="대화로 돌아가기").count() == 0
        assert await page.locator(PANEL).is_visible()
        assert await marker.evaluate("e => e.getRootNode().activeElement === e")
        await page.keyboard.press("Escape")
        assert not await page.locator(PANEL).is_visible()
        launcher = page.get_by_role("button", name="대화 열기")
        assert await launcher.evaluate("e => e.getRootNode().activeElement === e")


@pytest.mark.bug(20)
async def test_a_refused_token_ends_in_words_with_a_retry(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        host.token_status = 403
        async with opened(browser, host) as page:
            alert = page.get_by_role("alert")
            await alert.wait_for()
            assert "다시 로그인하세요" in await alert.inner_text()
            host.token_status = 500
            await page.get_by_role("button", name="다시 시도").click()
            await page.get_by_text("잠시 후 다시 시도하세요").wait_for()
            host.token_status = 200
            await page.get_by_role("button", name="다시 시도").click()
            await page.get_by_role("heading", name="무엇을 도와드릴까요?").wait_for()


async def test_an_unreachable_server_ends_in_words_with_a_retry(browser: Any, site: Site) -> None:
    async with hosted(site) as host, visited(browser, host) as page:
        await page.context.route(f"{site.url}/v1/**", lambda route: route.abort())
        await page.get_by_role("button", name="대화 열기").click()
        await page.get_by_role("alert").get_by_text("서버에 연결할 수 없습니다").wait_for()
        await page.context.unroute(f"{site.url}/v1/**")
        await page.get_by_role("button", name="다시 시도").click()
        await ask(page, "안녕하세요")


async def test_an_expired_token_is_renewed(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        host.seconds = 15
        async with opened(browser, host) as page:
            await ask(page, "안녕하세요")
            await page.wait_for_timeout(15_200)
            await ask(page, "또 왔어요")
            assert host.minted >= 2


async def test_it_stands_in_the_page_where_the_host_wants_it(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        host.attributes += ' data-mode="inline" data-target="#place"'
        async with visited(browser, host) as page:
            await page.locator("#place > saegim-widget").wait_for()
            await page.get_by_role("region", name="도우미").wait_for()
            turn = await ask(page, QUESTION)
            assert await page.get_by_role("button", name="대화 열기").count() == 0
            assert await page.get_by_role("button", name="대화 닫기").count() == 0
            await turn.get_by_role("button", name="출처 1").first.click()
            await page.keyboard.press("Escape")
            await page.keyboard.press("Escape")
            assert await page.get_by_role("region", name="도우미").is_visible()


async def test_two_tags_are_two_chats(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        tag = f'<script src="{site.url}/widget.js" data-token-url="/token" defer'
        host.head += f'{tag} data-mode="inline" data-target="#place"></script>'
        # The same tag once more, as pages that load parts again do.
        host.head += f'{tag} data-mode="inline" data-target="#place"></script>'
        async with visited(browser, host) as page:
            inline = page.get_by_role("region")
            await inline.get_by_role("textbox").fill("안녕하세요")
            await inline.get_by_role("textbox").press("Enter")
            await inline.get_by_role("article", name="안녕하세요").wait_for()
            await page.get_by_role("button", name="대화 열기").click()
            await page.locator(PANEL).get_by_role("textbox").wait_for()
            assert await page.locator("saegim-widget").count() == 2
            assert await page.locator(PANEL).get_by_role("article").count() == 0
            assert page.errors == []


async def test_the_host_page_can_drive_it(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        host.user = "called"
        host.head += f"""<script>
            window.heard = [];
            window.Saegim = [];
            for (const event of ["ready", "open", "close", "sent", "answered"])
                Saegim.push(["on", event, (told) => heard.push([event, told])]);
            Saegim.push(["ask", "{QUESTION}"]);
        </script>"""
        async with visited(browser, host) as page:
            await page.get_by_role("article", name=QUESTION).wait_for()
            await settled(page)
            await page.evaluate("Saegim.close()")
            assert not await page.locator(PANEL).is_visible()
            await page.evaluate("Saegim.open()")
            assert await page.locator(PANEL).is_visible()
            await page.evaluate("Saegim.newChat()")
            await page.get_by_role("heading", name="무엇을 도와드릴까요?").wait_for()
            heard = await page.evaluate("heard")

        events = [event for event, _ in heard]
        assert events == ["open", "sent", "ready", "answered", "close", "open"] or events == [
            "open", "ready", "sent", "answered", "close", "open",
        ]  # fmt: skip
        answered = dict(heard)["answered"]
        assert set(answered) == {"sessionId", "turnId"}, "ids, not what was said"


@pytest.mark.bug(20)
@pytest.mark.parametrize(
    ("theme", "accent"),
    [
        ("light", "#ffe600"),
        ("dark", "#2457c5"),
        pytest.param("light", "#2457c5", marks=pytest.mark.long),
        pytest.param("dark", "#ffe600", marks=pytest.mark.long),
        pytest.param("light", "oklch(0.7 0.2 150)", marks=pytest.mark.long),
        pytest.param("dark", "oklch(0.7 0.2 150)", marks=pytest.mark.long),
    ],
)
async def test_any_accent_is_readable_in_both_themes(
    browser: Any, site: Site, theme: str, accent: str
) -> None:
    async with hosted(site) as host:
        host.head = f"<style>saegim-widget {{ --saegim-accent: {accent} }}</style>"
        async with opened(browser, host, color_scheme=theme) as page:
            turn = await ask(page, QUESTION)
            assert await findings(page) == []
            fill = await page.locator("button.launcher").evaluate(
                "e => getComputedStyle(e).backgroundColor"
            )
            assert fill != "rgb(11, 100, 112)", "it has the colour of the host"
            await turn.get_by_role("button", name="출처 1").first.click()
            await page.locator("mark").wait_for()
            assert await findings(page) == []


async def test_axe_finds_nothing_before_and_while_it_fails(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        host.head = ""
        host.user = "axe"
        async with opened(browser, host) as page:
            await page.get_by_role("heading", name="무엇을 도와드릴까요?").wait_for()
            assert await findings(page) == []
            host.token_status = 403
            await page.reload()
            await page.get_by_role("alert").wait_for()
            assert await findings(page) == []


@pytest.mark.parametrize("width", [390, 320])
async def test_it_fills_the_screen_of_a_phone(browser: Any, site: Site, width: int) -> None:
    async with hosted(site) as host:
        size = {"width": width, "height": 844}
        async with opened(browser, host, viewport=size, has_touch=True, is_mobile=True) as page:
            await ask_by_button(page, QUESTION)
            box = await page.locator(PANEL).bounding_box()
            assert box == {"x": 0, "y": 0, "width": width, "height": 844}
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            assert not await page.locator("button.launcher").is_visible()
            await page.get_by_role("button", name="대화 닫기").click()
            assert await page.get_by_role("button", name="대화 열기").is_visible()


async def ask_by_button(page: Any, message: str) -> None:
    """On a touch keyboard, Enter breaks the line."""
    await page.get_by_role("textbox", name="메시지를 입력하세요").fill(message)
    await page.get_by_role("button", name="보내기").click()
    await page.get_by_role("article", name=message).wait_for()
    await settled(page)


async def test_answers_run_and_load_nothing(browser: Any, site: Site) -> None:
    async with hosted(site) as host, opened(browser, host) as page:
        loaded: list[str] = []
        page.on("request", lambda request: loaded.append(request.url))
        await ask(page, f"위험 {EVIL}".replace("\n", " "))
        await page.wait_for_timeout(200)

        assert await page.evaluate("window.hacked") is None
        assert [url for url in loaded if "evil" in url] == []
        inside = page.locator("saegim-widget article")
        assert await inside.locator("script, img, iframe, svg[onload]").count() == 0
        assert await inside.locator("a[href^=javascript]").count() == 0


async def test_the_script_is_small(site: Site) -> None:
    async with httpx2.AsyncClient(timeout=180) as http:
        answer = await http.get(f"{site.url}/widget.js")
    assert answer.headers["content-encoding"] == "gzip"
    assert len(gzip.compress(answer.content, 9, mtime=0)) <= LARGEST_BYTES


async def test_the_shadow_root_is_closed_to_the_host(browser: Any, site: Site) -> None:
    async with hosted(site) as host:
        page = await browser.new_page()
        page.set_default_timeout(PATIENCE)
        await page.goto(host.url)
        await page.locator("saegim-widget").wait_for(state="attached")
        assert await page.evaluate("document.querySelector('saegim-widget').shadowRoot") is None
        await page.close()


async def test_a_token_is_good_for_its_own_origin_alone(site: Site) -> None:
    async with hosted(site) as host, httpx2.AsyncClient(timeout=180) as http:
        token = await host.token()
        for origin, status in ((host.url, 200), ("https://evil.example", 401), (None, 401)):
            headers = {"Authorization": f"Bearer {token}"}
            if origin:
                headers["Origin"] = origin
            answer = await http.get(f"{site.url}/v1/me", headers=headers)
            assert answer.status_code == status, origin
            assert "access-control-allow-credentials" not in answer.headers


async def test_pages_are_for_their_own_origin(site: Site, signed_in: SignedIn) -> None:
    async with httpx2.AsyncClient(timeout=180) as http:
        answer = await http.get(f"{site.url}/sign-in", headers={"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in answer.headers
