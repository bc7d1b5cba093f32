"""MCP servers by configuration: only listed tools, and nothing breaks where one is down."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
import uvicorn
from mcp.server.mcpserver import MCPServer

from saegim.tools.mcp import McpAddress, McpTools
from saegim.tools.service import Tools
from saegim.tools.types import ToolRequest

CALLED: list[str] = []


@contextlib.asynccontextmanager
async def mcp_server() -> AsyncIterator[str]:
    server = MCPServer("orders")

    @server.tool()
    def find_order(number: str) -> str:
        """Finds an order by its number."""
        CALLED.append(number)
        return f"주문 {number}: 배송 중"

    @server.tool()
    def cancel_order(number: str) -> str:
        """Cancels an order."""
        CALLED.append(f"cancelled {number}")
        return "취소됨"

    config = uvicorn.Config(server.streamable_http_app(), port=0, log_config=None)
    serving = uvicorn.Server(config)
    task = asyncio.create_task(serving.serve())
    while not serving.started:
        await asyncio.sleep(0.01)
    port = serving.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}/mcp"
    serving.should_exit = True
    await task


@pytest.mark.requirement("TL2")
async def test_listed_tools_of_a_server_are_offered_and_called() -> None:
    CALLED.clear()
    async with mcp_server() as url:
        address = McpAddress("orders", url, frozenset({"find_order"}))
        tools = Tools(sources=[McpTools(address, seconds=60)], seconds=120)
        offered = await tools.offered()
        found, refused = await tools.run(
            [
                ToolRequest("orders.find_order", {"number": "7"}),
                ToolRequest("orders.cancel_order", {"number": "7"}),
            ],
            "",
        )
    assert [spec.name for spec in offered] == ["orders.find_order"]
    assert found.facts[0].text == "주문 7: 배송 중"
    assert (refused.state, refused.reason) == ("refused", "unknown_tool")
    assert CALLED == ["7"]


async def test_a_server_that_is_down_offers_nothing() -> None:
    source = McpTools(McpAddress("gone", "http://127.0.0.1:9/mcp", frozenset({"x"})))
    assert await Tools(sources=[source]).offered() == []
