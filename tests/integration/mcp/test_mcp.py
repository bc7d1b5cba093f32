"""The protocol's own client on both transports of the MCP server."""

import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.integration.library.conftest import GUIDE, bring_in, search
from tests.stack import Databases, Stack, new_stack, served

pytestmark = pytest.mark.requirement("CH5")

TOOLS = {"remember", "recall", "search", "lookup", "get_section", "forget", "ask_memory"}
SAEGIM = str(Path(sys.executable).with_name("saegim"))
TRANSPORTS = ["http", "stdio"]


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running:
        await running.services.warm_up()
        await bring_in(running, {"ec2.md": GUIDE})
        yield running


@contextlib.asynccontextmanager
async def connected(stack: Stack, transport: str, user: str) -> AsyncIterator[Client]:
    async with served(stack.services) as http:
        if transport == "stdio":
            environment = {
                name: value for name, value in os.environ.items() if not name.startswith("SAEGIM_")
            }
            started = StdioServerParameters(
                command=SAEGIM,
                args=["mcp", "--url", str(http.base_url), "--user", user],
                env=environment | {"SAEGIM_KEY": stack.tenant.key},
            )
            async with Client(started) as client:
                yield client
        else:
            headers = stack.headers(user)
            async with (
                httpx2.AsyncClient(headers=headers, timeout=180) as sender,
                Client(
                    streamable_http_client(f"{http.base_url}/mcp", http_client=sender)
                ) as client,
            ):
                yield client


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found = result.structured_content
    return found if found is not None else json.loads(result.content[0].text)  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_what_one_session_remembers_the_next_recalls_and_forgets(
    stack: Stack, transport: str
) -> None:
    user = f"mcp-{transport}"
    async with connected(stack, transport, user) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        added = await called(client, "remember", content="땅콩 알레르기가 있다", type="constraint")
    async with connected(stack, transport, user) as client:
        before = await called(client, "recall", message="알레르기가 뭐였지?")
        await called(client, "forget", memory_id=added["memory_id"])
        after = await called(client, "recall", message="알레르기가 뭐였지?")

    assert [each["id"] for each in before["memories"]] == [added["memory_id"]]
    assert before["memories"][0]["text"] == "땅콩 알레르기가 있다"
    assert after["memories"] == []


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_it_finds_and_opens_the_same_passages_as_the_api(
    stack: Stack, transport: str
) -> None:
    native = await search(stack, "스팟 인스턴스를 여는 방법")
    async with connected(stack, transport, "alice") as client:
        found = await called(client, "search", query="스팟 인스턴스를 여는 방법")
        passage = found["found"][0]
        section = await called(client, "get_section", passage_id=passage["passage_id"])
        document = await called(client, "lookup", document_id=passage["document_id"])

    assert [each["passage_id"] for each in found["found"]] == [
        each["passage_id"] for each in native["found"]
    ]
    assert passage["passage_id"] in {each["passage_id"] for each in section["passages"]}
    assert any("콘솔에서 스팟 요청을 엽니다" in each["text"] for each in document["passages"])


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_what_is_not_there_is_an_error_that_the_agent_can_read(
    stack: Stack, transport: str
) -> None:
    async with connected(stack, transport, "alice") as client:
        result = await client.call_tool("forget", {"memory_id": str(uuid4())})

    assert result.is_error
    assert result.content


async def test_wrong_arguments_are_named_in_words(stack: Stack) -> None:
    async with connected(stack, "http", "alice") as client:
        result = await client.call_tool("forget", {"memory_id": "no id"})

    text: str = result.content[0].text  # pyright: ignore[reportAttributeAccessIssue]
    assert result.is_error
    assert text.startswith("memory_id: ")
    assert "pydantic" not in text


async def test_memory_of_another_user_is_not_recalled(stack: Stack) -> None:
    async with connected(stack, "http", "one") as client:
        added = await called(client, "remember", content="비밀번호 힌트는 한라산")
    async with connected(stack, "http", "other") as client:
        found = await called(client, "recall", message="비밀번호 힌트")
        stolen = await client.call_tool("forget", {"memory_id": added["memory_id"]})

    assert found["memories"] == []
    assert stolen.is_error


@pytest.mark.parametrize("key", ["", "Bearer sk-none"])
async def test_without_a_credential_there_is_not_even_a_list_of_tools(
    stack: Stack, key: str
) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Accept": "application/json, text/event-stream", "Authorization": key}
    response = await stack.http.post("/mcp", json=body, headers=headers)

    assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")
