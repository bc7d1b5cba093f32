"""Outages while `saegim dev` starts: on a busy machine a store may respond late."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from saegim.domain.errors import StoreUnavailable

WAIT_SECONDS = 30.0
POLL_SECONDS = 0.5


async def with_retries[T](
    work: Callable[[], Awaitable[T]],
    seconds: float = WAIT_SECONDS,
    pause_seconds: float = POLL_SECONDS,
) -> T:
    """Repeat the work while a store is unavailable. Raises StoreUnavailable after the time."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return await work()
        except StoreUnavailable:
            if time.monotonic() >= deadline:
                raise
        await asyncio.sleep(pause_seconds)
