"""Content of users and documents runs nothing and loads nothing; changes need our own pages."""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from starlette.routing import BaseRoute, Mount, Route

from saegim.web.app import create_site
from tests.web.browser_fixture import EVIL, PATIENCE, WEB, Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

pytestmark = pytest.mark.requirement("CH3")


async def watched(signed_in: SignedIn, user: str, path: str) -> tuple[Any, list[str]]:
    """A page, and every address that it asks for outside of our own."""
    page = await signed_in(user, "/sign-in")
    asked: list[str] = []
    own = page.url.split("/sign-in")[0]
    page.on(
        "request",
        lambda request: asked.append(request.url) if not request.url.startswith(own) else None,
    )
    await page.goto(own + path)
    return page, asked


async def unharmed(page: Any, asked: list[str]) -> None:
    await page.wait_for_timeout(200)
    assert await page.evaluate("window.hacked") is None
    assert asked == []
    assert await page.locator("main :is(script, iframe, object, svg[onload])").count() == 0
    assert await page.locator("main a[href^='javascript']").count() == 0


async def test_messages_and_answers_run_nothing(signed_in: SignedIn) -> None:
    page, asked = await watched(signed_in, "위험1", "/chat")
    await ask(page, f"위험 {EVIL}")
    await unharmed(page, asked)
    await page.reload()
    await page.locator(".turn").wait_for()
    await unharmed(page, asked)
    listed = page.get_by_role("navigation", name="지난 대화")
    assert "<script>" in await listed.inner_text(), "it is shown as text"


async def test_memories_run_nothing(signed_in: SignedIn, site: Site) -> None:
    await site.remember("위험3", f"위험한 기억 {EVIL}")
    page, asked = await watched(signed_in, "위험3", "/memory")
    await page.get_by_role("listitem").get_by_text("<script>").first.wait_for()
    await page.get_by_role("button", name="수정").click()
    await page.get_by_role("textbox", name="기억", exact=True).wait_for()
    await unharmed(page, asked)


async def test_documents_titles_and_file_names_run_nothing(signed_in: SignedIn, site: Site) -> None:
    page, asked = await watched(signed_in, "위험4", "/library")
    await page.get_by_label("업로드할 파일").set_input_files(
        {"name": "<img src=x onerror=window.hacked=1>.md", "mimeType": "text/plain",
         "buffer": b"# t\n\ntext"}
    )  # fmt: skip
    await page.get_by_role("region", name="업로드").get_by_text("<img").wait_for()
    await unharmed(page, asked)
    await page.goto(f"{site.url}/library/document?id=hostile-1")
    await page.get_by_role("heading", name="위험한 문서").wait_for()
    await page.get_by_role("article").get_by_text("위험한 본문").wait_for()
    await unharmed(page, asked)
    await page.goto(f"{site.url}/library/search?query=위험한 본문")
    await page.get_by_role("article").get_by_text("위험한 본문").first.wait_for()
    await unharmed(page, asked)


async def test_results_of_tools_run_nothing(signed_in: SignedIn, site: Site) -> None:
    page, asked = await watched(signed_in, "위험5", "/chat")
    turn = await ask(page, f"{WEB} EC2 값을 찾아 줘")
    await unharmed(page, asked)
    source = turn.get_by_role("list", name="출처").get_by_role("button").first
    assert "웹 문서" in await source.inner_text()
    await turn.locator(".cite").first.click()
    panel = page.get_by_role("dialog")
    await panel.locator("h2", has_text="<script>").wait_for()
    links = await panel.locator("a").evaluate_all("all => all.map((one) => one.href)")
    # Links of the harmful text have lost their address.
    assert set(links) - {""} == {"https://evil.example/page?%3Cscript%3E"}
    await unharmed(page, asked)

    await page.keyboard.press("Escape")
    await turn.get_by_role("button", name="왜 이렇게 답했나요?").click()
    await panel.get_by_text("<img src=x onerror").first.wait_for()
    assert await panel.locator("img, script, iframe").count() == 0
    await panel.get_by_role("tab", name="프롬프트").click()
    await panel.get_by_text("운영자용 상세 정보").click()
    await panel.get_by_text("google · 성공").wait_for()
    await unharmed(page, asked)

    await page.reload()
    await page.get_by_role("list", name="출처").get_by_text("웹 문서").first.wait_for()
    await unharmed(page, asked)
    listed = await page.context.request.get(f"{site.url}/v1/sessions")
    [session] = (await listed.json())["sessions"]
    told = await page.context.request.get(f"{site.url}/v1/sessions/{session['session_id']}/turns")
    [stored] = (await told.json())["turns"]
    await page.goto(f"{site.url}/v1/turns/{stored['turn_id']}/trace")
    assert "onerror=window.hacked=1" in await page.content(), "the trace holds the title"
    await unharmed(page, asked)


def walked(routes: Sequence[BaseRoute], under: str = "") -> Iterator[tuple[str, str]]:
    """Returns every method and path of a site, with values for its parameters."""
    for route in routes:
        if isinstance(route, Mount):
            yield from walked(route.routes, under + route.path)
        elif (included := getattr(route, "original_router", None)) is not None:
            yield from walked(included.routes, under)
        elif isinstance(route, Route):
            path = re.sub(r"\{[^}]*_id\}", str(uuid4()), under + route.path)
            path = re.sub(r"\{[^}]*\}", "x", path)
            for method in sorted(route.methods or ()):
                yield method, path


async def test_the_policy_is_on_every_route_and_error(site: Site) -> None:
    """The routes are those of the running site, so that one that is added is asked too."""
    cookies = {"saegim": await site.cookie("정책")}
    asked = list(walked(create_site(site.stack.services).routes))
    assert len({path for _, path in asked if not path.startswith("/v1")}) > 30
    assert ("GET", "/settings") in asked
    asked += [("GET", "/nowhere"), ("GET", "/memory/not-an-id"), ("GET", "/v1/nowhere")]
    without: list[str] = []
    async with httpx2.AsyncClient(base_url=site.url, cookies=cookies, timeout=180) as client:
        for method, path in asked:
            answer = await client.request(method, path)
            headers = answer.headers
            policy = headers.get("content-security-policy", "")
            good = "default-src 'none'" in policy and "unsafe" not in policy
            good = good and headers.get("x-content-type-options") == "nosniff"
            if not good or headers.get("x-frame-options") != "DENY":
                without.append(f"{method} {path} {answer.status_code}")
    assert without == []


@pytest.mark.parametrize("path", ["/v1/memories", "/profile"])
async def test_a_change_without_the_pages_secret_is_refused(
    site: Site, browser: Any, path: str
) -> None:
    context = await browser.new_context()
    context.set_default_timeout(PATIENCE)
    await context.add_cookies(
        [{"name": "saegim", "value": await site.cookie("위조"), "url": site.url}]
    )
    for headers in ({}, {"Saegim-Csrf": "guess"}):
        data: Any = {"content": "몰래"} if path.startswith("/v1") else "profile=x"
        answer = await context.request.post(site.url + path, data=data, headers=headers)
        assert answer.status == 403
    listed = await context.request.get(f"{site.url}/v1/memories")
    assert (await listed.json())["memories"] == []
    await context.close()


async def test_another_site_cannot_sign_its_visitor_in(site: Site, browser: Any) -> None:
    context = await browser.new_context()
    context.set_default_timeout(PATIENCE)
    answer = await context.request.post(
        f"{site.url}/sign-in",
        form={"key": await site.key("남"), "next": "/chat"},
        headers={"Origin": "https://evil.example"},
        max_redirects=0,
    )
    assert answer.status == 403
    assert not await context.cookies()
    await context.close()


async def test_after_signing_in_one_stays_on_our_pages(site: Site, browser: Any) -> None:
    context = await browser.new_context()
    context.set_default_timeout(PATIENCE)
    for aim in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1"):
        answer = await context.request.post(
            f"{site.url}/sign-in",
            form={"key": await site.key("안"), "next": aim},
            max_redirects=0,
        )
        assert answer.status == 303
        assert answer.headers["location"] == "/chat"
    await context.close()
