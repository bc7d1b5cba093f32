"""Measure how late the event loop is: whatever blocks it delays every request."""

import asyncio
from collections.abc import Callable

EVERY_SECONDS = 0.25


async def measure(observe: Callable[[float], None]) -> None:
    """Report four times a second how many seconds late a timer ran."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY_SECONDS
        await asyncio.sleep(EVERY_SECONDS)
        observe(max(0.0, loop.time() - due))
