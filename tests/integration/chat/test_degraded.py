"""Each outside part failing: the turn answers in time, and the trace names what was missing."""

import asyncio
import shutil
from dataclasses import replace

import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.presets import preset
from tests.integration.chat.library_stack import ask, stored_library_stack
from tests.stack import Databases, new_stack

# For a busy machine; what hangs does so for longer.
LONGEST_SECONDS = 300
MODES = [mode for mode in ProviderMode if mode is not ProviderMode.OK]


@pytest.mark.requirement("TN9", "TN6")
@pytest.mark.parametrize("mode", MODES)
async def test_a_provider_that_fails_in_every_step(
    databases: Databases, mode: ProviderMode
) -> None:
    async with BrokenProvider(mode, "예약 인스턴스로 줄입니다.", word_seconds=0.05) as provider:
        config = preset("compatible", base_url=provider.base_url, api_key="k", model="m")
        roles = {
            role: replace(model, timeout_seconds=1.5, retries=0)
            for role, model in config.roles.items()
        }
        models = ConfiguredModels(replace(config, roles=roles))
        with override_allow_model_requests(True):
            async with stored_library_stack(databases, models, careful=True) as stack:
                async with asyncio.timeout(LONGEST_SECONDS):
                    reply = await ask(stack, "EC2 비용 줄이는 방법?")
        await models.close()

    assert reply["answer"].strip()
    assert "model" in reply["degraded"]
    if mode in (ProviderMode.SLOW, ProviderMode.BROKEN_STREAM):
        assert reply["state"] in ("done", "incomplete")
    else:
        assert reply["state"] == "done"
        assert "EC2" in reply["answer"]
        assert "[1]" in reply["answer"]
        assert reply["citations"]


async def test_an_index_that_is_gone(databases: Databases) -> None:
    async with stored_library_stack(databases) as stack:
        before = await ask(stack, "EC2 비용 줄이는 방법?")
        assert stack.databases.index is not None
        for folder in stack.databases.index.iterdir():
            shutil.rmtree(folder)
        async with new_stack(stack.databases) as fresh:
            fresh.tenant = stack.tenant
            after = await ask(fresh, "EC2 예약 인스턴스 할인율은?")

    assert before["degraded"] == []
    assert after["state"] == "done"
    assert after["degraded"] == ["index"]
