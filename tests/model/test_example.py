"""Turns of the example tenant through a real model: the path is asserted, not the eloquence."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles.llama import LlamaServer
from saegim.app.infrastructure import Fakes
from saegim.chat.types import MARKER, TurnTimes
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.presets import preset
from tests.integration.chat.library_stack import trace
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.model

EXAMPLE = Path(__file__).parents[2] / "examples/cost-analysis"
TURNS = 3
# A small model on a busy machine; deadlines are proved elsewhere.
PATIENT = TurnTimes(whole=300.0, answer=200.0, step=90.0)


@pytest.fixture
async def example(databases: Databases, llama: LlamaServer) -> AsyncIterator[Stack]:
    config = preset("compatible", base_url=llama.base_url, model=llama.model)
    roles = {
        role: replace(model, timeout_seconds=200.0, retries=0)
        for role, model in config.roles.items()
    }
    models = ConfiguredModels(replace(config, roles=roles))
    fakes = Fakes(models=models, turn_times=PATIENT)
    with override_allow_model_requests(True):
        async with new_stack(databases, fakes, name="코스트렌즈") as stack:
            await stack.services.warm_up()
            files = {path.name: path.read_bytes() for path in (EXAMPLE / "documents").iterdir()}
            await bring_in(stack, files, seconds=600)
            yield stack
    await models.close()


async def say(stack: Stack, message: str) -> dict[str, Any]:
    response = await stack.http.post(
        "/v1/chat",
        json={"message": message},
        headers=stack.headers(**{"Saegim-Session": "s"}),
        timeout=600,
    )
    assert response.status_code == 200, response.text
    return response.json() | {"trace": await trace(stack, response.json()["turn_id"])}


async def test_turns_of_the_example_through_the_local_model(
    example: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (EXAMPLE / "conversation.en.jsonl").read_text("utf-8").splitlines()[:TURNS]
    replies = [await say(example, json.loads(line)["message"]) for line in lines]

    with capsys.disabled():
        for reply in replies:
            print(f"\n  [{reply['route']}, {reply['outcome']}] {reply['answer'][:160]!r}")  # noqa: T201 - shown by `make test-model`
    for number, reply in enumerate(replies, start=1):
        assert reply["state"] in ("done", "incomplete")
        assert reply["answer"].strip()
        cited = {one["marker"] for one in reply["citations"]}
        assert set(MARKER.findall(reply["answer"])) <= cited
        found = reply["trace"]
        assert {span["name"] for span in found["spans"]} >= {"open", "route", "gather", "answer"}
        assert found["working_memory"]["completed_turns"] == number - 1
        assert found["context"]["tokens"] <= found["context"]["budget"]
        assert len(found["searches"]) <= 3
    spoken = [
        call
        for reply in replies
        for call in reply["trace"]["calls"]
        if call["source"] == "model" and call["step"] in ("answer", "draft")
    ]
    assert spoken, "the model itself answered"
    assert all(call["model"] == "gemma-3-270m" for call in spoken)
    assert all(call["input_tokens"] and call["output_tokens"] for call in spoken)
    assert any(reply["trace"]["searches"] for reply in replies), "documents were searched"
