"""Plans tools by rules, and runs them concurrently. A tool is a function with a docstring."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
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


_WEATHER = re.compile(
    r"(?P<place>[가-힣A-Za-z][가-힣A-Za-z ]{0,30}?)?\s*(?:의\s)?"
    r"(?:오늘|지금|내일|현재)?\s*(?:날씨|기온)"
    r"|weather (?:in|at|for|of) (?P<where>[A-Za-z][A-Za-z .'-]{1,40})",
    re.IGNORECASE,
)
_TICKER = re.compile(
    r"(?<![A-Za-z])(?P<symbol>[A-Z]{1,5})(?:의)?\s*"
    r"(?:주가|주식 가격|stock price|share price|stock\b)"
    r"|(?:price of|stock price of|주가[:\s])\s*(?P<of>[A-Z]{1,5})\b"
)
_COMPANIES = {
    "애플": "AAPL", "마이크로소프트": "MSFT", "엔비디아": "NVDA", "테슬라": "TSLA", "구글": "GOOGL",
    "알파벳": "GOOGL", "아마존": "AMZN", "메타": "META", "넷플릭스": "NFLX", "apple": "AAPL",
    "microsoft": "MSFT", "nvidia": "NVDA", "tesla": "TSLA", "google": "GOOGL", "amazon": "AMZN",
}  # fmt: skip
_PRICE = re.compile(r"주가|주식 가격|stock price|share price", re.IGNORECASE)
_PLACE = re.compile(
    r"맛집|근처|주변|카페 (?:추천|찾)|어디(?:에)? 있|near (?:me|by)|nearby|restaurants? in"
)
_WEB = re.compile(
    r"(?:인터넷|웹|구글|네이버)(?:에서|으로|에)?\s*(?:검색|찾아)"
    r"|검색해\s?(?:줘|주세요|봐)|최신 뉴스|뉴스 알려"
    r"|search (?:the )?(?:web|internet)|google (?:it|for)|latest news",
    re.IGNORECASE,
)
_WHEN = re.compile(r"^(?:오늘|지금|내일|현재|요즘|그럼|그러면|혹시)\s*|\s*(?:오늘|지금|내일|현재)$")


def planned(message: str, offered: Collection[str]) -> list[ToolRequest]:
    """Plan tools by the wording of a message, of those that are offered."""
    plan: list[ToolRequest] = []
    weather = _WEATHER.search(message)
    if weather:
        place = _WHEN.sub("", (weather["place"] or weather["where"] or "").strip()).strip()
        if place:
            plan.append(ToolRequest("get_weather", {"place": place}))
    symbol = _symbol(message)
    if symbol:
        plan.append(ToolRequest("get_us_stock_info", {"symbol": symbol}))
    if _PLACE.search(message):
        plan.append(ToolRequest("search_for_place", {"query": message}))
    if _WEB.search(message):
        plan.append(ToolRequest("web_search", {"query": message}))
    return [request for request in plan if request.tool_name in offered]


def _symbol(message: str) -> str | None:
    ticker = _TICKER.search(message)
    if ticker:
        return ticker["symbol"] or ticker["of"]
    if _PRICE.search(message):
        folded = message.casefold()
        return next((symbol for name, symbol in _COMPANIES.items() if name in folded), None)
    return None
