"""The event loop of the API and the worker: uvloop, where it exists."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any


def run[T](main: Coroutine[Any, Any, T]) -> T:
    """Run to the end, as `asyncio.run` does."""
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop  # noqa: PLC0415 - has no wheel for Windows

    return asyncio.run(main, loop_factory=uvloop.new_event_loop)
