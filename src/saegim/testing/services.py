"""A fake HTTP service with the responses of a test."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CannedResponse:
    """A response; `breaks_after` sends only so many bytes of the body."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    seconds: float = 0.0
    breaks_after: int | None = None

    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return json.dumps(self.body, ensure_ascii=False).encode()


class LocalService:
    """Use as an async context manager; `answer` may be replaced between requests."""

    def __init__(self, answer: Callable[[ReceivedRequest], CannedResponse]) -> None:
        self.answer = answer
        self.asked: list[ReceivedRequest] = []
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._answer(reader, writer)
        finally:
            self._open.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            _, target, _ = head[0].split(" ")
            pairs = (line.partition(":") for line in head[1:] if line)
            parts = urlsplit(target)
            request = ReceivedRequest(
                parts.path,
                {name: values[0] for name, values in parse_qs(parts.query).items()},
                {name.lower(): value.strip() for name, _, value in pairs},
            )
            self.asked.append(request)
            await self._send(writer, self.answer(request))

    async def _send(self, writer: asyncio.StreamWriter, answer: CannedResponse) -> None:
        await asyncio.sleep(answer.seconds)
        content = answer.content()
        headers = {
            "Content-Type": "application/json",
            "Content-Length": str(len(content)),
            "Connection": "close",
            **answer.headers,
        }
        lines = [f"HTTP/1.1 {answer.status} X", *(f"{k}: {v}" for k, v in headers.items())]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        writer.write(content if answer.breaks_after is None else content[: answer.breaks_after])
        await writer.drain()
