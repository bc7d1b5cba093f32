"""The weather by the product's own tool: implements `Weather` of communities."""

from saegim.tools.service import Tools
from saegim.tools.types import ToolRequest

TOOL = "get_weather"


class ToolWeather:
    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def at(self, place: str) -> str | None:
        """The weather at a place now, in a sentence; None where nobody knows."""
        # Only this tool: a page of the web is no stand-in for the weather in a notice.
        results = await self._tools.run([ToolRequest(TOOL, {"place": place})], place, [TOOL])
        facts = [fact.text for result in results for fact in result.facts]
        return facts[0] if facts else None
