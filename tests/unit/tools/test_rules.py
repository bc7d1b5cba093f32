import pytest

from saegim.tools.service import planned

ALL = {"get_weather", "get_us_stock_info", "search_for_place", "web_search"}


@pytest.mark.requirement("TL1")
@pytest.mark.parametrize(
    ("message", "tool", "parameters"),
    [
        ("서울 날씨", "get_weather", {"place": "서울"}),
        ("오늘 서울 날씨 어때?", "get_weather", {"place": "서울"}),
        ("부산의 현재 기온", "get_weather", {"place": "부산"}),
        ("weather in New York", "get_weather", {"place": "New York"}),
        ("AAPL 주가 알려줘", "get_us_stock_info", {"symbol": "AAPL"}),
        ("테슬라 주가", "get_us_stock_info", {"symbol": "TSLA"}),
        ("강남역 근처 맛집", "search_for_place", {"query": "강남역 근처 맛집"}),
        ("인터넷에서 검색해줘", "web_search", {"query": "인터넷에서 검색해줘"}),
    ],
)
def test_the_wording_asks_for_a_tool(message: str, tool: str, parameters: dict[str, str]) -> None:
    [request] = planned(message, ALL)
    assert (request.tool_name, request.parameters) == (tool, parameters)


@pytest.mark.parametrize("message", ["EC2 비용 줄이는 방법?", "날씨", "SUPRA XP 센서 이상"])
def test_other_messages_ask_for_none(message: str) -> None:
    assert planned(message, ALL) == []


def test_a_tool_that_is_not_offered_is_not_planned() -> None:
    assert planned("서울 날씨", {"web_search"}) == []
