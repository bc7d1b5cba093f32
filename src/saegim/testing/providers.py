"""A fake model provider that can fail in the ways of a real one."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from saegim.testing.embedders import hashed_vector


class ProviderMode(StrEnum):
    """Behaviour of the provider."""

    OK = "ok"
    REFUSED = "refused"
    HTTP_500 = "http_500"
    HANG = "hang"
    SLOW = "slow"
    INVALID_JSON = "invalid_json"
    BROKEN_STREAM = "broken_stream"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class ProviderRequest:
    """A received request; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class BrokenProvider:
    """A fake OpenAI-compatible server: `async with BrokenProvider(mode) as provider`.

    `mode` and `text` may change between requests, except from and to REFUSED. Text is streamed
    word by word: BROKEN_STREAM aborts after `words_before_break` words, SLOW waits `word_seconds`
    before each.
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
        self.mode = mode
        self.text = text
        self.words_before_break = words_before_break
        self.word_seconds = word_seconds
        self.usage = usage
        self._host = host
        self.finish_reason: str | None = "stop"
        self.structured: str | None = None
        """Response to requests for structured output, if set."""
        self.raw: str | None = None
        """Sent in place of any other response, if set."""
        self.requests: list[ProviderRequest] = []
        self.arrived = asyncio.Event()
        """Set when a request arrives."""
        self.hung_up = asyncio.Event()
        """Set when a client disconnects before the response is complete."""
        self._server: asyncio.Server | None = None
        self._open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._port = 0

    @property
    def base_url(self) -> str:
        return f"http://{self._host}:{self._port}/v1"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, self._host, 0)
        self._port = self._server.sockets[0].getsockname()[1]
        if self.mode is ProviderMode.REFUSED:
            self._server.close()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._open.values():
            writer.transport.abort()
        await asyncio.gather(*self._open)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = writer
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            request = await _read(reader)
            self.requests.append(request)
            answer = asyncio.create_task(self._answer(request, self.mode, writer))
            self.arrived.set()
            await self._wait_for_end(answer, reader)
        del self._open[task]
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def _wait_for_end(self, answer: asyncio.Task[None], reader: asyncio.StreamReader) -> None:
        disconnect = asyncio.create_task(reader.read())
        await asyncio.wait({answer, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            self.hung_up.set()
        answer.cancel()
        disconnect.cancel()
        await asyncio.gather(answer, disconnect, return_exceptions=True)
        if not answer.cancelled():
            answer.result()

    async def _answer(
        self, request: ProviderRequest, mode: ProviderMode, writer: asyncio.StreamWriter
    ) -> None:
        match mode:
            case _ if self.raw is not None:
                await self._send_raw(request, writer, self.raw)
            case ProviderMode.HANG:
                await asyncio.Event().wait()
            case ProviderMode.HTTP_500:
                error = {"error": {"message": "out of order", "type": "server_error"}}
                await _send(writer, json.dumps(error), status="500 Internal Server Error")
            case ProviderMode.INVALID_JSON if not request.body.get("stream"):
                await _send(writer, '{"choices": [')
            case _ if request.path.endswith("/embeddings"):
                await _send(writer, json.dumps(self._vectors(request, mode)))
            case _ if request.body.get("stream"):
                await self._stream(mode, writer)
            case _:
                await asyncio.sleep(self.word_seconds if mode is ProviderMode.SLOW else 0)
                text = self.structured if request.body.get("response_format") else None
                await _send(writer, json.dumps(self._completion(mode, text or self.text)))

    async def _send_raw(
        self, request: ProviderRequest, writer: asyncio.StreamWriter, raw: str
    ) -> None:
        if not request.body.get("stream"):
            await _send(writer, raw)
            return
        writer.write(_head("200 OK", "text/event-stream", "Transfer-Encoding: chunked"))
        await _send_chunk(writer, f"data: {raw}\n\ndata: [DONE]\n\n")
        await _end_chunks(writer)

    async def _stream(self, mode: ProviderMode, writer: asyncio.StreamWriter) -> None:
        writer.write(_head("200 OK", "text/event-stream", "Transfer-Encoding: chunked"))
        if mode is ProviderMode.INVALID_JSON:
            await _send_chunk(writer, 'data: {"choices": [\n\n')
        words = () if mode is ProviderMode.EMPTY else _words(self.text)
        for position, word in enumerate(words):
            if mode is ProviderMode.SLOW:
                await asyncio.sleep(self.word_seconds)
            if mode is ProviderMode.BROKEN_STREAM and position == self.words_before_break:
                writer.transport.abort()
                return
            await _send_event(writer, _chunk({"content": word}, None))
        await _send_event(writer, _chunk({}, self.finish_reason))
        if self.usage:
            await _send_event(writer, {**_chunk(None, None), "usage": self._usage()})
        await _send_chunk(writer, "data: [DONE]\n\n")
        await _end_chunks(writer)

    def _completion(self, mode: ProviderMode, text: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": "" if mode is ProviderMode.EMPTY else text}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
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


_ENVELOPE = {"id": "loopback-1", "created": 1, "model": "loopback"}


def _words(text: str) -> list[str]:
    first, *others = text.split(" ")
    return [first, *(f" {word}" for word in others)]


def _chunk(delta: Mapping[str, str] | None, finish: str | None) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {**_ENVELOPE, "object": "chat.completion.chunk", "choices": choices}


async def _read(reader: asyncio.StreamReader) -> ProviderRequest:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii").split("\r\n")
    _, path, _ = head[0].split(" ")
    pairs = (line.partition(":") for line in head[1:] if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return ProviderRequest(path, headers, json.loads(body) if body else {})


def _head(status: str, content_type: str, length: str) -> bytes:
    lines = (f"HTTP/1.1 {status}", f"Content-Type: {content_type}", length, "Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


async def _send(writer: asyncio.StreamWriter, body: str, status: str = "200 OK") -> None:
    content = body.encode()
    writer.write(_head(status, "application/json", f"Content-Length: {len(content)}") + content)
    await writer.drain()


async def _send_event(writer: asyncio.StreamWriter, event: Mapping[str, Any]) -> None:
    await _send_chunk(writer, f"data: {json.dumps(event, ensure_ascii=False)}\n\n")


async def _end_chunks(writer: asyncio.StreamWriter) -> None:
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def _send_chunk(writer: asyncio.StreamWriter, text: str) -> None:
    content = text.encode()
    writer.write(f"{len(content):x}\r\n".encode("ascii") + content + b"\r\n")
    await writer.drain()
