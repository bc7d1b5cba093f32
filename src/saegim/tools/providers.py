"""Providers of facts, by their APIs."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from saegim.tools.origin import JsonOrigin
from saegim.tools.types import Fact, ToolFailed

Origins = Callable[[str], JsonOrigin]
"""Returns the HTTP client of a provider, by its name in the settings."""
Ask = Callable[[Origins, str], Awaitable[list[Fact]]]
"""Returns facts about a text, or none. Raises ToolFailed."""

MOST = 5
LONGEST_SNIPPET = 400

_SKY = {
    0: "맑음 (clear)", 1: "대체로 맑음 (mostly clear)", 2: "구름 조금 (partly cloudy)",
    3: "흐림 (overcast)", 45: "안개 (fog)", 48: "안개 (fog)", 51: "이슬비 (drizzle)",
    61: "비 (rain)", 63: "비 (rain)", 65: "강한 비 (heavy rain)", 71: "눈 (snow)",
    73: "눈 (snow)", 75: "강한 눈 (heavy snow)", 80: "소나기 (showers)", 95: "뇌우 (thunderstorm)",
}  # fmt: skip


def items(value: Any, *path: str) -> list[Mapping[str, Any]]:
    """Return the list of objects at a path of a response. Raises ToolFailed if it is none."""
    for key in path:
        value = _object(value).get(key, [])
    if not isinstance(value, list):
        raise ToolFailed("broken_answer")
    return [_object(item) for item in cast("list[Any]", value)]


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ToolFailed("broken_answer")
    return cast("Mapping[str, Any]", value)


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    return "" if value is None else str(value)[:LONGEST_SNIPPET]


def _link(item: Mapping[str, Any], key: str) -> str | None:
    url = _text(item, key)
    return url if url.startswith(("https://", "http://")) else None


async def open_meteo(origins: Origins, text: str) -> list[Fact]:
    """Weather by Open-Meteo, which needs no key."""
    geocoding = origins("open-meteo-geocoding")
    results = await geocoding.read("/v1/search", name=text, count="1", language="ko")
    places = items(results, "results")
    if not places:
        return []
    place = places[0]
    answer = _object(
        await origins("open-meteo").read(
            "/v1/forecast",
            latitude=_text(place, "latitude"),
            longitude=_text(place, "longitude"),
            current="temperature_2m,relative_humidity_2m,precipitation,weather_code,wind_speed_10m",
            daily="temperature_2m_max,temperature_2m_min,precipitation_probability_max",
            timezone="auto",
            forecast_days="1",
        )
    )
    now = _object(answer.get("current"))
    sky = _SKY.get(now.get("weather_code", -1), "")
    name = " ".join(filter(None, [_text(place, "country"), _text(place, "name")]))
    fact = (
        f"{name} {_text(now, 'time')}: {sky} {_text(now, 'temperature_2m')}°C, "
        f"습도(humidity) {_text(now, 'relative_humidity_2m')}%, "
        f"강수(precipitation) {_text(now, 'precipitation')} mm, "
        f"바람(wind) {_text(now, 'wind_speed_10m')} km/h"
    )
    return [Fact(fact, f"{name} 날씨")]


async def open_weather(origins: Origins, text: str) -> list[Fact]:
    origin = origins("openweather")
    answer = _object(await origin.read("/data/2.5/weather", q=text, units="metric"))
    main = _object(answer.get("main"))
    sky = next((_text(each, "description") for each in items(answer, "weather")), "")
    name = _text(answer, "name") or text
    fact = f"{name}: {sky} {_text(main, 'temp')}°C, 습도(humidity) {_text(main, 'humidity')}%"
    return [Fact(fact, f"{name} 날씨")]


async def finnhub(origins: Origins, text: str) -> list[Fact]:
    symbol = text.upper()
    quote = _object(await origins("finnhub").read("/api/v1/quote", symbol=symbol))
    if not quote.get("c"):
        return []
    fact = (
        f"{symbol}: ${_text(quote, 'c')} (전일 대비 change {_text(quote, 'dp')}%, "
        f"고가 high ${_text(quote, 'h')}, 저가 low ${_text(quote, 'l')})"
    )
    return [Fact(fact, f"{symbol} 주가")]


async def alpha_vantage(origins: Origins, text: str) -> list[Fact]:
    symbol, origin = text.upper(), origins("alphavantage")
    answer = _object(await origin.read("/query", function="GLOBAL_QUOTE", symbol=symbol))
    quote = _object(answer.get("Global Quote", {}))
    price = _text(quote, "05. price")
    change = _text(quote, "10. change percent")
    return [Fact(f"{symbol}: ${price} ({change})", f"{symbol} 주가")] if price else []


async def kakao_places(origins: Origins, text: str) -> list[Fact]:
    """Places in Korea by Kakao."""
    origin = origins("kakao")
    answer = await origin.read("/v2/local/search/keyword.json", query=text, size=str(MOST))
    return [
        Fact(
            f"{_text(each, 'place_name')} ({_text(each, 'category_name')}), "
            f"{_text(each, 'road_address_name') or _text(each, 'address_name')}, "
            f"{_text(each, 'phone')}",
            _text(each, "place_name"),
            _link(each, "place_url"),
        )
        for each in items(answer, "documents")[:MOST]
    ]


async def serpapi_places(origins: Origins, text: str) -> list[Fact]:
    answer = await origins("serpapi").read("/search.json", engine="google_maps", q=text)
    return [
        Fact(f"{_text(each, 'title')}, {_text(each, 'address')}", _text(each, "title"))
        for each in items(answer, "local_results")[:MOST]
    ]


@dataclass(frozen=True, slots=True)
class WebSearch:
    """Web search by an API that returns a list of titles, texts and links."""

    name: str
    path: str
    results: str
    parameters: Mapping[str, str]
    query: str = "q"
    text: str = "snippet"
    link: str = "link"

    async def ask(self, origins: Origins, text: str) -> list[Fact]:
        parameters = {**self.parameters, self.query: text}
        answer = await origins(self.name).read(self.path, **parameters)
        return [
            Fact(_text(each, self.text), _text(each, "title"), _link(each, self.link))
            for each in items(answer, self.results)[:MOST]
        ]


GOOGLE = WebSearch("google", "/customsearch/v1", "items", {"num": str(MOST)})
SERPAPI = WebSearch("serpapi", "/search.json", "organic_results", {"engine": "google"})
KAKAO = WebSearch(
    "kakao", "/v2/search/web", "documents", {"size": str(MOST)}, "query", "contents", "url"
)
