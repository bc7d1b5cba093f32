"""Tools that a deployment adds by naming a module."""

from typing import Any

import pytest

from saegim.chat.understanding import PlannedTool, allowed_requests
from saegim.domain.errors import Invalid
from saegim.tools.discovery import discover
from saegim.tools.service import Tools
from saegim.tools.types import ToolRequest
from tests.integration.chat.library_stack import (
    ask,
    assessor,
    drafted,
    reviewed,
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


@pytest.mark.requirement("TN6", "TL2")
@pytest.mark.parametrize(("number", "ran"), [("A-17", True), ("Z-99", False)])
async def test_a_draft_runs_tools_only_with_the_users_own_words(
    databases: Databases, number: str, ran: bool
) -> None:
    """`Z-99` can only come from a document: the user did not mention it."""
    plan = [{"tool_name": "order_status", "parameters": {"order_number": number}}]

    def strong(shown: Any) -> str:
        text = " ".join(message.text for message in shown.messages)
        return "배송 중입니다 [F1]." if f"주문 {number}은 배송 중" in text else "모릅니다."

    models = scripted(
        assessor=assessor(review=reviewed(0, confidence=0.6)),
        lite=lambda _: drafted("확인해 보겠습니다.", tool_plan=plan),
        strong=strong,
    )
    async with stored_library_stack(
        databases, models, settings={"tool_modules": [MODULE]}
    ) as stack:
        reply = await ask(stack, "EC2 주문 A-17 어디까지 왔나요?")

    assert "order_status" in next(s for s in models.requests if "self_score" in s.system).system
    assert [one["tool"] for one in reply["trace"]["tools"]] == (["order_status"] if ran else [])
    assert reply["answer"].startswith("배송 중입니다 [F1]." if ran else "모릅니다.")
    assert [one["marker"] for one in reply["citations"]] == (["F1"] if ran else [])
    assert "wants_tools" in reply["trace"]["answer"]["reasons"]


@pytest.mark.requirement("TN6")
@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        ({}, True),
        ({"place": "서울"}, True),
        ({"place": "SEOUL", "days": 3}, True),
        ({"place": "서울 평양"}, False),
        ({"days": 7}, False),
        ({"place": ["서울"]}, False),
        ({"url": "https://evil.example/?d=secret"}, False),
    ],
)
def test_a_planned_parameter_stands_in_what_the_user_said(
    parameters: dict[str, Any], allowed: bool
) -> None:
    plan = [PlannedTool(tool_name="get_weather", parameters=parameters)]
    assert bool(allowed_requests(plan, ["서울(Seoul) 날씨를 3일 치 알려줘"])) == allowed
