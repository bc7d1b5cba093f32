"""Tools of the client, with OpenAI's own package."""

from typing import Any

import openai
import pytest

from tests.integration.api.openai.conftest import ServedStack
from tests.stack import Databases, new_stack, served

pytestmark = pytest.mark.requirement("CH1")


ORDER: Any = {
    "type": "function",
    "function": {
        "name": "get_order",
        "description": "An order by its number.",
        "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}},
    },
}
ASKED: list[Any] = [{"role": "user", "content": "주문 42번은 어디쯤 왔나요?"}]


async def test_the_clients_tools_are_called_by_the_client_and_answered_in_a_turn(
    served_stack: ServedStack,
) -> None:
    create = served_stack.client().chat.completions.create
    first = await create(model="saegim", messages=ASKED, tools=[ORDER])
    calls = first.choices[0].message.tool_calls or []
    result: Any = {
        "role": "tool",
        "tool_call_id": calls[0].id,
        "content": "주문 42번은 대전 허브에 있음",
    }
    said: Any = first.choices[0].message.model_dump(exclude_none=True)
    second = await create(model="saegim", messages=[*ASKED, said, result], tools=[ORDER])
    shown = served_stack.last_shown()
    evidence = shown.system + "".join(message.text for message in shown.messages)

    assert first.choices[0].finish_reason == "tool_calls"
    assert [(c.function.name, c.function.arguments) for c in calls if c.type == "function"] == [
        ("get_order", '{"number":42}')
    ]
    assert (first.model_extra or {})["session_id"] is None, "nothing is stored before the answer"
    assert second.choices[0].finish_reason == "stop"
    assert second.choices[0].message.content
    assert "대전 허브에 있음" in evidence


async def test_tool_calls_are_streamed_and_may_be_forbidden(served_stack: ServedStack) -> None:
    create = served_stack.client().chat.completions.create
    stream = await create(
        model="saegim",
        messages=ASKED,
        tools=[ORDER],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = [chunk async for chunk in stream]
    deltas = [chunk.choices[0] for chunk in chunks if chunk.choices]
    [call] = [call for each in deltas for call in each.delta.tool_calls or ()]
    none = await create(model="saegim", messages=ASKED, tools=[ORDER], tool_choice="none")

    assert call.function is not None
    assert call.function.name == "get_order"
    assert deltas[-1].finish_reason == "tool_calls"
    assert chunks[-1].usage is not None
    assert none.choices[0].finish_reason == "stop"


async def test_without_a_model_tools_are_ignored_and_results_are_quoted(
    databases: Databases,
) -> None:
    async with (
        new_stack(databases) as stack,
        served(stack.services) as http,
        openai.AsyncOpenAI(
            base_url=f"{http.base_url}/v1", api_key=stack.tenant.key, max_retries=0, timeout=120
        ) as client,
    ):
        whole = await client.chat.completions.create(
            model="saegim", messages=ASKED, tools=[ORDER], user="alice"
        )

    assert whole.choices[0].finish_reason == "stop"
    assert whole.choices[0].message.content
