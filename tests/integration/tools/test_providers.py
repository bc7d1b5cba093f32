"""Tools with working and failing providers."""

import asyncio
from collections.abc import Callable

import pytest
from aiohttp import web

from benchmarks.doubles.services import CannedResponse, LocalService, ReceivedRequest
from saegim.tools.clients import Chain, Provider, ToolClients
from saegim.tools.origin import MOST_BYTES
from saegim.tools.service import Tools
from saegim.tools.types import Fact, Facts, ToolFailed, ToolRequest, ToolResult

SEOUL = {"name": "서울", "country": "대한민국", "latitude": 37.5, "longitude": 127.0}
NOW = {"time": "2026-11-15T09:00", "temperature_2m": 7.5, "weather_code": 0}
WEATHER = {"/v1/search": {"results": [SEOUL]}, "/v1/forecast": {"current": NOW}}
NAMES = [
    "open-meteo",
    "openweather",
    "finnhub",
    "alphavantage",
    "kakao",
    "serpapi",
    "google",
    "google-engine",
]
KEYS = dict.fromkeys(NAMES, "k")
BAD: dict[str, CannedResponse] = {
    "an error": CannedResponse({"error": "x"}, status=500),
    "no permission": CannedResponse({}, status=403),
    "no json": CannedResponse(b"<html>"),
    "another shape": CannedResponse(
        {"items": "none", "organic_results": {}, "documents": 3, "results": 1}
    ),
    "a list": CannedResponse([]),
    "a redirect": CannedResponse(
        {}, status=302, headers={"Location": "http://169.254.169.254/latest"}
    ),
    "half an answer": CannedResponse({"items": [{"snippet": "x" * 500}]}, breaks_after=20),
    "too much": CannedResponse(b'"' + b"x" * (MOST_BYTES + 10) + b'"'),
    "silence": CannedResponse({}, seconds=3600),
}


def well(asked: ReceivedRequest) -> CannedResponse:
    if asked.path in WEATHER:
        return CannedResponse(WEATHER[asked.path])
    return CannedResponse(
        {
            "items": [{"title": "구글", "snippet": "구글이 찾은 글", "link": "https://a.example"}],
            "organic_results": [{"title": "서프", "snippet": "서프가 찾은 글", "link": "x"}],
            "documents": [
                {"title": "카카오", "contents": "카카오가 찾은 글", "url": "https://k.example",
                 "place_name": "국밥집", "category_name": "한식", "address_name": "서울"}
            ],
            "c": 190.5, "dp": 1.2, "h": 191, "l": 188,
        }
    )  # fmt: skip


async def run(
    answer: Callable[[ReceivedRequest], CannedResponse],
    *requests: ToolRequest,
    seconds: float = 300.0,
    provider_seconds: float = 60.0,
    serve: type[LocalService] = LocalService,
) -> tuple[list[ToolResult], list[ReceivedRequest]]:
    async with serve(answer) as service:
        names = ["open-meteo-geocoding", *NAMES]
        clients = ToolClients(KEYS, dict.fromkeys(names, service.url), provider_seconds)
        results = await Tools(clients.functions(), seconds=seconds).run(requests, "원래 질문")
        await clients.close()
        return results, service.asked


WEB = ToolRequest("web_search", {"query": "새김"})


@pytest.mark.requirement("TL1")
async def test_each_tool_brings_facts() -> None:
    results, asked = await run(
        well,
        ToolRequest("get_weather", {"place": "서울"}),
        ToolRequest("get_us_stock_info", {"symbol": "aapl"}),
        ToolRequest("search_for_place", {"query": "국밥"}),
        WEB,
    )
    assert [result.state for result in results] == ["ok"] * 4
    assert [result.provider for result in results] == ["open-meteo", "finnhub", "kakao", "google"]
    texts = [result.facts[0].text for result in results]
    assert "7.5°C" in texts[0]
    assert "AAPL: $190.5" in texts[1]
    assert "국밥집" in texts[2]
    assert results[3].facts[0] == Fact("구글이 찾은 글", "구글", "https://a.example")
    assert {one.headers.get("authorization") for one in asked} >= {"KakaoAK k"}


@pytest.mark.requirement("TL1")
@pytest.mark.parametrize("badly", BAD)
async def test_the_next_provider_is_tried(badly: str) -> None:
    def answer(asked: ReceivedRequest) -> CannedResponse:
        return BAD[badly] if asked.path == "/customsearch/v1" else well(asked)

    seconds = 3.0 if badly == "silence" else 60.0
    [result], asked = await run(answer, WEB, provider_seconds=seconds)
    assert (result.state, result.provider) == ("ok", "serpapi")
    assert [one.path for one in asked] == ["/customsearch/v1", "/search.json"]


@pytest.mark.requirement("TL1")
async def test_when_all_fail_it_says_so() -> None:
    [result], asked = await run(lambda _: BAD["an error"], WEB)
    assert (result.state, result.reason, result.facts) == ("failed", "http_500", ())
    assert [one.path for one in asked] == ["/customsearch/v1", "/search.json", "/v2/search/web"]


@pytest.mark.requirement("TL1")
async def test_a_failed_tool_adds_a_web_search() -> None:
    def answer(asked: ReceivedRequest) -> CannedResponse:
        return well(asked) if asked.path == "/customsearch/v1" else BAD["an error"]

    results, asked = await run(answer, ToolRequest("get_weather", {"place": "서울"}))
    assert [(r.tool, r.state, r.added) for r in results] == [
        ("get_weather", "failed", False),
        ("web_search", "ok", True),
    ]
    assert asked[-1].parameters["q"] == "원래 질문"


FOUR = (
    ToolRequest("get_weather", {"place": "서울"}),
    ToolRequest("get_us_stock_info", {"symbol": "AAPL"}),
    ToolRequest("search_for_place", {"query": "국밥"}),
    WEB,
)


class Together(LocalService):
    """Answers nobody before four have asked."""

    def __init__(self, answer: Callable[[ReceivedRequest], CannedResponse]) -> None:
        super().__init__(answer)
        self._waiting = 0
        self._four = asyncio.Event()

    async def respond(self, request: web.Request) -> web.StreamResponse:
        self._waiting += 1
        if self._waiting == len(FOUR):
            self._four.set()
        await self._four.wait()
        return await super().respond(request)


@pytest.mark.requirement("TL2")
async def test_independent_tools_run_at_once() -> None:
    results, _ = await run(well, *FOUR, serve=Together)
    assert [result.state for result in results] == ["ok"] * 4


@pytest.mark.requirement("TL2")
async def test_tools_end_within_their_time() -> None:
    async with asyncio.timeout(120):
        results, _ = await run(lambda _: BAD["silence"], *FOUR, seconds=2.5, provider_seconds=3600)
    assert {(result.state, result.reason) for result in results} == {("failed", "timeout")}


@pytest.mark.requirement("TL2")
async def test_wrong_plans_call_nothing() -> None:
    results, asked = await run(
        well,
        ToolRequest("delete_everything", {}),
        ToolRequest("get_weather", {"plaice": "서울"}),
        ToolRequest("get_weather", {"place": {"nested": 1}}),
    )
    assert [result.state for result in results] == ["refused"] * 3
    assert asked == []


async def test_a_provider_that_keeps_failing_is_left_alone_for_a_while() -> None:
    now = [0.0]
    asked: list[str] = []

    async def fail(text: str) -> list[Fact]:
        asked.append(text)
        raise ToolFailed("http_500")

    chain = Chain([Provider("failing", fail)], now=lambda: now[0])
    for _ in range(5):
        with pytest.raises(ToolFailed):
            await chain.ask("q")
    assert len(asked) == 3
    now[0] = 11.0
    with pytest.raises(ToolFailed):
        await chain.ask("q")
    assert len(asked) == 4


@pytest.mark.requirement("TL2")
async def test_a_new_tool_is_one_function_with_a_docstring() -> None:
    async def roll(sides: int) -> Facts:
        """Rolls a die.

        Args:
            sides: How many sides it has.
        """
        await asyncio.sleep(0)
        return Facts("dice", (Fact(f"{sides}면체: 3"),))

    tools = Tools([roll])
    [spec] = await tools.offered()
    assert (spec.name, spec.about) == ("roll", "Rolls a die.")
    assert spec.parameters["properties"]["sides"]["type"] == "integer"
    [result] = await tools.run([ToolRequest("roll", {"sides": 6})], "")
    assert result.facts[0].text == "6면체: 3"
    assert await tools.offered(allowed=[]) == []
