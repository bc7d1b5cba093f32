"""Import the clients of model providers, which takes a second, outside the event loop."""

import asyncio
from importlib import import_module
from threading import Event

_IMPORTED = Event()


async def import_clients() -> None:
    """Import what calls models, once. Without a model it is not needed."""
    if not _IMPORTED.is_set():
        await asyncio.to_thread(import_module, "saegim.llm.calls")
        await asyncio.to_thread(import_module, "saegim.llm.openai_chat")
        _IMPORTED.set()
