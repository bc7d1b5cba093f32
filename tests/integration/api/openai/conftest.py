"""A served library with OpenAI's own client."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

import openai
import pytest

from benchmarks.doubles.models import (
    Calls,
    Pieces,
    RecordedRequest,
    Reply,
    Script,
    ScriptedModels,
)
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from tests.integration.library.conftest import GUIDE, bring_in
from tests.stack import Databases, Stack, new_stack, served

ANSWER = "예약 인스턴스로 최대 72% 할인을 받습니다 [1]."
QUESTION = "예약 인스턴스 할인율은?"


@dataclass
class ServedStack:
    """A served stack with OpenAI's client; the model repeats a cited answer."""

    stack: Stack
    models: ScriptedModels
    sender: openai.AsyncOpenAI

    def client(self, **headers: str) -> openai.AsyncOpenAI:
        named = {"Saegim-User": "alice", **headers}
        return self.sender.with_options(default_headers=named)

    def last_shown(self) -> RecordedRequest:
        return self.models.requests[-1]


@contextlib.asynccontextmanager
async def new_library_stack(databases: Databases, script: Script) -> AsyncIterator[ServedStack]:
    models = ScriptedModels({ModelRole.STRONG: script, ModelRole.LITE: script})
    async with (
        new_stack(databases, Fakes(models=models)) as stack,
        served(stack.services) as http,
        openai.AsyncOpenAI(
            base_url=f"{http.base_url}/v1", api_key=stack.tenant.key, max_retries=0, timeout=120
        ) as client,
    ):
        await stack.services.warm_up()
        yield ServedStack(stack, models, client)


def answers(shown: RecordedRequest) -> Reply:
    """Asks for the order once, and for a tool that nobody offered."""
    if "get_order" in shown.tools and shown.messages[-1].role != "tool":
        return Calls((("get_order", {"number": 42}), ("drop_tables", {})))
    return Pieces(tuple(ANSWER), pause_seconds=0.0)


@pytest.fixture(scope="module")
async def served_stack(databases: Databases) -> AsyncIterator[ServedStack]:
    async with new_library_stack(databases, answers) as served_stack:
        await bring_in(served_stack.stack, {"ec2.md": GUIDE})
        yield served_stack
