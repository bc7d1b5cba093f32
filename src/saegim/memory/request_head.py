"""Stub."""

from saegim.llm.ports import Embedder


async def plainly_asks_to_forget(embedder: Embedder, message: str) -> bool:
    return message.startswith(("forget", "Forget")) or "잊어" in message
