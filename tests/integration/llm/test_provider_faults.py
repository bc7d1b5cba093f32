"""A faulty provider over real HTTP: the fallback answers in time, and the call says why."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from pydantic import BaseModel

from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from saegim.domain.errors import ModelUnavailable
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.model_call import CallSource, ModelFault
from saegim.llm.model_config import ModelConfig, ModelsConfig
from saegim.llm.ports import ModelRole
from saegim.llm.steps import FALLBACK_MARGIN_SECONDS, Steps
from saegim.llm.types import (
    Message,
    StepEnd,
    StepPath,
    StepPrompt,
    StepResult,
    StructuredStep,
    TextDelta,
    TextStep,
)

FAULTS = {
    ProviderMode.REFUSED: ModelFault.REFUSED,
    ProviderMode.HTTP_500: ModelFault.HTTP_ERROR,
    ProviderMode.HANG: ModelFault.TIMEOUT,
    ProviderMode.INVALID_JSON: ModelFault.BROKEN_OUTPUT,
}
PROMPT = StepPrompt(
    "Be brief.",
    (Message("user", "안녕?"), Message("assistant", "네."), Message("user", "새김이 뭐야?")),
    "answer/1",
)
TEXT = "새김은 오래 기억합니다. 그리고 근거를 답니다."
FALLBACK = "검색 모드입니다."


class Route(BaseModel):
    route: str


ANSWER = TextStep("answer", ModelRole.STRONG, StepPath.REPLY)
ROUTE = StructuredStep("route", ModelRole.STRONG, StepPath.REPLY, Route)


@asynccontextmanager
async def steps_for(
    provider: BrokenProvider, seconds: float = 60.0, now: Callable[[], float] | None = None
) -> AsyncIterator[Steps]:
    config = ModelConfig("loopback", provider.base_url, timeout_seconds=seconds, retries=1)
    models = ConfiguredModels(ModelsConfig({ModelRole.STRONG: config}))
    try:
        yield Steps(models, now or asyncio.get_running_loop().time)
    finally:
        await models.close()


async def answered(steps: Steps, deadline: float | None = None) -> tuple[str, StepEnd]:
    events = [event async for event in steps.stream(ANSWER, PROMPT, lambda: FALLBACK, deadline)]
    end = events[-1]
    assert isinstance(end, StepEnd)
    return "".join(event.text for event in events if isinstance(event, TextDelta)), end


async def routed(steps: Steps, deadline: float | None = None) -> StepResult[Route]:
    return await steps.structured(ROUTE, PROMPT, lambda: Route(route="fallback"), deadline)


def patience(mode: ProviderMode) -> float:
    """Time enough for a busy machine, and little of it where time is what runs out."""
    return 0.5 if mode is ProviderMode.HANG else 60.0


def soon(seconds: float) -> float:
    return asyncio.get_running_loop().time() + FALLBACK_MARGIN_SECONDS + seconds


async def test_a_working_provider_streams_its_text_and_counts_its_tokens():
    async with BrokenProvider(text=TEXT) as provider, steps_for(provider) as steps:
        text, end = await answered(steps)

    assert text == TEXT
    assert end.complete
    assert (end.call.source, end.call.fault, end.call.model) == (CallSource.MODEL, None, "loopback")
    assert (end.call.input_tokens, end.call.output_tokens) == (11, len(TEXT.split(" ")))
    assert end.call.cost_usd is None
    (request,) = provider.requests
    assert request.path == "/v1/chat/completions"
    assert request.body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "안녕?"},
        {"role": "assistant", "content": "네."},
        {"role": "user", "content": "새김이 뭐야?"},
    ]


async def test_tokens_are_counted_here_where_the_provider_does_not():
    async with BrokenProvider(text=TEXT, usage=False) as provider, steps_for(provider) as steps:
        _, end = await answered(steps)

    assert end.call.source is CallSource.MODEL
    assert end.call.input_tokens > 5
    assert end.call.output_tokens > 5


async def test_a_form_is_asked_for_with_its_json_schema():
    async with BrokenProvider(text='{"route": "chat"}') as provider, steps_for(provider) as steps:
        result = await routed(steps)

    assert (result.value, result.call.source) == (Route(route="chat"), CallSource.MODEL)
    wanted = provider.requests[0].body["response_format"]
    assert wanted["type"] == "json_schema"
    assert "route" in wanted["json_schema"]["schema"]["properties"]


@pytest.mark.parametrize("mode", FAULTS)
async def test_a_wrong_provider_is_answered_by_the_twin_within_the_deadline(mode: ProviderMode):
    async with BrokenProvider(mode) as provider, steps_for(provider, 3600) as steps:
        text, end = await answered(steps, soon(patience(mode)))
    assert text == FALLBACK
    assert end.complete
    assert (end.call.source, end.call.fault) == (CallSource.FALLBACK, FAULTS[mode])


@pytest.mark.parametrize("mode", FAULTS)
async def test_a_form_of_a_wrong_provider_is_the_twins_within_the_deadline(mode: ProviderMode):
    async with BrokenProvider(mode) as provider, steps_for(provider, 3600) as steps:
        result = await routed(steps, soon(patience(mode)))
    assert result.value == Route(route="fallback")
    assert (result.call.source, result.call.fault) == (CallSource.FALLBACK, FAULTS[mode])


@pytest.mark.parametrize("mode", FAULTS)
async def test_in_the_background_a_wrong_provider_fails_the_step(mode: ProviderMode):
    step = StructuredStep("extract", ModelRole.STRONG, StepPath.BACKGROUND, Route)
    async with BrokenProvider(mode) as provider, steps_for(provider, patience(mode)) as steps:
        with pytest.raises(ModelUnavailable, match=FAULTS[mode].value) as failure:
            await steps.structured(step, PROMPT, lambda: Route(route="fallback"), None)

    assert failure.value.__cause__ is not None


async def test_text_that_is_not_the_form_is_broken_output():
    async with BrokenProvider(text="모르겠어요") as provider, steps_for(provider) as steps:
        result = await routed(steps)

    assert (result.call.source, result.call.fault) == (
        CallSource.FALLBACK,
        ModelFault.BROKEN_OUTPUT,
    )
    assert len(provider.requests) == 2
    assert result.call.input_tokens == 22


async def test_an_empty_answer_is_a_fault():
    async with BrokenProvider(ProviderMode.EMPTY) as provider, steps_for(provider) as steps:
        text, end = await answered(steps)

    assert text == FALLBACK
    assert (end.call.source, end.call.fault) == (CallSource.FALLBACK, ModelFault.EMPTY_OUTPUT)


async def test_a_stream_that_breaks_off_keeps_what_was_shown():
    provider = BrokenProvider(ProviderMode.BROKEN_STREAM, TEXT, words_before_break=3)
    async with provider, steps_for(provider) as steps:
        text, end = await answered(steps)

    assert text == "새김은 오래 기억합니다."
    assert not end.complete
    assert (end.call.source, end.call.fault) == (CallSource.MODEL, ModelFault.BROKEN_OUTPUT)
    assert end.call.output_tokens > 0
    assert len(provider.requests) == 1


async def test_a_stream_that_breaks_off_before_its_first_word_is_asked_for_once_more():
    provider = BrokenProvider(ProviderMode.BROKEN_STREAM, TEXT, words_before_break=0)
    async with provider, steps_for(provider) as steps:
        text, end = await answered(steps)

    assert text == FALLBACK
    assert (end.call.source, end.call.fault) == (CallSource.FALLBACK, ModelFault.BROKEN_OUTPUT)
    assert len(provider.requests) == 2


async def test_slow_words_are_cut_at_the_deadline():
    provider = BrokenProvider(ProviderMode.SLOW, TEXT, word_seconds=1.0)
    at, text, end = 100.0, "", None
    async with provider, steps_for(provider, 3600, lambda: at) as steps:
        async for event in steps.stream(ANSWER, PROMPT, lambda: FALLBACK, 200.0):
            if isinstance(event, StepEnd):
                end = event
            else:
                text += event.text
                # Until the time of the fallback, less than a word takes.
                at = 200.0 - FALLBACK_MARGIN_SECONDS - 0.05

    assert end is not None
    assert text
    assert TEXT.startswith(text)
    assert (end.complete, end.call.fault) == (False, ModelFault.TIMEOUT)


async def test_closing_the_stream_early_closes_the_request():
    provider = BrokenProvider(ProviderMode.SLOW, TEXT * 500, word_seconds=0.05)
    async with provider, steps_for(provider) as steps:
        stream = steps.stream(ANSWER, PROMPT, lambda: FALLBACK, None)
        assert isinstance(await anext(stream), TextDelta)
        assert not provider.hung_up.is_set()

        await stream.aclose()

        await asyncio.wait_for(provider.hung_up.wait(), 60)


async def test_cancelling_a_waiting_step_closes_the_request():
    async with BrokenProvider(ProviderMode.HANG) as provider, steps_for(provider) as steps:
        task = asyncio.create_task(routed(steps))
        await provider.arrived.wait()

        task.cancel()

        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(provider.hung_up.wait(), 60)


async def test_a_provider_that_recovers_is_used_again():
    async with (
        BrokenProvider(ProviderMode.HTTP_500, TEXT) as provider,
        steps_for(provider) as steps,
    ):
        first, _ = await answered(steps)
        provider.mode = ProviderMode.OK
        second, end = await answered(steps)

    assert (first, second) == (FALLBACK, TEXT)
    assert end.call.source is CallSource.MODEL


@pytest.mark.parametrize(
    "shape", ["[]", "null", '{"choices": "x"}', '{"choices": [1]}', '{"usage": "x"}', "{}"]
)
async def test_json_of_the_wrong_shape_is_broken_output(shape: str):
    async with BrokenProvider() as provider, steps_for(provider) as steps:
        provider.raw = shape

        text, end = await answered(steps)
        result = await routed(steps)

    assert text == FALLBACK
    assert end.call.fault is ModelFault.BROKEN_OUTPUT
    assert result.call.fault is ModelFault.BROKEN_OUTPUT


async def test_invalid_base_url_is_a_fault_of_each_call() -> None:
    config = ModelConfig("loopback", "https://models.example.com:port/v1", api_key="key")
    for allowed in (None, ()):
        models = ConfiguredModels(ModelsConfig({ModelRole.STRONG: config}), allowed)
        text, end = await answered(Steps(models, asyncio.get_running_loop().time))
        assert (text, end.call.fault) == (FALLBACK, ModelFault.REFUSED)
        await models.close()
