"""A small local model that a tenant connected: what it cannot do, the rules do, in time."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles.llama import LlamaServer
from saegim.app.infrastructure import Fakes
from saegim.chat.types import TurnTimes
from saegim.cli.demo.command import DOCUMENTS
from saegim.llm.providers import LOCAL
from tests.integration.chat.library_stack import trace
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.model

LOOPBACK = {"model_private_networks": ["127.0.0.0/8"]}
QUESTIONS = ("How long are invitations valid?", "What does the Business plan cost in dollars?")
GUIDES = {path.name: path.read_bytes() for path in DOCUMENTS.glob("guide-*.en.md")}
# Names of tags of the prompt.
TAGS = ("<evidence", "<memories", "<pinned", "<summary", "<entities", "</")
# Beside the model: search, and a machine that does other things, too.
REST_SECONDS = 30.0
REMEMBER_SECONDS = 120.0


@pytest.fixture
async def connected(databases: Databases, llama: LlamaServer) -> AsyncIterator[Stack]:
    """A tenant with the English demo documents and the local model, with the time limits of the
    product."""
    with override_allow_model_requests(True):
        async with new_stack(databases, Fakes(turn_times=TurnTimes()), settings=LOOPBACK) as stack:
            await stack.services.warm_up()
            await bring_in(stack, GUIDES)
            model = {"base_url": llama.base_url, "model": llama.model, "api_key": "none"}
            added = await stack.http.post(
                "/v1/model-connections",
                json={"provider": "openai-compatible", **model},
                headers=stack.headers("admin"),
                timeout=300,
            )
            assert added.is_success, added.text
            yield stack


async def say(stack: Stack, message: str) -> dict[str, Any]:
    start = time.monotonic()
    headers = stack.headers(**{"Saegim-Session": "s"})
    response = await stack.http.post(
        "/v1/chat", json={"message": message}, headers=headers, timeout=600
    )
    assert response.status_code == 200, response.text
    reply = response.json()
    found = await trace(stack, reply["turn_id"])
    return reply | {"seconds": time.monotonic() - start, "trace": found}


def show(capsys: pytest.CaptureFixture[str], message: str, reply: dict[str, Any]) -> None:
    with capsys.disabled():
        answer = reply["answer"][:200]
        sys.stdout.write(f"\n  {reply['seconds']:.1f} s  {message}\n    {answer!r}\n")


async def test_a_question_about_documents_is_answered_in_time_and_cited_or_marked(
    connected: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    for question in QUESTIONS:
        reply = await say(connected, question)
        show(capsys, question, reply)
        calls = [call for call in reply["trace"]["calls"] if call["source"] == "model"]

        assert reply["seconds"] < LOCAL.turn + REST_SECONDS
        assert [call["step"] for call in calls] in ([], ["answer"]), "one call, or none in time"
        assert not any(tag in reply["answer"] for tag in TAGS)
        if not reply["citations"]:
            assert reply["grounded"] is False


async def test_a_statement_of_two_facts_is_remembered_whole(
    connected: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    message = "I am allergic to peanuts and I live in Busan."
    reply = await say(connected, message)
    show(capsys, message, reply)
    start = time.monotonic()
    async with connected.working():
        texts = await remembered(connected)
    with capsys.disabled():
        sys.stdout.write(f"  remembered after {time.monotonic() - start:.1f} s: {texts}\n")

    assert reply["seconds"] < LOCAL.turn + REST_SECONDS
    assert not any(tag in reply["answer"] for tag in TAGS)
    assert "peanut" in texts
    assert "busan" in texts


async def remembered(stack: Stack) -> str:
    """The texts of all memories, once there are any."""
    async with asyncio.timeout(REMEMBER_SECONDS):
        while True:
            listed = await stack.http.get("/v1/memories", headers=stack.headers())
            if texts := [each["content"] for each in listed.json()["memories"]]:
                return " | ".join(texts).casefold()
            await asyncio.sleep(0.5)
