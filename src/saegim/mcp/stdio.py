"""MCP over standard input and output, for an agent that starts this process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import Context

from saegim.client import SaegimClient
from saegim.mcp.server import build


async def serve(client: SaegimClient) -> None:
    """Serve until the agent closes standard input."""

    @asynccontextmanager
    async def same_client(context: Context[Any, Any]) -> AsyncGenerator[SaegimClient]:  # noqa: ARG001
        yield client

    async with client:
        await build(same_client).run_stdio_async()
