"""Fake HTTP services on loopback."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, cast

from aiohttp import web

LARGEST_BODY = 2**26
# How long the handlers of requests that hang are waited for at the end.
SHUTDOWN_SECONDS = 0.01


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


class LoopbackServer(ABC):
    """A server with one connection per request. Use as an async context manager."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self._host = host
        self._runner: web.AppRunner | None = None
        self._port = 0

    @property
    def url(self) -> str:
        return f"http://{self._host}:{self._port}"

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=LARGEST_BODY)
        app.router.add_route("*", "/{path:.*}", self.respond)
        self._runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=SHUTDOWN_SECONDS
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, self._host, 0).start()
        self._port = cast("tuple[str, int]", self._runner.addresses[0])[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    @abstractmethod
    async def respond(self, request: web.Request) -> web.StreamResponse:
        """Respond to a request; cancelled if the client disconnects."""


class LocalService(LoopbackServer):
    """A service with the responses of a test; `answer` may be replaced between requests."""

    def __init__(self, answer: Callable[[ReceivedRequest], CannedResponse]) -> None:
        super().__init__()
        self.answer = answer
        self.asked: list[ReceivedRequest] = []

    async def respond(self, request: web.Request) -> web.StreamResponse:
        received = ReceivedRequest(
            request.rel_url.raw_path,
            {name: request.query[name] for name in request.query},
            {name.lower(): value for name, value in request.headers.items()},
        )
        self.asked.append(received)
        answer = self.answer(received)
        await asyncio.sleep(answer.seconds)
        headers = {"Content-Type": "application/json", **answer.headers}
        response = web.StreamResponse(status=answer.status, headers=headers)
        content = answer.content()
        response.content_length = len(content)
        response.force_close()
        await response.prepare(request)
        await response.write(content[: answer.breaks_after])
        return response
