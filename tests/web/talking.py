"""Actions of a user on the chat page."""

from typing import Any


def composer(page: Any) -> Any:
    """Returns the field where a message is written."""
    return page.get_by_role("textbox", name="메시지를 입력하세요").or_(
        page.get_by_role("textbox", name="Type a message")
    )


async def ask(page: Any, message: str) -> Any:
    """Sends a message with Enter and waits for the end of its answer; returns the turn's
    element."""
    field = composer(page)
    await field.wait_for()
    before = await page.locator(".turn").count()
    await field.fill(message)
    await field.press("Enter")
    await page.locator(".turn").nth(before).wait_for()
    await settled(page)
    return page.locator(".turn").nth(before)


async def noticed(page: Any, bad: bool = False) -> None:
    """Waits until a notice was shown, though it may be gone again."""
    await page.wait_for_function("bad => noticed.some(one => !bad || one.bad)", arg=bad)


async def settled(page: Any) -> None:
    """Waits until no answer is under way."""
    await page.locator(".log:not([aria-busy=true])").wait_for()
