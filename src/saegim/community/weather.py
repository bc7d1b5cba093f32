"""The weather for notices."""

from saegim.tools.service import Tools
from saegim.tools.types import ToolRequest

TOOL = "get_weather"


class ToolWeather:
    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def at(self, place: str) -> str | None:
        """Return the current weather at a place as a sentence, or None if it is unknown."""
        # Only this tool, without the web search that replaces failed tools.
        results = await self._tools.run([ToolRequest(TOOL, {"place": place})], place, [TOOL])
        facts = [fact.text for result in results for fact in result.facts]
        return facts[0] if facts else None
