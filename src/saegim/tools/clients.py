"""Outside tools by the settings: those whose providers have a key or an address."""

from collections.abc import Mapping

import httpx2

from saegim.net.certificates import public_certificates
from saegim.tools import builtin
from saegim.tools.chain import Chain, Provider
from saegim.tools.origin import JsonOrigin
from saegim.tools.providers import (
    AlphaVantage,
    Finnhub,
    GoogleSearch,
    KakaoPlaces,
    KakaoWeb,
    OpenMeteo,
    OpenWeather,
    SerpApi,
    SerpApiPlaces,
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
    """The HTTP client that all providers share, and the tools made with it.

    `keys` are by provider; `open-meteo` needs none, so any text there turns it on. `urls` take the
    place of a provider's own address.
    """

    def __init__(self, keys: Mapping[str, str], urls: Mapping[str, str]) -> None:
        self._http = httpx2.AsyncClient(timeout=5.0, trust_env=False, verify=public_certificates())
        self._keys = keys
        self._urls = {**URLS, **urls}

    async def close(self) -> None:
        await self._http.aclose()

    def functions(self) -> list[ToolFunction]:
        """The tools that at least one provider can serve."""
        chains = {
            builtin.get_weather: Chain(self._weather()),
            builtin.get_us_stock_info: Chain(self._stocks()),
            builtin.search_for_place: Chain(self._places()),
            builtin.web_search: Chain(self._web()),
        }
        return [make(chain) for make, chain in chains.items() if chain]

    def _weather(self) -> list[Provider]:
        found: list[Provider] = []
        if "open-meteo" in self._keys:
            geocoding, forecast = (
                JsonOrigin(self._http, self._urls[name])
                for name in ("open-meteo-geocoding", "open-meteo")
            )
            found.append(OpenMeteo(geocoding, forecast))
        if "openweather" in self._keys:
            found.append(OpenWeather(self._origin("openweather", parameter="appid")))
        return found

    def _stocks(self) -> list[Provider]:
        found: list[Provider] = []
        if "finnhub" in self._keys:
            found.append(Finnhub(self._origin("finnhub", header="X-Finnhub-Token")))
        if "alphavantage" in self._keys:
            found.append(AlphaVantage(self._origin("alphavantage", parameter="apikey")))
        return found

    def _places(self) -> list[Provider]:
        found: list[Provider] = []
        if "kakao" in self._keys:
            found.append(KakaoPlaces(self._kakao()))
        if "serpapi" in self._keys:
            found.append(SerpApiPlaces(self._origin("serpapi", parameter="api_key")))
        return found

    def _web(self) -> list[Provider]:
        """Google, then SerpAPI, then Kakao."""
        found: list[Provider] = []
        if "google" in self._keys:
            engine = self._keys.get("google-engine", "")
            key = {"key": self._keys["google"], "cx": engine}
            found.append(GoogleSearch(JsonOrigin(self._http, self._urls["google"], parameters=key)))
        if "serpapi" in self._keys:
            found.append(SerpApi(self._origin("serpapi", parameter="api_key")))
        if "kakao" in self._keys:
            found.append(KakaoWeb(self._kakao()))
        return found

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
