"""Runs tools: each is one function with a docstring; all that are planned run at once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Protocol

from pydantic import ValidationError
from pydantic_ai import Tool

from saegim.tools.types import Facts, ToolFailed, ToolRequest, ToolResult, ToolSpec

ToolFunction = Callable[..., Awaitable[Facts]]
TOOL_SECONDS = 6.0
MOST_AT_ONCE = 4
WEB_SEARCH = "web_search"


class ToolSource(Protocol):
    """Tools that live elsewhere, such as on an MCP server."""

    async def specs(self) -> list[ToolSpec]:
        """What it offers now; nothing while it cannot be reached."""
        ...

    async def call(self, request: ToolRequest) -> Facts:
        """What the tool answers. Raises ToolFailed."""
        ...


class Tools:
    def __init__(
        self,
        functions: Sequence[ToolFunction] = (),
        sources: Sequence[ToolSource] = (),
        seconds: float = TOOL_SECONDS,
    ) -> None:
        self._own = {Tool(function).name: (Tool(function), function) for function in functions}
        self._sources = tuple(sources)
        self._seconds = seconds

    async def offered(self, allowed: Sequence[str] | None = None) -> list[ToolSpec]:
        """The tools that may be planned, of those that are allowed."""
        specs = [
            ToolSpec(name, tool.description or "", tool.function_schema.json_schema)
            for name, (tool, _) in self._own.items()
        ]
        for source in self._sources:
            specs += await source.specs()
        return [spec for spec in specs if allowed is None or spec.name in allowed]

    async def run(
        self, plan: Sequence[ToolRequest], message: str, allowed: Sequence[str] | None = None
    ) -> list[ToolResult]:
        """What each planned tool brings, in order; where one fails, a search of the web (TL1)."""
        names = {spec.name for spec in await self.offered(allowed)}
        results = list(
            await asyncio.gather(*(self._one(one, names) for one in plan[:MOST_AT_ONCE]))
        )
        failed = any(one.state == "failed" and one.tool != WEB_SEARCH for one in results)
        if failed and WEB_SEARCH in names and all(one.tool != WEB_SEARCH for one in results):
            search = await self._one(ToolRequest(WEB_SEARCH, {"query": message}), names)
            results.append(replace(search, added=True))
        return results

    async def _one(self, request: ToolRequest, names: set[str]) -> ToolResult:
        began = time.perf_counter()
        if request.tool_name not in names:
            return ToolResult(request.tool_name[:100], "refused", reason="unknown_tool")
        try:
            async with asyncio.timeout(self._seconds):
                facts = await self._call(request)
        except ValidationError:
            return ToolResult(request.tool_name, "refused", reason="wrong_parameters")
        except (ToolFailed, TimeoutError) as error:
            reason = "timeout" if isinstance(error, TimeoutError) else str(error)
            result = ToolResult(request.tool_name, "failed", reason=reason)
        else:
            result = ToolResult(request.tool_name, "ok", facts.facts, facts.provider)
        took = round((time.perf_counter() - began) * 1000, 3)
        return replace(result, took_ms=took, parameters=request.parameters)

    async def _call(self, request: ToolRequest) -> Facts:
        if request.tool_name in self._own:
            tool, function = self._own[request.tool_name]
            values = tool.function_schema.validator.validate_python(dict(request.parameters))
            return await function(**values)
        for source in self._sources:
            if any(spec.name == request.tool_name for spec in await source.specs()):
                return await source.call(request)
        raise ToolFailed("unknown_tool")
