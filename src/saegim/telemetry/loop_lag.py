"""Measures how late the event loop is: what blocks it delays every request of the process."""

import asyncio
from collections.abc import Callable

EVERY_SECONDS = 0.25


async def measure(observe: Callable[[float], None]) -> None:
    """Tells, four times a second, by how many seconds a timer ran late."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY_SECONDS
        await asyncio.sleep(EVERY_SECONDS)
        observe(max(0.0, loop.time() - due))
