"""Bytes that Chromium transfers, as the server sends them, with their headers."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from tests.web.browser_fixture import PATIENCE, Site
from tests.web.hosting import OPEN_ROOTS, hosted


@contextlib.asynccontextmanager
async def weighed(page: Any, origin: str = "") -> AsyncIterator[list[int]]:
    """Collect the sizes of all that a page loads, or of what comes from one origin."""
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    wanted: set[str] = set()
    sizes: list[int] = []

    def requested(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith(origin):
            wanted.add(event["requestId"])

    def finished(event: dict[str, Any]) -> None:
        if event["requestId"] in wanted:
            sizes.append(round(event["encodedDataLength"]))

    session.on("Network.requestWillBeSent", requested)
    session.on("Network.loadingFinished", finished)
    yield sizes


def kilobytes(sizes: Sequence[int]) -> float:
    return round(sum(sizes) / 1000, 1)


async def widget_load(browser: Any, site: Site) -> dict[str, float]:
    """Return what a host page loads for the widget: closed, and after it was opened."""
    async with hosted(site) as host:
        context = await browser.new_context(locale="ko-KR", reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        page = await context.new_page()
        await page.add_init_script(OPEN_ROOTS)
        async with weighed(page, site.url) as sizes:
            await page.goto(host.url, wait_until="networkidle")
            launcher = page.get_by_role("button", name="대화 열기")
            await launcher.wait_for()
            closed = kilobytes(sizes)
            await launcher.click()
            await page.get_by_role("textbox", name="메시지를 입력하세요").wait_for()
            await page.wait_for_load_state("networkidle")
            opened = kilobytes(sizes)
        await context.close()
    return {"widget.kb_gz": closed, "widget.open_kb_gz": opened}
