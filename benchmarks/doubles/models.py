"""Scripted models that record their requests."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from saegim.llm.ports import ModelRole, RoleModel
from saegim.llm.types import Message


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A recorded request to a model. It may call `tools`, of all that were `sent`."""

    role: ModelRole
    system: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()
    sent: tuple[str, ...] = ()

    def blocks(self, name: str) -> list[str]:
        """Return the texts between the tags of this name, with any suffix."""
        text = "\n".join([self.system, *(message.text for message in self.messages)])
        tags = rf"<{name}-([0-9a-f]+)>\n(.*?)\n</{name}-\1>"
        return [match[2] for match in re.finditer(tags, text, re.DOTALL)]


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text in pieces, each after a pause and not before `begin` is set; then raises `death` or
    goes on with `then`, if set."""

    texts: tuple[str, ...]
    pause_seconds: float = 0.0
    death: Exception | None = None
    begin: asyncio.Event | None = None
    then: "Pieces | None" = None


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of tools, each a name and its arguments, behind a text."""

    calls: tuple[tuple[str, Mapping[str, Any]], ...]
    text: str = ""


def call(name: str, **arguments: Any) -> Calls:
    """Return a reply that calls one tool."""
    return Calls(((name, arguments),))


Reply = str | BaseModel | Pieces | Calls | Exception
"""Text, structured output, text in pieces, calls of tools, or an error to raise."""

Script = Sequence[Reply] | Callable[[RecordedRequest], Reply]
"""Replies in order, or a function from the request to the reply."""


@dataclass(slots=True)
class ScriptedModels:
    """Fake `Models`: roles without a script have no model."""

    scripts: Mapping[ModelRole, Script]
    timeout_seconds: float = 60.0
    retries: int = 0
    requests: list[RecordedRequest] = field(default_factory=list[RecordedRequest])
    _played: dict[ModelRole, int] = field(default_factory=dict[ModelRole, int])

    def for_role(self, role: ModelRole) -> RoleModel | None:
        script = self.scripts.get(role)
        if script is None:
            return None

        async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            pieces = _pieces(self._next(role, script, _request(role, messages, info)))
            texts = [text async for text in _play(pieces)]
            return ModelResponse(parts=[TextPart("".join(texts))])

        def stream(
            messages: list[ModelMessage], info: AgentInfo
        ) -> AsyncIterator[str | DeltaToolCalls]:
            reply = self._next(role, script, _request(role, messages, info))
            return _call(reply) if isinstance(reply, Calls) else _play(_pieces(reply))

        model = FunctionModel(answer, stream_function=stream, model_name=f"scripted-{role.value}")
        return RoleModel(model, self.timeout_seconds, self.retries)

    def _next(self, role: ModelRole, script: Script, request: RecordedRequest) -> Reply:
        self.requests.append(request)
        if callable(script):
            return script(request)
        position = self._played.get(role, 0)
        if position >= len(script):
            raise AssertionError(f"the script of {role.value} has only {len(script)} replies")
        self._played[role] = position + 1
        return script[position]


def _pieces(reply: Reply) -> Pieces:
    match reply:
        case Pieces():
            return reply
        case BaseModel():
            return Pieces((reply.model_dump_json(),))
        case Exception():
            return Pieces((), death=reply)
        case Calls():
            raise AssertionError("only a streamed request can call tools")
        case str():
            return Pieces(tuple(part for part in reply.partition(" ") if part) or ("",))


async def _call(reply: Calls) -> AsyncIterator[str | DeltaToolCalls]:
    if reply.text:
        yield reply.text
    for number, (name, arguments) in enumerate(reply.calls):
        written = json.dumps(arguments, ensure_ascii=False)
        # Ids are those of this reply alone, as with providers that number them.
        yield {number: DeltaToolCall(name, written, tool_call_id=f"call_{number}_{id(reply)}")}


async def _play(pieces: Pieces) -> AsyncIterator[str]:
    if pieces.begin is not None:
        await pieces.begin.wait()
    for text in pieces.texts:
        await asyncio.sleep(pieces.pause_seconds)
        yield text
    if pieces.death is not None:
        raise pieces.death
    if pieces.then is not None:
        async for text in _play(pieces.then):
            yield text


def _request(role: ModelRole, messages: list[ModelMessage], info: AgentInfo) -> RecordedRequest:
    tools = tuple(each.name for each in info.function_tools)
    texts = tuple(_message(message) for message in messages)
    may_call = (info.model_settings or {}).get("tool_choice") != "none"
    return RecordedRequest(role, info.instructions or "", texts, tools if may_call else (), tools)


def _message(message: ModelMessage) -> Message:
    match message:
        case ModelRequest(parts=parts):
            results = [str(part.content) for part in parts if isinstance(part, ToolReturnPart)]
            if results:
                return Message("tool", "\n\n".join(results))
            texts = [str(part.content) for part in parts if isinstance(part, UserPromptPart)]
            return Message("user", "\n".join(texts))
        case ModelResponse():
            return Message("assistant", message.text or "")
