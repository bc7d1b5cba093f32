"""One message through the whole turn and a real model over HTTP."""

import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles.llama import LlamaServer
from saegim.app.infrastructure import Fakes
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.presets import preset
from tests.stack import Databases, new_stack, read_events, served

pytestmark = pytest.mark.model


async def test_a_turn_is_streamed_by_the_local_model(
    databases: Databases, llama: LlamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    models = ConfiguredModels(preset("compatible", base_url=llama.base_url, model=llama.model))
    with override_allow_model_requests(True):
        async with (
            new_stack(databases, Fakes(models=models)) as stack,
            served(stack.services) as http,
        ):
            headers = stack.headers(Accept="text/event-stream")
            body = {"message": "What is the capital of France?"}
            async with http.stream("POST", "/v1/chat", json=body, headers=headers) as response:
                events = [event async for event in read_events(response)]
            turn = events[-1].data["turn_id"]
            trace = await http.get(f"/v1/turns/{turn}/trace", headers=stack.headers())
    await models.close()

    answer = events[-1].data["answer"]
    print(f"\nthe model said: {answer!r}")  # noqa: T201 - shown by `make test-model`
    assert events[-1].data["state"] in ("done", "incomplete")
    assert answer
    assert len([event for event in events if event.name == "token"]) > 1
    [call] = trace.json()["trace"]["calls"]
    assert call["source"] == "model"
    assert call["output_tokens"] > 0
