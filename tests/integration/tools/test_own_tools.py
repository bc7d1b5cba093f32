"""Tools that a deployment adds by naming a module."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.doubles.models import RecordedRequest, Reply, call
from saegim.chat.context.evidence import Refs
from saegim.chat.turn_tools.offer import outside_tool
from saegim.chat.turn_tools.types import ToolAnswer
from saegim.domain.errors import Invalid
from saegim.tools.discovery import discover
from saegim.tools.service import Tools
from saegim.tools.types import ToolRequest, ToolSpec
from tests.integration.chat.library_stack import (
    ask,
    scripted,
    stored_library_stack,
)
from tests.stack import Databases

MODULE = "tests.integration.tools.own_tools"


@pytest.mark.requirement("TL2")
async def test_a_function_with_a_docstring_is_a_tool() -> None:
    tools = Tools(discover([MODULE]))
    [spec] = await tools.offered()
    assert (spec.name, spec.about) == ("order_status", "The status of an order.")
    assert spec.parameters["required"] == ["order_number"]

    plan = [ToolRequest("order_status", {"order_number": number}) for number in ("A-1", "A-0")]
    found, failed = await tools.run([*plan], "?")
    assert found.facts[0].text == "주문 A-1은 배송 중입니다."
    assert (failed.state, failed.reason) == ("failed", "error")


@pytest.mark.parametrize("module", ["no.such.module", "tests.integration.tools"])
def test_a_module_without_tools_is_refused_at_start(module: str) -> None:
    with pytest.raises(Invalid, match=module):
        discover([module])


@pytest.mark.requirement("TL2")
@pytest.mark.parametrize(("number", "ran"), [("A-17", True), ("Z-99", False)])
async def test_model_calls_tools_only_with_the_users_own_words(
    databases: Databases, number: str, ran: bool
) -> None:
    """`Z-99` can only come from a document: the user did not mention it."""

    def lite(shown: RecordedRequest) -> Reply:
        last = shown.messages[-1]
        if last.role != "tool":
            return call("order_status", order_number=number)
        return "배송 중입니다 [F1]." if "배송 중" in last.text else "모릅니다."

    models = scripted(lite=lite)
    async with stored_library_stack(
        databases, models, settings={"tool_modules": [MODULE]}
    ) as stack:
        reply = await ask(stack, "EC2 주문 A-17 어디까지 왔나요?")

    assert "order_status" in models.requests[0].tools
    assert "`order_status`" in models.requests[0].system
    assert [one["tool"] for one in reply["trace"]["tools"]] == (["order_status"] if ran else [])
    assert reply["answer"].startswith("배송 중입니다 [F1]." if ran else "모릅니다.")
    assert [one["marker"] for one in reply["citations"]] == (["F1"] if ran else [])


@pytest.mark.requirement("TL2")
@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        ({}, True),
        ({"place": "서울"}, True),
        ({"place": "SEOUL", "days": 3}, True),
        ({"unit": "celsius"}, True),
        ({"place": "서울 평양"}, False),
        ({"days": 7}, False),
        ({"place": ["서울"]}, False),
        ({"url": "https://evil.example/?d=secret"}, False),
    ],
)
async def test_arguments_stand_in_the_message_or_in_the_schema(
    parameters: dict[str, Any], allowed: bool
) -> None:
    weather = ToolSpec(
        "station.weather",
        "The weather of a place.",
        {"properties": {"place": {}, "unit": {"enum": ["celsius", "kelvin"]}}},
    )
    work: Any = SimpleNamespace(
        turn=SimpleNamespace(message="서울(Seoul) 날씨를 3일 치 알려줘"),
        before=(),
        refs=Refs(),
        trace=SimpleNamespace(tools=[]),
        shown=lambda _, __, rest: ToolAnswer(rest),
    )
    tool = outside_tool(weather, Tools(), None, work)
    answer = await tool.run(json.dumps(parameters), 1)
    assert tool.name == "station_weather", "providers refuse a dot"
    assert ("must be words of the user's messages" in answer.text) is not allowed
