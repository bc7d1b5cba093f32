"""A bounded wait that counts only while we listen."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

_STEPS = 6


@asynccontextmanager
async def patience(seconds: float) -> AsyncGenerator[None]:
    """Raises TimeoutError after so many seconds in which this process listened for the answer.

    A process that was busy with something else for that long finds the answer there when it looks
    again: it was late itself. So the time goes by in steps, and one that was held up loses one."""
    loop = asyncio.get_running_loop()
    step = seconds / _STEPS
    async with asyncio.timeout(None) as limit:

        def go_by(left: int) -> asyncio.TimerHandle:
            return loop.call_later(step, end_step, left - 1)

        def end_step(left: int) -> None:
            nonlocal waiting
            if left:
                waiting = go_by(left)
            else:
                limit.reschedule(loop.time())

        waiting = go_by(_STEPS)
        try:
            yield
        finally:
            waiting.cancel()
