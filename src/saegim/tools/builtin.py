"""The built-in tools. The model sees their docstrings."""

from saegim.tools.chain import Chain
from saegim.tools.service import ToolFunction
from saegim.tools.types import Facts


def get_weather(chain: Chain) -> ToolFunction:
    async def get_weather(place: str) -> Facts:
        """The weather at a place now.

        Args:
            place: The city or district, as it was written.
        """
        return await chain.ask(place)

    return get_weather


def get_us_stock_info(chain: Chain) -> ToolFunction:
    async def get_us_stock_info(symbol: str) -> Facts:
        """The price of a stock that is listed in the United States.

        Args:
            symbol: Its ticker symbol, such as AAPL.
        """
        return await chain.ask(symbol)

    return get_us_stock_info


def search_for_place(chain: Chain) -> ToolFunction:
    async def search_for_place(query: str) -> Facts:
        """Restaurants, shops, stations and other places by name, kind or neighbourhood.

        Args:
            query: What to look for and where.
        """
        return await chain.ask(query)

    return search_for_place


def web_search(chain: Chain) -> ToolFunction:
    async def web_search(query: str) -> Facts:
        """Pages of the web, for what happened lately and what no document here can know.

        Args:
            query: The words to search with.
        """
        return await chain.ask(query)

    return web_search
