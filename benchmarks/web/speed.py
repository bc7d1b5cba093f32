"""Weight of the first load, opening and scrolling a long conversation, streaming a long answer."""

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from benchmarks.stack import LiveStack
from benchmarks.web.conversation import USER, lengthen
from benchmarks.web.texts import PARAGRAPH, long_answer
from benchmarks.web.weight import kilobytes, weighed

TURNS = 500
CHARACTERS = 20_000
LOADS = 5
WORD_SECONDS = 0.002
PATIENCE = 180_000
SETTLE_SECONDS = 120
SCREEN = {"width": 1440, "height": 900}
QUESTION = "예약 인스턴스는 할인을 얼마나 받아?"
GUIDE = """# EC2 비용 절감 안내서

예약 인스턴스는 1년 또는 3년 약정으로 최대 72% 할인을 받습니다.
"""
# When the turn with a message can be seen, in milliseconds since the navigation began.
SEEN = """(message) => new Promise((resolve) => {
    const look = () => {
        const box = [...document.querySelectorAll("article.turn")]
            .find((one) => one.ariaLabel === message)?.querySelector(".answer p")
            ?.getBoundingClientRect();
        if (box && box.height > 0 && box.top < innerHeight && box.bottom > 0)
            requestAnimationFrame(() => resolve(performance.now()));
        else requestAnimationFrame(look);
    };
    look();
})"""
WATCH = """() => {
    window.tasks = [];
    window.watcher = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.tasks.push(entry.duration);
    });
    window.watcher.observe({ type: "longtask" });
}"""


async def measure(
    browser: Any, turns: int = TURNS, characters: int = CHARACTERS
) -> dict[str, float]:
    """Return all figures of the chat page."""
    with TemporaryDirectory(prefix="saegim-web-") as folder:
        async with (
            BrokenProvider(ProviderMode.SLOW, PARAGRAPH, word_seconds=WORD_SECONDS) as model,
            LiveStack.start(Path(folder), model.base_url) as stack,
        ):
            key = await stack.new_tenant("web")
            session = await _begin(stack, key)
            message = await lengthen(stack, key, session, turns)
            # What a worker still does for the import would be measured too.
            await stack.settle(SETTLE_SECONDS)
            figures = await _first_load(browser, stack.url, key)
            address = f"{stack.url}/chat/{session}"
            opened = [await _open(browser, stack.url, key, address, message) for _ in range(LOADS)]
            figures["open_500_turns_ms"] = round(median(opened), 1)
            figures |= await _scroll(browser, stack.url, key, address, message, turns)
            model.text = long_answer(characters)
            return figures | await _stream(browser, stack.url, key, len(model.text))


async def _first_load(browser: Any, url: str, key: str) -> dict[str, float]:
    page = await _signed_in(browser, url, key)
    async with weighed(page) as sizes:
        await page.goto(f"{url}/chat", wait_until="networkidle")
        await page.locator(".composer textarea:focus").wait_for()
    await page.context.close()
    return {"chat.first_load_kb_gz": kilobytes(sizes), "chat.first_load_files": float(len(sizes))}


async def _begin(stack: LiveStack, key: str) -> str:
    """Import a document and ask about it; return the session."""
    headers = {"Authorization": f"Bearer {key}", "Saegim-User": USER}
    async with httpx2.AsyncClient(base_url=stack.url, headers=headers, timeout=180) as http:
        made = await http.post("/v1/ingests", json={"own": True})
        assert made.status_code == 201, made.text
        ingest = f"/v1/ingests/{made.json()['ingest_id']}"
        await http.put(f"{ingest}/files/guide.md", content=GUIDE.encode())
        while not (await http.get(ingest)).json()["over"]:  # noqa: ASYNC110 - another process works
            await asyncio.sleep(0.5)
        # The index learns of a document a little later than the ingest ends.
        for _ in range(60):
            answered = await http.post("/v1/chat", json={"message": QUESTION})
            assert answered.status_code == 200, answered.text
            if answered.json()["citations"]:
                return answered.json()["session_id"]
            await asyncio.sleep(1)
    raise RuntimeError("no answer cites the document")


async def _signed_in(browser: Any, url: str, key: str) -> Any:
    """Return a page of a new visitor with nothing in the cache."""
    context = await browser.new_context(
        locale="ko-KR", viewport=SCREEN, reduced_motion="reduce", service_workers="block"
    )
    context.set_default_timeout(PATIENCE)
    answer = await context.request.post(
        f"{url}/sign-in", form={"key": key, "user": USER, "next": "/chat"}, max_redirects=0
    )
    assert answer.status == 303, await answer.text()
    return await context.new_page()


async def _open(browser: Any, url: str, key: str, address: str, message: str) -> float:
    page = await _signed_in(browser, url, key)
    await page.goto(address, wait_until="commit")
    took = await page.evaluate(SEEN, message)
    await page.context.close()
    return took


async def _scroll(
    browser: Any, url: str, key: str, address: str, message: str, turns: int
) -> dict[str, float]:
    """Scroll from the last turn to the first and back."""
    page = await _signed_in(browser, url, key)
    await page.goto(address)
    await page.evaluate(SEEN, message)
    await page.wait_for_timeout(1000)
    await page.evaluate(WATCH)
    await page.mouse.move(700, 400)
    # Asked as cheaply as possible: what asks runs in the page too.
    while await page.evaluate("document.querySelectorAll('article.turn').length") < turns:
        await page.mouse.wheel(0, -800)
        await page.wait_for_timeout(50)
    for _ in range(100):
        await page.mouse.wheel(0, 2400)
        await page.wait_for_timeout(30)
    tasks = await _tasks(page)
    shown = await page.locator("article.turn").count()
    await page.context.close()
    return {
        "scroll_500_turns.turns": float(shown),
        "scroll_500_turns.longest_task_ms": max(tasks, default=0.0),
        "scroll_500_turns.long_tasks": float(len(tasks)),
    }


async def _stream(browser: Any, url: str, key: str, characters: int) -> dict[str, float]:
    page = await _signed_in(browser, url, key)
    await page.goto(f"{url}/chat", wait_until="networkidle")
    field = page.locator(".composer textarea")
    await field.fill("EC2 비용을 아주 자세히 알려 줘")
    await page.evaluate(WATCH)
    await field.press("Enter")
    await page.locator(".log[aria-busy=true]").wait_for()
    await page.locator(".log[aria-busy=false]").wait_for()
    await page.wait_for_timeout(1000)
    tasks = await _tasks(page)
    shown = len(await page.locator(".answer").last.inner_text())
    cites = await page.locator(".answer .cite").count()
    await page.context.close()
    assert shown > characters / 2, f"{shown} of {characters} characters are shown"
    assert cites > 0, "markers are buttons"
    return {
        "stream_20k.characters": float(characters),
        "stream_20k.longest_task_ms": max(tasks, default=0.0),
        "stream_20k.long_tasks_ms": sum(tasks),
    }


async def _tasks(page: Any) -> list[float]:
    """Return the milliseconds of every task over 50 ms since WATCH."""
    await page.wait_for_timeout(200)
    return [round(each, 1) for each in await page.evaluate("window.tasks")]
