"""Nothing that people or documents say runs or is fetched; changes come from our pages alone."""

from typing import Any

import pytest

from tests.web.conftest import SignedIn
from tests.web.stage import EVIL, Site
from tests.web.talking import ask

PAGES = ("/chat", "/memory", "/library", "/library/search", "/usage", "/evaluation", "/admin")


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
    assert "<script>" in await page.locator(".threads").inner_text(), "it is shown as text"


async def test_markdown_alone_makes_no_unsafe_element(signed_in: SignedIn) -> None:
    """What the server would already have defused is fed to the module as it is."""
    page, asked = await watched(signed_in, "위험2", "/chat")
    made = await page.evaluate(
        """async (text) => {
            const script = document.querySelector("script[src*='page-chat.js']").src;
            const { render } = await import(new URL("markdown.js", script).href);
            const place = document.createElement("div");
            place.append(render(text));
            document.querySelector("main").append(place);
            return place.innerHTML;
        }""",
        EVIL + '<form action="//evil.example"><input></form><p style="position:fixed">x</p>'
        '<p onclick="window.hacked=1" id="main" data-turn="x">y</p>',
    )
    for part in ("script", "img", "svg", "iframe", "javascript:", "onerror", "style=", "<form"):
        assert part not in made, made
    assert "onclick" not in made
    assert "data-turn" not in made
    await unharmed(page, asked)


async def test_memories_run_nothing(signed_in: SignedIn, site: Site) -> None:
    await site.remember("위험3", f"위험한 기억 {EVIL}")
    page, asked = await watched(signed_in, "위험3", "/memory")
    assert "<script>" in await page.locator("article.memory").inner_text()
    await page.get_by_role("button", name="고치기").click()
    await page.locator("article textarea").wait_for()
    await unharmed(page, asked)


async def test_documents_titles_and_file_names_run_nothing(signed_in: SignedIn, site: Site) -> None:
    page, asked = await watched(signed_in, "위험4", "/library")
    await page.locator("#files").set_input_files(
        {"name": "<img src=x onerror=window.hacked=1>.md", "mimeType": "text/plain",
         "buffer": b"# t\n\ntext"}
    )  # fmt: skip
    await page.locator("#progress .name", has_text="<img").wait_for()
    await unharmed(page, asked)
    await page.goto(f"{site.url}/library/document?id=hostile-1")
    assert "위험한 문서" in await page.locator("h1").inner_text()
    await unharmed(page, asked)
    await page.goto(f"{site.url}/library/search?query=위험한 본문")
    await unharmed(page, asked)


async def test_the_policy_is_on_every_page_and_error(site: Site, browser: Any) -> None:
    context = await browser.new_context()
    await context.add_cookies(
        [{"name": "saegim", "value": await site.cookie("정책"), "url": site.url}]
    )
    for path in (*PAGES, "/sign-in", "/nowhere", "/memory/not-an-id", "/widget.js"):
        answer = await context.request.get(site.url + path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
    await context.close()


@pytest.mark.parametrize("path", ["/v1/memories", "/memory"])
async def test_a_change_without_the_pages_secret_is_refused(
    site: Site, browser: Any, path: str
) -> None:
    context = await browser.new_context()
    await context.add_cookies(
        [{"name": "saegim", "value": await site.cookie("위조"), "url": site.url}]
    )
    for headers in ({}, {"Saegim-Csrf": "guess"}):
        data: Any = {"content": "몰래"} if path.startswith("/v1") else "content=x"
        answer = await context.request.post(site.url + path, data=data, headers=headers)
        assert answer.status == 403
    listed = await context.request.get(f"{site.url}/v1/memories")
    assert (await listed.json())["memories"] == []
    await context.close()


async def test_another_site_cannot_sign_its_visitor_in(site: Site, browser: Any) -> None:
    context = await browser.new_context()
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
    for aim in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1"):
        answer = await context.request.post(
            f"{site.url}/sign-in",
            form={"key": await site.key("안"), "next": aim},
            max_redirects=0,
        )
        assert answer.status == 303
        assert answer.headers["location"] == "/chat"
    await context.close()
