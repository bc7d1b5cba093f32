"""A fake model provider that can fail in the ways of a real one."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from aiohttp import web

from benchmarks.doubles.embedders import hashed_vector
from benchmarks.doubles.services import LoopbackServer


class ProviderMode(StrEnum):
    """Behaviour of the provider."""

    OK = "ok"
    REFUSED = "refused"
    HTTP_401 = "http_401"
    HTTP_404 = "http_404"
    HTTP_429 = "http_429"
    HTTP_500 = "http_500"
    REDIRECT = "redirect"
    HANG = "hang"
    SLOW = "slow"
    INVALID_JSON = "invalid_json"
    BROKEN_STREAM = "broken_stream"
    EMPTY = "empty"


class ToolUse(StrEnum):
    """What the provider does with the tools of a request."""

    CALLED = "called"
    """Calls one if it must, or if the last message names it in backticks."""
    IGNORED = "ignored"
    """Answers with text."""
    HTTP_400 = "http_400"
    """As Ollama with a model without tools."""
    HTTP_500 = "http_500"
    """As llama.cpp without a tool template."""
    HTTP_429 = "http_429"
    """A rate limit of requests with tools."""


@dataclass(frozen=True, slots=True)
class ProviderRequest:
    """A received request; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class BrokenProvider(LoopbackServer):
    """A fake OpenAI-compatible server: `async with BrokenProvider(mode) as provider`.

    `mode` and `text` may change between requests, except from and to REFUSED. Text is streamed
    word by word: BROKEN_STREAM aborts after `words_before_break` words, SLOW waits `word_seconds`
    before each. `tools` is what it does with tools.
    """

    def __init__(
        self,
        mode: ProviderMode = ProviderMode.OK,
        text: str = "새김은 기억합니다.",
        *,
        words_before_break: int = 2,
        word_seconds: float = 0.2,
        usage: bool = True,
        host: str = "127.0.0.1",
    ) -> None:
        super().__init__(host)
        self.mode = mode
        self.tools = ToolUse.CALLED
        self.text = text
        self.words_before_break = words_before_break
        self.word_seconds = word_seconds
        self.usage = usage
        self.finish_reason: str | None = "stop"
        self.structured: str | None = None
        """Response to requests for structured output, and arguments of tools, if set."""
        self.raw: str | None = None
        """Sent in place of any other response, if set."""
        self.models: tuple[str, ...] = ("loopback",)
        self.requests: list[ProviderRequest] = []
        self.arrived = asyncio.Event()
        """Set when a request arrives."""
        self.hung_up = asyncio.Event()
        """Set when a client disconnects before the response is complete."""

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        if self.mode is ProviderMode.REFUSED:
            await super().__aexit__()
        return self

    async def respond(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        body: Any = await request.json() if request.can_read_body else {}
        received = ProviderRequest(request.path, headers, body)
        self.requests.append(received)
        self.arrived.set()
        try:
            return await self._answer(request, received, self.mode)
        except (asyncio.CancelledError, ConnectionError):
            self.hung_up.set()
            raise

    async def _answer(
        self, request: web.Request, received: ProviderRequest, mode: ProviderMode
    ) -> web.StreamResponse:
        if self.raw is None and mode is ProviderMode.HANG:
            await asyncio.Event().wait()
        if self.raw is None and mode in _ERRORS:
            status, kind, message = _ERRORS[mode]
            key = received.headers.get("authorization", "").removeprefix("Bearer ")
            said = message.format(key=key, model=received.body.get("model"))
            return _json({"error": {"message": said, "type": kind}}, status)
        if self.raw is None and mode is ProviderMode.REDIRECT:
            raise web.HTTPTemporaryRedirect(f"{self.url}/elsewhere")
        if received.path.endswith("/models"):
            data = [{"id": name, "object": "model", "created": 1} for name in self.models]
            listed = _json({"object": "list", "data": data})
            return await self._dripped(request, listed) if mode is ProviderMode.SLOW else listed
        if received.body.get("tools") and self.tools in _TOOL_ERRORS:
            status, kind, message = _TOOL_ERRORS[self.tools]
            said = message.format(model=received.body.get("model"))
            return _json({"error": {"message": said, "type": kind}}, status)
        if received.path.endswith("/embeddings") or not received.body.get("stream"):
            return await self._complete(received, mode)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        response.force_close()
        await response.prepare(request)
        async for event in self._events(mode, self._call(received)):
            if event is None:
                assert request.transport is not None
                request.transport.abort()
                return response
            await response.write(f"data: {event}\n\n".encode())
        return response

    async def _dripped(self, request: web.Request, whole: web.Response) -> web.StreamResponse:
        """Send a response byte by byte."""
        assert isinstance(whole.body, bytes)
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for byte in whole.body:
            await response.write(bytes([byte]))
            await asyncio.sleep(self.word_seconds)
        return response

    async def _complete(self, received: ProviderRequest, mode: ProviderMode) -> web.Response:
        if self.raw is not None or mode is ProviderMode.INVALID_JSON:
            return _text('{"choices": [' if self.raw is None else self.raw)
        if received.path.endswith("/embeddings"):
            return _json(self._vectors(received, mode))
        await asyncio.sleep(self.word_seconds if mode is ProviderMode.SLOW else 0)
        text = self.structured if received.body.get("response_format") else None
        return _json(self._completion(mode, text or self.text, self._call(received)))

    def _call(self, received: ProviderRequest) -> dict[str, Any] | None:
        """Return the call of a tool, if the request makes the model call one."""
        tools: list[Any] = received.body.get("tools") or []
        if self.tools is not ToolUse.CALLED or not tools:
            return None
        must = received.body.get("tool_choice", "auto") not in ("auto", "none")
        said = str(received.body["messages"][-1].get("content"))
        names: list[str] = [tool["function"]["name"] for tool in tools]
        called = [name for name in names if must or f"`{name}`" in said]
        if not called:
            return None
        function = {"name": called[0], "arguments": self.structured or "{}"}
        return {"id": f"call_{len(self.requests)}", "type": "function", "function": function}

    async def _events(
        self, mode: ProviderMode, call: dict[str, Any] | None
    ) -> AsyncIterator[str | None]:
        """Yield the events of a stream; None where it breaks."""
        if self.raw is not None:
            yield self.raw
        else:
            if mode is ProviderMode.INVALID_JSON:
                yield '{"choices": ['
            words = () if mode is ProviderMode.EMPTY or call else _words(self.text)
            if call:
                yield _chunk({"tool_calls": [{"index": 0, **call}]}, None)
            for position, word in enumerate(words):
                if mode is ProviderMode.SLOW:
                    await asyncio.sleep(self.word_seconds)
                if mode is ProviderMode.BROKEN_STREAM and position == self.words_before_break:
                    yield None
                yield _chunk({"content": word}, None)
            yield _chunk({}, "tool_calls" if call else self.finish_reason)
            if self.usage:
                yield _chunk(None, None, usage=self._usage())
        yield "[DONE]"

    def _completion(
        self, mode: ProviderMode, text: str, call: dict[str, Any] | None
    ) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if mode is ProviderMode.EMPTY:
            message["content"] = ""
        elif call:
            message |= {"content": None, "tool_calls": [call]}
        choice = {"index": 0, "finish_reason": "tool_calls" if call else "stop", "message": message}
        usage = {"usage": self._usage()} if self.usage else {}
        return {**_ENVELOPE, "object": "chat.completion", "choices": [choice], **usage}

    def _usage(self) -> dict[str, int]:
        words = len(_words(self.text))
        return {"prompt_tokens": 11, "completion_tokens": words, "total_tokens": 11 + words}

    def _vectors(self, request: ProviderRequest, mode: ProviderMode) -> dict[str, Any]:
        dimensions = request.body.get("dimensions", 64)
        texts: list[str] = [] if mode is ProviderMode.EMPTY else request.body["input"]
        data = [
            # Not normalised: the client must do it.
            {
                "object": "embedding",
                "index": index,
                "embedding": [2 * value for value in hashed_vector(text, dimensions)],
            }
            for index, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return {"object": "list", "model": "loopback", "data": data, "usage": usage}


# Status, type and message as hosted providers send them; some repeat the key.
_ERRORS = {
    ProviderMode.HTTP_401: (
        401,
        "invalid_request_error",
        "Incorrect API key provided: {key}. You can find your API key in your account.",
    ),
    ProviderMode.HTTP_404: (
        404,
        "invalid_request_error",
        "The model `{model}` does not exist or you do not have access to it.",
    ),
    ProviderMode.HTTP_429: (
        429,
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
    ),
    ProviderMode.HTTP_500: (500, "server_error", "out of order"),
}
_TOOL_ERRORS = {
    ToolUse.HTTP_400: (
        400,
        "api_error",
        "registry.ollama.ai/library/{model} does not support tools",
    ),
    ToolUse.HTTP_500: (500, "server_error", "tools param requires --jinja flag"),
    ToolUse.HTTP_429: (429, "rate_limit", "Rate limit reached for {model}."),
}
_ENVELOPE = {"id": "loopback-1", "created": 1, "model": "loopback"}


def _words(text: str) -> list[str]:
    first, *others = text.split(" ")
    return [first, *(f" {word}" for word in others)]


def _chunk(delta: Mapping[str, object] | None, finish: str | None, **more: Any) -> str:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    chunk = {**_ENVELOPE, "object": "chat.completion.chunk", "choices": choices, **more}
    return json.dumps(chunk, ensure_ascii=False)


def _json(body: object, status: int = 200) -> web.Response:
    return _text(json.dumps(body), status)


def _text(text: str, status: int = 200) -> web.Response:
    response = web.Response(body=text.encode(), status=status, content_type="application/json")
    response.force_close()
    return response
