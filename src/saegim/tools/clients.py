"""The built-in tools whose providers are configured."""

from collections.abc import Mapping

import httpx2

from saegim.net.certificates import public_certificates
from saegim.tools import builtin
from saegim.tools.chain import Chain, Provider
from saegim.tools.origin import JsonOrigin
from saegim.tools.providers import (
    AlphaVantage,
    Finnhub,
    KakaoPlaces,
    OpenMeteo,
    OpenWeather,
    SerpApiPlaces,
    WebSearch,
)
from saegim.tools.service import ToolFunction

URLS = {
    "open-meteo": "https://api.open-meteo.com",
    "open-meteo-geocoding": "https://geocoding-api.open-meteo.com",
    "openweather": "https://api.openweathermap.org",
    "finnhub": "https://finnhub.io",
    "alphavantage": "https://www.alphavantage.co",
    "kakao": "https://dapi.kakao.com",
    "serpapi": "https://serpapi.com",
    "google": "https://www.googleapis.com",
}


class ToolClients:
    """The tools of the configured providers, with a shared HTTP client.

    `keys` are by provider; any text enables `open-meteo`, which needs none. `urls` replace the
    addresses of providers.
    """

    def __init__(self, keys: Mapping[str, str], urls: Mapping[str, str]) -> None:
        self._http = httpx2.AsyncClient(timeout=5.0, trust_env=False, verify=public_certificates())
        self._keys = keys
        self._urls = {**URLS, **urls}

    async def close(self) -> None:
        await self._http.aclose()

    def functions(self) -> list[ToolFunction]:
        """Return the tools that have at least one provider."""
        chains = {
            builtin.get_weather: Chain(self._weather()),
            builtin.get_us_stock_info: Chain(self._stocks()),
            builtin.search_for_place: Chain(self._places()),
            builtin.web_search: Chain(self._web()),
        }
        return [make(chain) for make, chain in chains.items() if chain]

    def _weather(self) -> list[Provider]:
        providers: list[Provider] = []
        if "open-meteo" in self._keys:
            geocoding, forecast = (
                JsonOrigin(self._http, self._urls[name])
                for name in ("open-meteo-geocoding", "open-meteo")
            )
            providers.append(OpenMeteo(geocoding, forecast))
        if "openweather" in self._keys:
            providers.append(OpenWeather(self._origin("openweather", parameter="appid")))
        return providers

    def _stocks(self) -> list[Provider]:
        providers: list[Provider] = []
        if "finnhub" in self._keys:
            providers.append(Finnhub(self._origin("finnhub", header="X-Finnhub-Token")))
        if "alphavantage" in self._keys:
            providers.append(AlphaVantage(self._origin("alphavantage", parameter="apikey")))
        return providers

    def _places(self) -> list[Provider]:
        providers: list[Provider] = []
        if "kakao" in self._keys:
            providers.append(KakaoPlaces(self._kakao()))
        if "serpapi" in self._keys:
            providers.append(SerpApiPlaces(self._origin("serpapi", parameter="api_key")))
        return providers

    def _web(self) -> list[Provider]:
        providers: list[Provider] = []
        if "google" in self._keys:
            key = {"key": self._keys["google"], "cx": self._keys.get("google-engine", "")}
            google = JsonOrigin(self._http, self._urls["google"], parameters=key)
            providers.append(WebSearch.google(google))
        if "serpapi" in self._keys:
            serpapi = self._origin("serpapi", parameter="api_key")
            providers.append(WebSearch.serpapi(serpapi))
        if "kakao" in self._keys:
            providers.append(WebSearch.kakao(self._kakao()))
        return providers

    def _kakao(self) -> JsonOrigin:
        headers = {"Authorization": f"KakaoAK {self._keys['kakao']}"}
        return JsonOrigin(self._http, self._urls["kakao"], headers=headers)

    def _origin(self, name: str, *, parameter: str = "", header: str = "") -> JsonOrigin:
        key = self._keys[name]
        return JsonOrigin(
            self._http,
            self._urls[name],
            headers={header: key} if header else None,
            parameters={parameter: key} if parameter else None,
        )
