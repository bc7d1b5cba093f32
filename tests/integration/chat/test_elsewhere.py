"""Answers from history, memory and tools if no document matches."""

from typing import Any

import pytest
from pydantic import SecretStr

from benchmarks.doubles.models import RecordedRequest, Reply, call
from benchmarks.doubles.services import CannedResponse, LocalService, ReceivedRequest
from saegim.llm.bundled_embedders import BundledEmbedder
from tests.integration.chat.library_stack import (
    ask,
    scripted,
    stored_library_stack,
)
from tests.stack import Databases

COST = "우리 AWS 비용은 한 달에 $12,500이야."
CAT = "내 고양이 이름은 나비야."


def weather(asked: ReceivedRequest) -> CannedResponse:
    if asked.path == "/v1/search":
        place = {"name": "서울", "country": "대한민국", "latitude": 37.5, "longitude": 127.0}
        return CannedResponse({"results": [place]})
    now = {"time": "2026-11-15T09:00", "temperature_2m": 7.5, "weather_code": 0}
    return CannedResponse({"current": now})


def with_weather(url: str) -> dict[str, Any]:
    return {
        "tool_keys": {"open-meteo": SecretStr("on")},
        "tool_urls": {"open-meteo": url, "open-meteo-geocoding": url},
    }


@pytest.mark.requirement("TN4", "WM6")
async def test_what_was_told_is_quoted_in_search_mode(databases: Databases) -> None:
    async with stored_library_stack(databases, heads_embedder=BundledEmbedder()) as stack:
        await ask(stack, COST)
        await ask(stack, CAT)
        await ask(stack, "11월 비용을 서비스별로 분석하기로 했어, 우리 팀은.")
        cost = await ask(stack, "처음에 말한 AWS 비용이 얼마였지?")
        cat = await ask(stack, "내 고양이 이름이 뭐였지?")

    assert "- “우리 AWS 비용은 한 달에 $12,500이야”" in cost["answer"]
    assert cost["citations"][0]["kind"] in ("turn", "memory")
    assert "- “내 고양이 이름은 나비야”" in cat["answer"]


@pytest.mark.requirement("TN4", "WM6", "TN7")
async def test_four_questions_with_models_that_find_no_document(databases: Databases) -> None:
    def lite(shown: RecordedRequest) -> Reply:
        texts, last = " ".join(each.text for each in shown.messages), shown.messages[-1]
        if last.role == "user" and "서울 날씨" in last.text:
            return call("get_weather", place="서울")
        return "값은 " + ("7.5도 [F1]" if "7.5°C" in texts else "$12,500 [T1]") + "입니다 [9]."

    models = scripted(lite=lite)
    async with (
        LocalService(weather) as service,
        stored_library_stack(databases, models, settings=with_weather(service.url)) as stack,
    ):
        await ask(stack, COST)
        await ask(stack, CAT)
        cost = await ask(stack, "처음에 말한 AWS 비용이 얼마였지?")
        january = await ask(stack, "1월은?")
        cat = await ask(stack, "내 고양이 이름이 뭐였지?")
        seoul = await ask(stack, "서울 날씨")

    for reply in (cost, january, cat):
        assert (reply["outcome"], reply["answer"]) == ("answered", "값은 $12,500 [T1]입니다 .")
    assert seoul["answer"] == "값은 7.5도 [F1]입니다 ."
    assert [one["marker"] for one in seoul["citations"]] == ["F1"]
