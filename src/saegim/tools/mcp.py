"""Tools of an MCP server."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from saegim.llm.metering import Breaker
from saegim.tools.types import Fact, Facts, ToolFailed, ToolRequest, ToolSpec

CACHE_SECONDS = 300.0
CALL_SECONDS = 5.0
LONGEST_TEXT = 4_000


@dataclass(frozen=True, slots=True)
class McpAddress:
    """Address of a server, and the tools that may be used."""

    name: str
    url: str
    tools: frozenset[str]
    token: str | None = None


class McpTools:
    """The allowed tools of a server, named `server.tool`."""

    def __init__(
        self,
        address: McpAddress,
        now: Callable[[], float] = time.monotonic,
        seconds: float = CALL_SECONDS,
    ) -> None:
        self._address = address
        self._now = now
        self._seconds = seconds
        self._breaker = Breaker(now)
        self._cached: tuple[float, list[ToolSpec]] = (0.0, [])

    async def specs(self) -> list[ToolSpec]:
        expires, cached = self._cached
        if self._now() < expires:
            return cached
        try:
            specs = await self._connect(self._list)
        except ToolFailed:
            return cached
        self._cached = (self._now() + CACHE_SECONDS, specs)
        return specs

    async def call(self, request: ToolRequest) -> Facts:
        name = request.tool_name.removeprefix(f"{self._address.name}.")
        if name not in self._address.tools:
            raise ToolFailed("unknown_tool")

        async def ask(client: Client) -> list[Fact]:
            answer = await client.call_tool(name, dict(request.parameters))
            if answer.is_error:
                raise ToolFailed("tool_error")
            texts = [part.text for part in answer.content if isinstance(part, TextContent)]
            return [Fact(text[:LONGEST_TEXT], request.tool_name) for text in texts if text]

        facts = await self._connect(ask)
        return Facts(self._address.name, tuple(facts))

    async def _list(self, client: Client) -> list[ToolSpec]:
        listed = await client.list_tools()
        return [
            ToolSpec(f"{self._address.name}.{tool.name}", tool.description or "", tool.input_schema)
            for tool in listed.tools
            if tool.name in self._address.tools
        ]

    async def _connect[T](self, ask: Callable[[Client], Awaitable[T]]) -> T:
        """Run `ask` over a new connection. Raises ToolFailed for any error."""
        if not self._breaker.admits():
            raise ToolFailed("circuit_open")
        token = self._address.token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answers: list[T] = []
        reason = "nothing"
        try:
            async with (
                httpx2.AsyncClient(headers=headers, timeout=self._seconds, trust_env=False) as http,
                Client(
                    streamable_http_client(self._address.url, http_client=http),
                    read_timeout_seconds=self._seconds,
                ) as client,
            ):
                answers.append(await ask(client))
        except* ToolFailed:
            reason = "tool_error"
        except* (MCPError, httpx2.HTTPError, OSError, ValueError):
            reason = "unreachable"
        if answers:
            self._breaker.succeeded()
            return answers[0]
        if reason == "unreachable":
            self._breaker.failed()
        raise ToolFailed(reason)
