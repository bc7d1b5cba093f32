"""Providers of facts, by their APIs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from saegim.tools.origin import JsonOrigin
from saegim.tools.types import Fact, ToolFailed

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


@dataclass(frozen=True, slots=True)
class OpenMeteo:
    """Weather by Open-Meteo, which needs no key."""

    geocoding: JsonOrigin
    forecast: JsonOrigin
    name: str = "open-meteo"

    async def ask(self, text: str) -> list[Fact]:
        results = await self.geocoding.read("/v1/search", name=text, count="1", language="ko")
        places = items(results, "results")
        if not places:
            return []
        place = places[0]
        answer = _object(
            await self.forecast.read(
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


@dataclass(frozen=True, slots=True)
class OpenWeather:
    origin: JsonOrigin
    name: str = "openweather"

    async def ask(self, text: str) -> list[Fact]:
        answer = _object(await self.origin.read("/data/2.5/weather", q=text, units="metric"))
        main = _object(answer.get("main"))
        sky = next((_text(each, "description") for each in items(answer, "weather")), "")
        name = _text(answer, "name") or text
        fact = f"{name}: {sky} {_text(main, 'temp')}°C, 습도(humidity) {_text(main, 'humidity')}%"
        return [Fact(fact, f"{name} 날씨")]


@dataclass(frozen=True, slots=True)
class Finnhub:
    """Prices of US stocks by Finnhub."""

    origin: JsonOrigin
    name: str = "finnhub"

    async def ask(self, text: str) -> list[Fact]:
        symbol = text.upper()
        quote = _object(await self.origin.read("/api/v1/quote", symbol=symbol))
        if not quote.get("c"):
            return []
        fact = (
            f"{symbol}: ${_text(quote, 'c')} (전일 대비 change {_text(quote, 'dp')}%, "
            f"고가 high ${_text(quote, 'h')}, 저가 low ${_text(quote, 'l')})"
        )
        return [Fact(fact, f"{symbol} 주가")]


@dataclass(frozen=True, slots=True)
class AlphaVantage:
    """Prices of stocks by Alpha Vantage."""

    origin: JsonOrigin
    name: str = "alphavantage"

    async def ask(self, text: str) -> list[Fact]:
        symbol = text.upper()
        answer = _object(await self.origin.read("/query", function="GLOBAL_QUOTE", symbol=symbol))
        quote = _object(answer.get("Global Quote", {}))
        price = _text(quote, "05. price")
        change = _text(quote, "10. change percent")
        return [Fact(f"{symbol}: ${price} ({change})", f"{symbol} 주가")] if price else []


@dataclass(frozen=True, slots=True)
class KakaoPlaces:
    """Places in Korea by Kakao."""

    origin: JsonOrigin
    name: str = "kakao"

    async def ask(self, text: str) -> list[Fact]:
        answer = await self.origin.read("/v2/local/search/keyword.json", query=text, size=str(MOST))
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


@dataclass(frozen=True, slots=True)
class SerpApiPlaces:
    origin: JsonOrigin
    name: str = "serpapi"

    async def ask(self, text: str) -> list[Fact]:
        answer = await self.origin.read("/search.json", engine="google_maps", q=text)
        return [
            Fact(f"{_text(each, 'title')}, {_text(each, 'address')}", _text(each, "title"))
            for each in items(answer, "local_results")[:MOST]
        ]


@dataclass(frozen=True, slots=True)
class WebSearch:
    """Web search by an API that returns a list of titles, texts and links."""

    name: str
    origin: JsonOrigin
    path: str
    query: str
    parameters: Mapping[str, str]
    results: str
    text: str = "snippet"
    link: str = "link"

    @classmethod
    def google(cls, origin: JsonOrigin) -> "WebSearch":
        return cls("google", origin, "/customsearch/v1", "q", {"num": str(MOST)}, "items")

    @classmethod
    def serpapi(cls, origin: JsonOrigin) -> "WebSearch":
        google = {"engine": "google"}
        return cls("serpapi", origin, "/search.json", "q", google, "organic_results")

    @classmethod
    def kakao(cls, origin: JsonOrigin) -> "WebSearch":
        size = {"size": str(MOST)}
        return cls("kakao", origin, "/v2/search/web", "query", size, "documents", "contents", "url")

    async def ask(self, text: str) -> list[Fact]:
        answer = await self.origin.read(self.path, **self.parameters, **{self.query: text})
        return [
            Fact(_text(each, self.text), _text(each, "title"), _link(each, self.link))
            for each in items(answer, self.results)[:MOST]
        ]
