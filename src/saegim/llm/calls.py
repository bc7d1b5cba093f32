"""Calls to a model: time limit, circuit breaker, metering."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from contextlib import AsyncExitStack, aclosing, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from saegim.llm.faults import pause_before_retry
from saegim.llm.model_call import CallSource, ModelCall, ModelFault, StepFault
from saegim.llm.ports import ModelRole, RoleModel
from saegim.llm.types import Message, StepPrompt, StructuredStep, TextStep
from saegim.telemetry.spans import note_finished_call
from saegim.text.tokens import count

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.usage import RunUsage

FALLBACK = "fallback"
"""The model name of a step that its twin did."""


def price(
    model: str, input_tokens: int, output_tokens: int, provider_url: str | None = None
) -> Decimal | None:
    """US dollars for one call, or None where the price is not known.

    With `provider_url` the price is that provider's: a well-known model on a server of one's own
    has no list price.
    """
    if model == FALLBACK:
        return Decimal(0)
    from genai_prices import Usage, calc_price  # noqa: PLC0415 - not for those who run offline

    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    try:
        return calc_price(usage, model, provider_api_url=provider_url).total_price
    except LookupError:
        return None


class CallMeter:
    """Measures one run of a step: time, first token, tokens as the provider counts them."""

    def __init__(
        self, step: str, role: ModelRole, prompt: StepPrompt, now: Callable[[], float]
    ) -> None:
        self._step = step
        self._role = role
        self._prompt = prompt
        self._now = now
        self._started = now()
        self._first_token: float | None = None
        self._usage: RunUsage | None = None
        self.model: Model | None = None
        self.provider: str | None = None
        """The provider whose gate let the call pass."""
        self.charged_to: UUID | None = None
        """The tenant whose budget the call was set aside in."""

    @property
    def usage(self) -> "RunUsage":
        """What the provider counted; for whoever asks a model."""
        if self._usage is None:
            self._usage = import_module("pydantic_ai.usage").RunUsage()
        assert self._usage is not None
        return self._usage

    def first_token(self) -> None:
        """Notes when the first text came; later calls change nothing."""
        if self._first_token is None:
            self._first_token = self._now() - self._started

    def model_call(self, output: str, fault: ModelFault | None = None) -> ModelCall:
        """The call as a model did it; tokens are counted here where the provider did not."""
        shown = (self._prompt.system, *(message.text for message in self._prompt.messages))
        return self._call(
            CallSource.MODEL,
            fault,
            self._input_tokens or sum(count(text) for text in shown),
            self._output_tokens or count(output),
        )

    def failed_call(self, fault: ModelFault) -> ModelCall:
        """The call as nobody did it: a background step that is tried again later."""
        return self._call(CallSource.MODEL, fault, self._input_tokens, self._output_tokens)

    def fallback_call(self, fault: ModelFault) -> ModelCall:
        """The call as the twin did it, with what the failed model may have used up before."""
        return self._call(CallSource.FALLBACK, fault, self._input_tokens, self._output_tokens)

    @property
    def _input_tokens(self) -> int:
        return 0 if self._usage is None else self._usage.input_tokens

    @property
    def _output_tokens(self) -> int:
        return 0 if self._usage is None else self._usage.output_tokens

    def _call(
        self, source: CallSource, fault: ModelFault | None, input_tokens: int, output_tokens: int
    ) -> ModelCall:
        return ModelCall(
            step=self._step,
            prompt_version=self._prompt.version,
            role=self._role.value,
            model=self.model.model_name if self.model and source is CallSource.MODEL else FALLBACK,
            source=source,
            fault=fault,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cost_usd=self._cost(input_tokens, output_tokens),
            seconds=self._now() - self._started,
            first_token_seconds=self._first_token,
        )

    def _cost(self, input_tokens: int, output_tokens: int) -> Decimal | None:
        if self.model is None or not (input_tokens or output_tokens):
            return price(FALLBACK, 0, 0)
        return price(self.model.model_name, input_tokens, output_tokens, self.model.base_url)


def note_call(call: ModelCall, provider: str, model: str) -> None:
    """Records a model call that ended just now."""
    note_finished_call(
        f"chat {model}",
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider,
            "gen_ai.request.model": model,
            "gen_ai.usage.input_tokens": call.input_tokens,
            "gen_ai.usage.output_tokens": call.output_tokens,
            "saegim.step": call.step,
            "saegim.role": call.role,
            "saegim.source": call.source.value,
        },
        call.seconds,
        None if call.fault is None else call.fault.value,
    )


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


@contextmanager
def reading_answer() -> Generator[None]:
    """Put around a library's reading of a provider's answer, and around no code of ours."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnexpectedModelBehavior("the provider's answer has the wrong shape") from error


class ShapeGuard(WrapperModel):
    """A model whose misshapen answers are unexpected behaviour, as all its other faults are."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        with reading_answer():
            return await super().request(messages, model_settings, model_request_parameters)


def chat_messages(prompt: StepPrompt) -> list[ModelMessage]:
    """The prompt as real chat messages: user and assistant in turn, the system text apart."""
    return [
        ModelRequest(parts=[UserPromptPart(message.text)], instructions=prompt.system)
        if message.role == "user"
        else ModelResponse(parts=[TextPart(message.text)])
        for message in _in_turn(prompt.messages)
    ]


def request_settings(max_output_tokens: int | None) -> ModelSettings:
    return (
        ModelSettings()
        if max_output_tokens is None
        else ModelSettings(max_tokens=max_output_tokens)
    )


def _in_turn(messages: Iterable[Message]) -> list[Message]:
    # Some chat templates refuse two messages of one side in a row, which an unanswered turn leaves.
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            joined[-1] = Message(message.role, f"{joined[-1].text}\n\n{message.text}")
        else:
            joined.append(message)
    return joined


async def ask_structured[T: BaseModel](
    role: RoleModel, step: StructuredStep[T], prompt: StepPrompt, limit: TimeLimit, meter: CallMeter
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
    role: RoleModel, step: TextStep, prompt: StepPrompt, limit: TimeLimit, meter: CallMeter
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
    meter: CallMeter,
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
        raise StepFault(ModelFault.EMPTY_OUTPUT)


def _text_of(event: ModelResponseStreamEvent) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return text
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
        case _:
            return ""


class Breaker:
    """Keeps a step from waiting for a model that keeps failing.

    After `threshold` failures in a row nothing passes for `cool_down_seconds`; then one request
    tries again while the others still hold back. A trial that never reports back costs only
    another cool-down.
    """

    def __init__(
        self, now: Callable[[], float], threshold: int = 3, cool_down_seconds: float = 10.0
    ) -> None:
        self._now = now
        self._threshold = threshold
        self._cool_down = cool_down_seconds
        self._failures = 0
        self._closed_until = 0.0

    def admits(self) -> bool:
        """Whether the model may be asked now. Asking for admission takes the trial."""
        if self._failures < self._threshold:
            return True
        if self._now() < self._closed_until:
            return False
        self._closed_until = self._now() + self._cool_down
        return True

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self) -> None:
        self._failures += 1
        if self._failures >= self._threshold:
            self._closed_until = self._now() + self._cool_down
