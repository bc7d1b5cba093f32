"""MCP over streamable HTTP beside the API: a tool's call is a request to the API itself, with the
credential that came with it, so that policy, limits and audit are the same."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

import httpx2
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from saegim.client import SaegimClient
from saegim.mcp.server import build

PATH = "/mcp"
# What says who is calling; all other headers stay behind.
PASSED_ON = (
    "authorization", "saegim-user", "saegim-profile", "saegim-tenant", "saegim-assistant", "origin",
    "accept-language",
)  # fmt: skip
# A page of another origin has no credential of ours, which is what this protection is for.
NO_REBINDING_CHECK = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class McpEndpoint:
    """Answers each request by itself: nothing is kept between two of them, so that any process
    may take the next one."""

    def __init__(self, api: ASGIApp, require: Callable[[Scope], Awaitable[None]]) -> None:
        self._api = api
        self._require = require

    @cached_property
    def _server(self) -> MCPServer[Any]:
        """Built by the first request: the schemas of its tools take a while."""
        return build(self._client)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._require(scope)
        self._server.streamable_http_app(
            stateless_http=True,
            json_response=True,
            transport_security=NO_REBINDING_CHECK,
        )
        manager = self._server.session_manager
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def _client(self, context: Context[Any, Any]) -> AsyncGenerator[SaegimClient]:
        shown = context.headers or {}
        passed = {name: shown[name] for name in PASSED_ON if name in shown}
        transport = httpx2.ASGITransport(app=self._api)
        async with SaegimClient(
            "http://localhost", "", headers=passed, transport=transport
        ) as client:
            yield client
