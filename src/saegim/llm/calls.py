"""Calls to a model through pydantic-ai: for text, and for an object."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterable, Set
from contextlib import AsyncExitStack, aclosing, contextmanager
from dataclasses import asdict
from functools import cache
from typing import Any, Literal, cast

from pydantic import BaseModel, ValidationError
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import ContentFilterError, ModelAPIError, UnexpectedModelBehavior
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from saegim.llm.faults import pause_before_retry
from saegim.llm.metering import CallMeter, TimeLimit
from saegim.llm.model_call import ModelFault, StepFault
from saegim.llm.ports import RoleModel
from saegim.llm.types import (
    DEFAULT_SAMPLING,
    FunctionCall,
    Message,
    SamplingParameters,
    StepPrompt,
    StructuredStep,
    TextStep,
)

_TOOL = "final_result"
_AGAIN = "The answer is invalid. Answer again with the whole object.\n{problem}"


# pydantic-ai's agent does this too, with a graph of nodes that takes as long as the rest of a call.
@cache
def _object_request(
    output: type[BaseModel], mode: Literal["native", "tool"]
) -> ModelRequestParameters:
    """Return the request for an object: as the answer's format, or as the only tool to call.

    Cached: generating the JSON schema takes longer than the rest around a call.
    """
    schema = output.model_json_schema()
    description = schema.pop("description", "The final response.")
    if mode == "native":
        wanted = OutputObjectDefinition(schema, output.__name__, description)
        return ModelRequestParameters(
            output_mode="native", output_object=wanted, allow_text_output=True
        )
    tool = ToolDefinition(
        name=_TOOL, description=description, parameters_json_schema=schema, kind="output"
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def _read_object[T: BaseModel](output: type[T], response: ModelResponse) -> T:
    """Return the object of an answer; raises ValidationError if it is not one."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if calls:
        return output.model_validate_json(calls[-1].args_as_json_str())
    text = response.text or ""
    if not text.strip():
        _refuse_empty(response)
    start, end = text.find("{"), text.rfind("}")
    # Small models put words or a fence around it.
    return output.model_validate_json(text[start : end + 1] if 0 <= start < end else text)


def _refuse_empty(response: ModelResponse) -> None:
    """Raise for an empty answer that would be as empty the next time."""
    if response.finish_reason == "content_filter":
        raise ContentFilterError("the provider's filter withheld the answer")
    if response.finish_reason == "length":
        raise UnexpectedModelBehavior("the token limit was reached before the answer began")


def _correction(response: ModelResponse, problem: ValidationError, system: str) -> ModelRequest:
    """Return the message that sends a wrong answer back."""
    errors = problem.errors(include_url=False, include_context=False, include_input=False)
    text = _AGAIN.format(
        problem="\n".join(f"{_place(each['loc'])}{each['msg']}" for each in errors)
    )
    parts: list[ModelRequestPart] = [
        ToolReturnPart(part.tool_name, text, part.tool_call_id)
        for part in response.parts
        if isinstance(part, ToolCallPart)
    ]
    return ModelRequest(parts=parts or [UserPromptPart(text)], instructions=system)


def _place(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""


@contextmanager
def reading_answer() -> Generator[None]:
    """Turn parse errors of the client library into UnexpectedModelBehavior.

    Must not wrap our own code.
    """
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnexpectedModelBehavior("the provider's answer has the wrong shape") from error


def chat_messages(prompt: StepPrompt) -> list[ModelMessage]:
    """Return the prompt as chat messages, user and assistant alternating."""
    return [_chat_message(message, prompt.system) for message in _alternating(prompt.messages)]


def _chat_message(message: Message | list[Message], system: str) -> ModelMessage:
    if isinstance(message, list):
        results = [
            ToolReturnPart(each.answers.name, each.text, each.answers.id)
            for each in message
            if each.answers is not None
        ]
        return ModelRequest(parts=results, instructions=system)
    if message.role == "user":
        return ModelRequest(parts=[UserPromptPart(message.text)], instructions=system)
    text = [TextPart(message.text)] if message.text or not message.calls else []
    calls = [ToolCallPart(each.name, each.arguments, each.id) for each in message.calls]
    return ModelResponse(parts=[*text, *calls])


def request_settings(
    max_tokens: int | None,
    sampling: SamplingParameters = DEFAULT_SAMPLING,
    unsupported: Set[str] = frozenset(),
) -> ModelSettings:
    """Return the settings of a request that are supported, with the smaller limit of tokens."""
    wanted = asdict(sampling) | {"stop_sequences": list(sampling.stop) or None}
    limits = [limit for limit in (max_tokens, sampling.max_tokens) if limit is not None]
    wanted |= {"stop": None, "max_tokens": min(limits, default=None)}
    taken = {name: value for name, value in wanted.items() if value is not None}
    return cast("ModelSettings", {name: taken[name] for name in taken.keys() - unsupported})


def _alternating(messages: Iterable[Message]) -> list[Message | list[Message]]:
    """Join consecutive messages of one role, and list the results of one request's calls.

    Some chat templates refuse two consecutive messages of one role, as after an unanswered turn.
    """
    joined: list[Message | list[Message]] = []
    for message in messages:
        last = joined[-1] if joined else None
        if message.role == "tool":
            if isinstance(last, list):
                last.append(message)
            else:
                joined.append([message])
        elif isinstance(last, Message) and last.role == message.role and not last.calls:
            text = "\n\n".join(filter(None, (last.text, message.text)))
            joined[-1] = Message(message.role, text, message.calls)
        else:
            joined.append(message)
    return joined


async def ask_structured[T: BaseModel](
    role: RoleModel, step: StructuredStep[T], prompt: StepPrompt, limit: TimeLimit, meter: CallMeter
) -> T:
    """Ask for structured output; an invalid one is sent back up to `retries` times."""
    messages = chat_messages(prompt)
    sent_back = 0
    async with asyncio.timeout(limit.left()):
        while True:
            response = await _asked(role, step, messages, limit)
            meter.usage.incr(response.usage)
            try:
                return _read_object(step.output, response)
            except ValidationError as error:
                if sent_back == role.retries:
                    raise UnexpectedModelBehavior("the output does not fit its schema") from error
                again = _correction(response, error, prompt.system)
            # An empty answer cannot be shown to the model.
            messages = [*messages, response, again] if response.parts else messages
            sent_back += 1


async def _asked(
    role: RoleModel, step: StructuredStep[Any], messages: list[ModelMessage], limit: TimeLimit
) -> ModelResponse:
    """Send a request; it is repeated if the provider fails."""
    native = role.model.profile.get("supports_json_schema_output", False)
    attempt = 0
    while True:
        try:
            with reading_answer():
                return await model_request(
                    role.model,
                    messages,
                    model_settings=request_settings(step.max_output_tokens),
                    model_request_parameters=_object_request(
                        step.output, "native" if native else "tool"
                    ),
                )
        except ModelAPIError as error:
            pause = pause_before_retry(error, attempt, role.retries, limit.left())
            if pause is None:
                raise
        attempt += 1
        await asyncio.sleep(pause)


async def ask_text(
    role: RoleModel, step: TextStep, prompt: StepPrompt, limit: TimeLimit, meter: CallMeter
) -> AsyncGenerator[str | FunctionCall]:
    """Stream the model's text, then the tools that it calls; retries only before the first
    piece."""
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
) -> AsyncGenerator[str | FunctionCall]:
    limit, whole = limits
    settings = request_settings(step.max_output_tokens, step.sampling, role.unsupported)
    if prompt.tools:
        settings["tool_choice"] = prompt.tool_choice
    request = model_request_stream(
        role.model,
        chat_messages(prompt),
        model_settings=settings,
        model_request_parameters=_offer(prompt),
    )
    async with AsyncExitStack() as stack:
        # A time limit never spans a `yield`: the reader's time does not count.
        async with asyncio.timeout(limit.left()):
            with reading_answer():
                response = await stack.enter_async_context(request)
        events = aiter(response)
        started = False
        while True:
            async with asyncio.timeout(limit.left()):
                with reading_answer():
                    event = await anext(events, None)
            if event is None:
                break
            piece = _text_of(event) if started else _text_of(event).lstrip()
            if piece or _calls_tool(event):
                limit = whole
            if piece:
                started = True
                yield piece
        meter.usage.incr(response.usage)
        meter.reached_limit = response.finish_reason == "length"
        calls = [part for part in response.get().parts if isinstance(part, ToolCallPart)]
        if prompt.tool_choice == "none":
            # Some servers ignore it.
            calls = []
    if not (started or calls):
        raise StepFault(ModelFault.EMPTY_OUTPUT)
    for call in calls:
        yield FunctionCall(call.tool_call_id, call.tool_name, call.args_as_json_str())


def _offer(prompt: StepPrompt) -> ModelRequestParameters:
    tools = [
        ToolDefinition(
            name=each.name,
            parameters_json_schema=dict(each.parameters),
            description=each.about,
            strict=False,
        )
        for each in prompt.tools
    ]
    return ModelRequestParameters(function_tools=tools, allow_text_output=True)


def _calls_tool(event: ModelResponseStreamEvent) -> bool:
    return isinstance(event, PartStartEvent) and isinstance(event.part, ToolCallPart)


def _text_of(event: ModelResponseStreamEvent) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return text
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
        case _:
            return ""
