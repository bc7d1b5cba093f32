"""Which tools a message asks for, by its wording; where no model plans."""

import re
from collections.abc import Collection

from saegim.tools.types import ToolRequest

_WEATHER = re.compile(
    r"(?P<place>[가-힣A-Za-z][가-힣A-Za-z ]{0,30}?)?\s*(?:의\s)?"
    r"(?:오늘|지금|내일|현재)?\s*(?:날씨|기온)"
    r"|weather (?:in|at|for|of) (?P<where>[A-Za-z][A-Za-z .'-]{1,40})",
    re.IGNORECASE,
)
_TICKER = re.compile(
    r"(?<![A-Za-z])(?P<symbol>[A-Z]{1,5})(?:의)?\s*"
    r"(?:주가|주식 가격|stock price|share price|stock\b)"
    r"|(?:price of|stock price of|주가[:\s])\s*(?P<of>[A-Z]{1,5})\b"
)
_COMPANIES = {
    "애플": "AAPL", "마이크로소프트": "MSFT", "엔비디아": "NVDA", "테슬라": "TSLA", "구글": "GOOGL",
    "알파벳": "GOOGL", "아마존": "AMZN", "메타": "META", "넷플릭스": "NFLX", "apple": "AAPL",
    "microsoft": "MSFT", "nvidia": "NVDA", "tesla": "TSLA", "google": "GOOGL", "amazon": "AMZN",
}  # fmt: skip
_PRICE = re.compile(r"주가|주식 가격|stock price|share price", re.IGNORECASE)
_PLACE = re.compile(
    r"맛집|근처|주변|카페 (?:추천|찾)|어디(?:에)? 있|near (?:me|by)|nearby|restaurants? in"
)
_WEB = re.compile(
    r"(?:인터넷|웹|구글|네이버)(?:에서|으로|에)?\s*(?:검색|찾아)"
    r"|검색해\s?(?:줘|주세요|봐)|최신 뉴스|뉴스 알려"
    r"|search (?:the )?(?:web|internet)|google (?:it|for)|latest news",
    re.IGNORECASE,
)
_WHEN = re.compile(r"^(?:오늘|지금|내일|현재|요즘|그럼|그러면|혹시)\s*|\s*(?:오늘|지금|내일|현재)$")


def planned(message: str, offered: Collection[str]) -> list[ToolRequest]:
    """The tools that the wording asks for, of those that are offered."""
    plan: list[ToolRequest] = []
    weather = _WEATHER.search(message)
    if weather:
        place = _WHEN.sub("", (weather["place"] or weather["where"] or "").strip()).strip()
        if place:
            plan.append(ToolRequest("get_weather", {"place": place}))
    symbol = _symbol(message)
    if symbol:
        plan.append(ToolRequest("get_us_stock_info", {"symbol": symbol}))
    if _PLACE.search(message):
        plan.append(ToolRequest("search_for_place", {"query": message}))
    if _WEB.search(message):
        plan.append(ToolRequest("web_search", {"query": message}))
    return [request for request in plan if request.tool_name in offered]


def _symbol(message: str) -> str | None:
    found = _TICKER.search(message)
    if found:
        return found["symbol"] or found["of"]
    if _PRICE.search(message):
        folded = message.casefold()
        return next((symbol for name, symbol in _COMPANIES.items() if name in folded), None)
    return None
