"""A failing provider: the fallback answers within the deadline, and the trace says so."""

import asyncio
from dataclasses import replace

import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from saegim.app.infrastructure import Fakes
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.presets import preset
from tests.integration.chat.situation import without_situation
from tests.stack import Databases, new_stack

FAULTS = {
    ProviderMode.REFUSED: "refused",
    ProviderMode.HTTP_500: "http_error",
    ProviderMode.HANG: "timeout",
    ProviderMode.INVALID_JSON: "broken_output",
    ProviderMode.EMPTY: "empty_output",
}


@pytest.mark.parametrize(("mode", "fault"), FAULTS.items())
async def test_the_twin_answers_in_time(
    databases: Databases, mode: ProviderMode, fault: str
) -> None:
    async with BrokenProvider(mode) as provider:
        models = local_models(provider)
        with override_allow_model_requests(True):
            async with new_stack(databases, Fakes(models=models)) as stack:
                async with asyncio.timeout(300):
                    reply = await stack.say("무슨 일이 있었지?")
                response = await stack.http.get(
                    f"/v1/turns/{reply['turn_id']}/trace", headers=stack.headers()
                )
        await models.close()

    assert reply["state"] == "done"
    assert reply["outcome"] == "search_mode"
    assert reply["degraded"] == ["model"]
    [call] = response.json()["trace"]["calls"]
    assert (call["source"], call["fault"]) == ("fallback", fault)


async def test_a_provider_that_dies_after_the_first_token_leaves_the_turn_incomplete(
    databases: Databases,
) -> None:
    async with BrokenProvider(ProviderMode.BROKEN_STREAM, "둘 셋 넷 다섯 여섯") as provider:
        models = local_models(provider)
        with override_allow_model_requests(True):
            async with new_stack(databases, Fakes(models=models)) as stack:
                reply = await stack.say("세어줘")
        await models.close()
    assert (reply["state"], reply["error"]) == ("incomplete", "model_interrupted")
    assert "둘" in reply["answer"]


async def test_a_working_provider_answers_over_http(databases: Databases) -> None:
    async with BrokenProvider(ProviderMode.OK, "새김은 기억합니다.") as provider:
        models = local_models(provider)
        with override_allow_model_requests(True):
            async with new_stack(databases, Fakes(models=models)) as stack:
                reply = await stack.say("너는 뭘 하니?")
        await models.close()
    assert (reply["state"], reply["answer"]) == ("done", "새김은 기억합니다.")
    asked = provider.requests[0].body["messages"][-1]["content"]
    assert without_situation(asked) == "너는 뭘 하니?"


def local_models(provider: BrokenProvider) -> ConfiguredModels:
    config = preset("compatible", base_url=provider.base_url, model="local")
    seconds = 2.0 if provider.mode is ProviderMode.HANG else 60.0
    roles = {
        role: replace(model, timeout_seconds=seconds, retries=0)
        for role, model in config.roles.items()
    }
    return ConfiguredModels(replace(config, roles=roles))
