"""LangChain against the started server."""

import contextlib
from collections.abc import AsyncIterator

import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.integration.api.openai.conftest import QUESTION, ServedStack

pytestmark = pytest.mark.requirement("CH1")


@contextlib.asynccontextmanager
async def langchain(served_stack: ServedStack, **headers: str) -> AsyncIterator[ChatOpenAI]:
    """LangChain's client with connections of its own: it caches them by URL otherwise."""
    with openai.DefaultHttpxClient() as blocking:
        async with openai.DefaultAsyncHttpxClient() as http:
            yield ChatOpenAI(
                model="saegim",
                base_url=str(served_stack.sender.base_url),
                api_key=SecretStr(served_stack.stack.tenant.key),
                default_headers=headers,
                http_client=blocking,
                http_async_client=http,
                max_retries=0,
                timeout=120,
            )


async def test_langchain_holds_a_conversation_of_three_turns(served_stack: ServedStack) -> None:
    headers = {"Saegim-User": "bob", "Saegim-Session": "langchain"}
    # Another user, so that no earlier turn is recalled.
    native = await served_stack.stack.say(QUESTION, "carol")
    async with langchain(served_stack, **headers) as chat:
        first = await chat.ainvoke("제 서버 이름은 지리입니다")
        pieces = [piece async for piece in chat.astream(QUESTION)]
        await chat.ainvoke("제 서버 이름이 뭐라고 했죠?")
    said = " ".join(message.text for message in served_stack.last_shown().messages)

    assert first.content
    assert "".join(str(piece.content) for piece in pieces) == native["answer"]
    assert "제 서버 이름은 지리입니다" in said


async def test_a_langchain_agent_calls_its_tool(served_stack: ServedStack) -> None:
    @tool
    def get_order(number: int) -> str:
        """An order by its number."""
        return f"주문 {number}번은 대전 허브에 있음"

    asked = HumanMessage("주문 42번은 어디쯤 왔나요?")
    async with langchain(served_stack, **{"Saegim-User": "grace"}) as chat:
        agent = chat.bind_tools([get_order])
        planned = await agent.ainvoke([asked])
        assert isinstance(planned, AIMessage)
        results = [await get_order.ainvoke(call) for call in planned.tool_calls]
        answered = await agent.ainvoke([asked, planned, *results])
    shown = served_stack.last_shown()

    assert [call["args"] for call in planned.tool_calls] == [{"number": 42}]
    assert answered.content
    assert "대전 허브에 있음" in shown.system + "".join(each.text for each in shown.messages)
