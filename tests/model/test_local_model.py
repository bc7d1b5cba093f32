"""A real model over real HTTP: streaming, JSON schema, token usage, and no key of OpenAI."""

import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from benchmarks.doubles.llama import LlamaServer
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.model_call import CallSource
from saegim.llm.ports import ModelRole
from saegim.llm.presets import preset
from saegim.llm.steps import Steps
from saegim.llm.types import (
    Message,
    StepEnd,
    StepPath,
    StepPrompt,
    StructuredStep,
    TextDelta,
    TextStep,
)

pytestmark = pytest.mark.model

FALLBACK = "the twin, not the model"
PROMPT = StepPrompt(
    "Answer in one short sentence.",
    (
        Message("user", "What is the capital of France?"),
        Message("assistant", "The capital of France is Paris."),
        Message("user", "What is the capital of South Korea?"),
    ),
    "capital/1",
)


class Capital(BaseModel):
    city: str = Field(max_length=40)
    continent: Literal["Asia", "Europe"]
    certain: bool


@pytest.fixture
async def steps(llama: LlamaServer) -> AsyncIterator[Steps]:
    assert "OPENAI_API_KEY" not in os.environ
    config = preset("compatible", base_url=llama.base_url, model=llama.model)
    # A busy machine is slow, and this is not about speed.
    patient = {role: replace(model, timeout_seconds=120.0) for role, model in config.roles.items()}
    models = ConfiguredModels(replace(config, roles=patient))
    yield Steps(models)
    await models.close()


def show(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n  the model says: {text!r}\n")


@pytest.mark.requirement("OP7")
async def test_the_model_streams_its_own_text(steps: Steps, capsys: pytest.CaptureFixture[str]):
    step = TextStep("answer", ModelRole.STRONG, StepPath.REPLY, 60.0, max_output_tokens=40)

    events = [event async for event in steps.stream(step, PROMPT, lambda: FALLBACK, None)]

    pieces = [event.text for event in events if isinstance(event, TextDelta)]
    show(capsys, "".join(pieces))
    end = events[-1]
    assert isinstance(end, StepEnd)
    assert len(pieces) > 1
    assert "Seoul" in "".join(pieces)
    assert end.complete
    assert (end.call.source, end.call.fault, end.call.model) == (
        CallSource.MODEL,
        None,
        "gemma-3-270m",
    )
    assert end.call.first_token_seconds is not None
    assert end.call.first_token_seconds < end.call.seconds


async def test_the_model_fills_in_a_form_by_its_json_schema(
    steps: Steps, capsys: pytest.CaptureFixture[str]
):
    step = StructuredStep("capital", ModelRole.LITE, StepPath.REPLY, Capital, max_output_tokens=120)

    result = await steps.structured(
        step, PROMPT, lambda: Capital(city=FALLBACK, continent="Europe", certain=False), None
    )

    show(capsys, result.value.model_dump_json())
    assert (result.call.source, result.call.fault) == (CallSource.MODEL, None)
    assert result.value.city != FALLBACK


async def test_the_model_counts_its_tokens(steps: Steps):
    step = TextStep("answer", ModelRole.STRONG, StepPath.REPLY, 60.0, max_output_tokens=8)
    longer = StepPrompt(PROMPT.system * 20, PROMPT.messages, PROMPT.version)

    async def call(prompt: StepPrompt) -> tuple[int, int]:
        *_, end = [event async for event in steps.stream(step, prompt, lambda: FALLBACK, None)]
        assert isinstance(end, StepEnd)
        assert end.call.source is CallSource.MODEL
        return end.call.input_tokens, end.call.output_tokens

    short_input, short_output = await call(PROMPT)
    long_input, _ = await call(longer)

    assert 1 <= short_output <= 8
    assert long_input > short_input + 50
