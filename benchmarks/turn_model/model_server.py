"""A model server on loopback that takes its answers from somewhere and records every request.

The product asks for models that are named after their roles, so that the recording has the role of
each request. Requests are answered one by one.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from aiohttp import web

from benchmarks.doubles.services import LoopbackServer
from saegim.text.tokens import count

PIECE = re.compile(r"(?s).{1,24}")
# Providers cache prefixes from this length on.
LEAST_PREFIX = 1_024
ANSWER_ROLES = ("lite", "strong")


class UnknownRequest(Exception):
    """A recording has no answer to a request."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request: the message that was played last, the model's role, and what kind it is.

    `kind` is the name of the form to fill in, "tools" or "text".
    """

    message: str
    session: str
    role: str
    kind: str
    body: Mapping[str, Any]

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        return self.body.get("messages", ())

    @property
    def is_background(self) -> bool:
        return self.role not in ANSWER_ROLES


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A text, and calls of tools behind it."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Name and arguments as JSON."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "ModelAnswer":
        calls = ((each["name"], _written(each["arguments"])) for each in stored.get("calls", ()))
        return cls(stored.get("text") or "", tuple(calls))

    def as_json(self) -> dict[str, Any]:
        calls = [{"name": name, "arguments": written} for name, written in self.calls]
        return {"text": self.text} | ({"calls": calls} if calls else {})


class AnswerSource(Protocol):
    """Where the answers come from: a recording, a person or another server."""

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """Raises UnknownRequest."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, its answer, and its tokens: all of the request, those that repeat the beginning of
    an earlier one of the session, and those of the answer."""

    request: ModelRequest
    answer: ModelAnswer
    tokens: int
    repeated: int
    written: int


@dataclass
class ModelServer(LoopbackServer):
    """`async with ModelServer(source) as server`: set `message` and `session` before each turn."""

    source: AnswerSource
    message: str = ""
    session: str = ""
    exchanges: list[Exchange] = field(default_factory=list[Exchange])
    failures: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        super().__init__()
        self._lock = asyncio.Lock()
        self._prompts: dict[str, list[str]] = {}

    async def respond(self, request: web.Request) -> web.StreamResponse:
        if not request.path.endswith("/chat/completions"):
            data = [{"id": role, "object": "model"} for role in ANSWER_ROLES]
            return web.json_response({"object": "list", "data": data})
        body: Any = await request.json()
        async with self._lock:
            asked = ModelRequest(
                self.message, self.session, str(body.get("model")), kind_of(body), body
            )
            try:
                answer = await self.source.answer(asked)
            except UnknownRequest as unknown:
                self.failures.append(str(unknown))
                return web.json_response({"error": {"message": str(unknown)}}, status=400)
            exchange = self._recorded(asked, answer)
        if not body.get("stream"):
            return web.json_response(_completion(exchange))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        async for event in _events(exchange):
            await response.write(f"data: {event}\n\n".encode())
        return response

    def _recorded(self, request: ModelRequest, answer: ModelAnswer) -> Exchange:
        text, earlier = prompt_text(request.body), self._prompts.setdefault(request.session, [])
        shared = max((_shared(text, each) for each in earlier), default=0)
        repeated = count(text[:shared])
        earlier.append(text)
        written = count("".join((answer.text, *(each for call in answer.calls for each in call))))
        exchange = Exchange(
            request, answer, count(text), repeated if repeated >= LEAST_PREFIX else 0, written
        )
        self.exchanges.append(exchange)
        return exchange


def kind_of(body: Mapping[str, Any]) -> str:
    """Return the form that is asked for, "tools" or "text"."""
    form = (body.get("response_format") or {}).get("json_schema", {}).get("name")
    return str(form) if form else "tools" if callable_tools(body) else "text"


def callable_tools(body: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the tools that the model may call."""
    return () if body.get("tool_choice") == "none" else body.get("tools") or ()


def prompt_text(body: Mapping[str, Any]) -> str:
    """Return what a provider reads, in its order: tools, form, messages."""
    parts = [body.get("tools"), body.get("response_format")]
    heads = [json.dumps(each, ensure_ascii=False) for each in parts if each]
    return "\n".join([*heads, *map(message_text, body.get("messages", ()))])


def message_text(message: Mapping[str, Any]) -> str:
    """Return a message with its calls as text."""
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "\n".join(part.get("text", "") for part in content)
    calls = [
        f"\nCALL {call['function']['name']} {call['function']['arguments']}"
        for call in message.get("tool_calls") or ()
    ]
    return f"{message['role']}: {content}{''.join(calls)}"


def _shared(text: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    differ = (at for at, (one, two) in enumerate(zip(text, other, strict=False)) if one != two)
    return next(differ, min(len(text), len(other)))


def _written(arguments: object) -> str:
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False)


def _calls(exchange: Exchange) -> list[dict[str, Any]]:
    rounds = sum(message["role"] == "tool" for message in exchange.request.messages)
    return [
        {
            "index": number,
            "id": f"call_{rounds}_{number}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for number, (name, arguments) in enumerate(exchange.answer.calls)
    ]


def _usage(exchange: Exchange) -> dict[str, Any]:
    return {
        "prompt_tokens": exchange.tokens,
        "completion_tokens": exchange.written,
        "total_tokens": exchange.tokens + exchange.written,
        "prompt_tokens_details": {"cached_tokens": exchange.repeated},
    }


def _completion(exchange: Exchange) -> dict[str, Any]:
    calls = _calls(exchange)
    message: dict[str, Any] = {"role": "assistant", "content": exchange.answer.text or None}
    message |= {"tool_calls": calls} if calls else {}
    reason = "tool_calls" if calls else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    head = {"id": "chatcmpl-1", "created": 1, "model": exchange.request.role}
    return head | {"object": "chat.completion", "choices": [choice], "usage": _usage(exchange)}


async def _events(exchange: Exchange) -> AsyncIterator[str]:
    head = {"id": "chatcmpl-1", "created": 1, "model": exchange.request.role}
    calls = _calls(exchange)
    deltas: list[dict[str, Any]] = [{"role": "assistant"}]
    deltas += [{"content": piece} for piece in PIECE.findall(exchange.answer.text)]
    deltas += [{"tool_calls": [call]} for call in calls]
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas
    ]
    reason = "tool_calls" if calls else "stop"
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    chunks.append({"choices": [], "usage": _usage(exchange)})
    for chunk in chunks:
        yield json.dumps(head | {"object": "chat.completion.chunk"} | chunk, ensure_ascii=False)
    yield "[DONE]"
