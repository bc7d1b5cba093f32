"""The built-in tools, of the providers that are configured."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import httpx2

from saegim.llm.metering import Breaker
from saegim.net.certificates import public_certificates
from saegim.tools import providers
from saegim.tools.origin import JsonOrigin
from saegim.tools.service import ToolFunction
from saegim.tools.types import Fact, Facts, ToolFailed

PROVIDER_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Provider:
    """A service; `ask` returns facts about a text, or none, and raises ToolFailed."""

    name: str
    ask: Callable[[str], Awaitable[list[Fact]]]


class Chain:
    def __init__(
        self,
        providers: Sequence[Provider],
        seconds: float = PROVIDER_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._providers = [(provider, Breaker(now)) for provider in providers]
        self._seconds = seconds

    def __bool__(self) -> bool:
        return bool(self._providers)

    async def ask(self, text: str) -> Facts:
        """Return the facts of the first provider that has some. Raises ToolFailed if none has."""
        reason = "no_provider"
        for provider, breaker in self._providers:
            if not breaker.admits():
                reason = "circuit_open"
                continue
            try:
                async with asyncio.timeout(self._seconds):
                    facts = await provider.ask(text)
            except (ToolFailed, TimeoutError) as error:
                breaker.failed()
                reason = "timeout" if isinstance(error, TimeoutError) else str(error)
                continue
            breaker.succeeded()
            if facts:
                return Facts(provider.name, tuple(facts))
            reason = "nothing_found"
        raise ToolFailed(reason)


@dataclass(frozen=True, slots=True)
class _Api:
    """The address of a provider, and the parameter or header that has the key."""

    url: str
    parameter: str = ""
    header: str = ""
    key_format: str = "{}"


APIS = {
    "open-meteo": _Api("https://api.open-meteo.com"),
    "open-meteo-geocoding": _Api("https://geocoding-api.open-meteo.com"),
    "openweather": _Api("https://api.openweathermap.org", parameter="appid"),
    "finnhub": _Api("https://finnhub.io", header="X-Finnhub-Token"),
    "alphavantage": _Api("https://www.alphavantage.co", parameter="apikey"),
    "kakao": _Api("https://dapi.kakao.com", header="Authorization", key_format="KakaoAK {}"),
    "serpapi": _Api("https://serpapi.com", parameter="api_key"),
    "google": _Api("https://www.googleapis.com", parameter="key"),
}


class ToolClients:
    """The tools of the configured providers, with a shared HTTP client.

    `keys` are by provider; any text enables `open-meteo`, which needs none. `urls` replace the
    addresses of providers. The model sees the docstrings of the tools.
    """

    def __init__(
        self,
        keys: Mapping[str, str],
        urls: Mapping[str, str],
        seconds: float = PROVIDER_SECONDS,
    ) -> None:
        # The chain limits the time.
        self._http = httpx2.AsyncClient(timeout=None, trust_env=False, verify=public_certificates())
        self._seconds = seconds
        self._keys = keys
        self._urls = urls
        self._weather = self._chain(
            {"open-meteo": providers.open_meteo, "openweather": providers.open_weather}
        )
        self._stocks = self._chain(
            {"finnhub": providers.finnhub, "alphavantage": providers.alpha_vantage}
        )
        self._places = self._chain(
            {"kakao": providers.kakao_places, "serpapi": providers.serpapi_places}
        )
        self._web = self._chain(
            {
                "google": providers.GOOGLE.ask,
                "serpapi": providers.SERPAPI.ask,
                "kakao": providers.KAKAO.ask,
            }
        )

    async def close(self) -> None:
        await self._http.aclose()

    def functions(self) -> list[ToolFunction]:
        """Return the tools that have at least one provider."""
        tools: dict[Chain, ToolFunction] = {
            self._weather: self.get_weather,
            self._stocks: self.get_us_stock_info,
            self._places: self.search_for_place,
            self._web: self.web_search,
        }
        return [tool for chain, tool in tools.items() if chain]

    async def get_weather(self, place: str) -> Facts:
        """The weather at a place now.

        Args:
            place: The city or district, as it was written.
        """
        return await self._weather.ask(place)

    async def get_us_stock_info(self, symbol: str) -> Facts:
        """The price of a stock that is listed in the United States.

        Args:
            symbol: Its ticker symbol, such as AAPL.
        """
        return await self._stocks.ask(symbol)

    async def search_for_place(self, query: str) -> Facts:
        """Restaurants, shops, stations and other places by name, kind or neighbourhood.

        Args:
            query: What to look for and where.
        """
        return await self._places.ask(query)

    async def web_search(self, query: str) -> Facts:
        """Pages of the web, for what happened lately and what no document here can know.

        Args:
            query: The words to search with.
        """
        return await self._web.ask(query)

    def _chain(self, by_name: Mapping[str, providers.Ask]) -> Chain:
        """Return the providers with a key, in order."""
        return Chain(
            [
                Provider(name, partial(ask, self._origin))
                for name, ask in by_name.items()
                if name in self._keys
            ],
            self._seconds,
        )

    def _origin(self, name: str) -> JsonOrigin:
        api, key = APIS[name], self._keys.get(name, "")
        parameters = {api.parameter: key} if api.parameter else {}
        if name == "google":
            parameters["cx"] = self._keys.get("google-engine", "")
        headers = {api.header: api.key_format.format(key)} if api.header else {}
        url = self._urls.get(name, api.url)
        return JsonOrigin(self._http, url, headers=headers, parameters=parameters)
