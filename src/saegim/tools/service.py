"""Runs tools concurrently. A tool is a function with a docstring."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from pydantic import ValidationError

from saegim.tools.types import Facts, ToolFailed, ToolRequest, ToolResult, ToolSpec

if TYPE_CHECKING:
    from pydantic_ai import Tool

ToolFunction = Callable[..., Awaitable[Facts]]
TOOL_SECONDS = 6.0
MOST_AT_ONCE = 4
WEB_SEARCH = "web_search"


class ToolSource(Protocol):
    """Tools of another process, such as an MCP server."""

    async def specs(self) -> list[ToolSpec]:
        """Return the tools; none while the source is unavailable."""
        ...

    async def call(self, request: ToolRequest) -> Facts:
        """Call a tool. Raises ToolFailed."""
        ...


class Tools:
    def __init__(
        self,
        functions: Sequence[ToolFunction] = (),
        sources: Sequence[ToolSource] = (),
        seconds: float = TOOL_SECONDS,
    ) -> None:
        self._own = {tool.name: (tool, function) for tool, function in _describe(functions)}
        self._sources = tuple(sources)
        self._seconds = seconds

    async def offered(self, allowed: Sequence[str] | None = None) -> list[ToolSpec]:
        """Return the available tools, of those that are allowed."""
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
        """Run the planned tools and return their results in order. If one fails, a web search is
        added."""
        names = {spec.name for spec in await self.offered(allowed)}
        runs = (self._run(request, names) for request in plan[:MOST_AT_ONCE])
        results = list(await asyncio.gather(*runs))
        failed = any(each.state == "failed" and each.tool != WEB_SEARCH for each in results)
        if failed and WEB_SEARCH in names and all(each.tool != WEB_SEARCH for each in results):
            search = await self._run(ToolRequest(WEB_SEARCH, {"query": message}), names)
            results.append(replace(search, added=True))
        return results

    async def _run(self, request: ToolRequest, names: set[str]) -> ToolResult:
        start = time.perf_counter()
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
        milliseconds = round((time.perf_counter() - start) * 1000, 3)
        return replace(result, took_ms=milliseconds, parameters=request.parameters)

    async def _call(self, request: ToolRequest) -> Facts:
        if request.tool_name in self._own:
            tool, function = self._own[request.tool_name]
            values = tool.function_schema.validator.validate_python(dict(request.parameters))
            return await function(**values)
        for source in self._sources:
            if any(spec.name == request.tool_name for spec in await source.specs()):
                return await source.call(request)
        raise ToolFailed("unknown_tool")


def _describe(functions: Sequence[ToolFunction]) -> "Iterator[tuple[Tool, ToolFunction]]":
    """Yield each function with its description for the model."""
    if functions:
        from pydantic_ai import Tool  # noqa: PLC0415 - slow to import, and only for tools

        for function in functions:
            yield Tool(function), function
