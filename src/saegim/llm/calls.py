"""One question to a model, with the role's retries. Raises what the provider causes."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import (
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
)

from saegim.llm.faults import StepFault, pause_before_retry
from saegim.llm.messages import chat_messages, request_settings
from saegim.llm.metering import Meter
from saegim.llm.model_call import Fault
from saegim.llm.ports import RoleModel
from saegim.llm.response_shape import ShapeGuard, reading_answer
from saegim.llm.types import StepPrompt, StructuredStep, TextStep


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """When a step must be done, on the clock `now`."""

    now: Callable[[], float]
    end: float

    def left(self) -> float:
        return self.end - self.now()

    def within(self, seconds: float) -> "TimeLimit":
        """The earlier of this limit and one that starts now."""
        return TimeLimit(self.now, min(self.end, self.now() + seconds))


async def ask_structured[T: BaseModel](
    role: RoleModel, step: StructuredStep[T], prompt: StepPrompt, limit: TimeLimit, meter: Meter
) -> T:
    """The model's filled-in form. A wrong one is sent back `retries` times with what is wrong."""
    native = role.model.profile.get("supports_json_schema_output", False)
    ask = partial(
        _agent(step.output, step.name, native).run,
        message_history=chat_messages(prompt),
        model=ShapeGuard(role.model),
        instructions=prompt.system,
        retries=role.retries,
        model_settings=request_settings(step.max_output_tokens),
        usage=meter.usage,
    )
    attempt = 0
    async with asyncio.timeout(limit.left()):
        while True:
            try:
                return (await ask()).output
            except ModelAPIError as error:
                pause = pause_before_retry(error, attempt, role.retries, limit.left())
                if pause is None:
                    raise
            attempt += 1
            await asyncio.sleep(pause)


@cache
def _agent(output: type[BaseModel], name: str, native: bool) -> Agent[None, Any]:
    """Made once for each form: its JSON schema takes longer than all else around a call."""
    return Agent(output_type=NativeOutput(output) if native else output, name=name)


async def ask_text(
    role: RoleModel, step: TextStep, prompt: StepPrompt, limit: TimeLimit, meter: Meter
) -> AsyncGenerator[str]:
    """The model's text as it comes. Asked again only while nothing has been shown."""
    until_first = limit.within(step.first_token_seconds)
    attempt = 0
    while True:
        started = False
        try:
            async with aclosing(_text(role, step, prompt, (until_first, limit), meter)) as pieces:
                async for piece in pieces:
                    started = True
                    yield piece
            return
        except ModelAPIError as error:
            pause = pause_before_retry(error, attempt, role.retries, until_first.left())
            if started or pause is None:
                raise
        attempt += 1
        await asyncio.sleep(pause)


async def _text(
    role: RoleModel,
    step: TextStep,
    prompt: StepPrompt,
    limits: tuple[TimeLimit, TimeLimit],
    meter: Meter,
) -> AsyncGenerator[str]:
    limit, whole = limits
    request = model_request_stream(
        role.model,
        chat_messages(prompt),
        model_settings=request_settings(step.max_output_tokens),
    )
    async with AsyncExitStack() as stack:
        # A time limit never spans a `yield`: between pieces the time belongs to the reader.
        async with asyncio.timeout(limit.left()):
            with reading_answer():
                response = await stack.enter_async_context(request)
        events = aiter(response)
        shown = False
        while True:
            async with asyncio.timeout(limit.left()):
                with reading_answer():
                    event = await anext(events, None)
            if event is None:
                break
            piece = _text_of(event) if shown else _text_of(event).lstrip()
            if piece:
                shown, limit = True, whole
                yield piece
        meter.usage.incr(response.usage)
    if not shown:
        raise StepFault(Fault.EMPTY_OUTPUT)


def _text_of(event: ModelResponseStreamEvent) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return text
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
        case _:
            return ""
