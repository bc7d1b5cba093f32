"""MCP over streamable HTTP. Each tool call is a request to the API with the credential of the
caller, so that policy, rate limits and audit apply."""

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
# Headers for authentication and language; others are dropped.
FORWARDED = (
    "authorization", "saegim-user", "saegim-profile", "saegim-tenant", "saegim-assistant", "origin",
    "accept-language",
)  # fmt: skip
# Not needed: pages of other origins have no credential.
NO_REBINDING_CHECK = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class McpEndpoint:
    """Stateless, so that any process can serve the next request."""

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
            stateless_http=True, json_response=True, transport_security=NO_REBINDING_CHECK
        )
        manager = self._server.session_manager
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def _client(self, context: Context[Any, Any]) -> AsyncGenerator[SaegimClient]:
        received, transport = context.headers or {}, httpx2.ASGITransport(app=self._api)
        headers = {name: received[name] for name in FORWARDED if name in received}
        client = SaegimClient("http://localhost", "", headers=headers, transport=transport)
        async with client:
            yield client
