"""MCP over standard input and output, for an agent that starts us as its own process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import Context

from saegim.client import SaegimClient
from saegim.mcp.server import build


async def serve(client: SaegimClient) -> None:
    """Serves until the agent closes our input; every call goes through this client."""

    @asynccontextmanager
    async def same(context: Context[Any, Any]) -> AsyncGenerator[SaegimClient]:  # noqa: ARG001
        yield client

    async with client:
        await build(same).run_stdio_async()
