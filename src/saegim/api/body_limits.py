"""Request bodies: bounded in size, in time, and in how much of them a process holds."""

import asyncio
import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saegim.api.problems import locale_of_headers, problem
from saegim.domain.errors import Overloaded, SaegimError, TimedOut, TooLarge

# Files are read as they come, in parts; their route bounds them itself.
UPLOADS = re.compile(r"/v1/ingests/[^/]+/files/")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """`seconds` is for a whole body; a file that comes in parts has it for each of them."""

    most_bytes: int = 1_000_000
    most_bytes_of_all: int = 64_000_000
    seconds: float = 30.0


class BodyLimit:
    """Reads a body before anything else looks at the request, and refuses one that is too large
    or too slow."""

    def __init__(self, app: ASGIApp, limits: BodyLimits) -> None:
        self._app = app
        self._limits = limits
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif UPLOADS.match(scope["path"]):
            await self._app(scope, self._timed(receive), send)
        else:
            await self._with_body(scope, receive, send)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, body = Headers(scope=scope), _Body()
        try:
            await self._read(headers, receive, body)
        except SaegimError as refusal:
            await problem(refusal, locale_of_headers(headers))(scope, receive, send)
            return
        finally:
            self._held -= body.size
        if not body.broken_off:
            await self._app(scope, _replayed(body, receive), send)

    async def _read(self, headers: Headers, receive: Receive, body: "_Body") -> None:
        """Reads a body whole. Raises TooLarge, TimedOut, Overloaded."""
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limits.most_bytes:
            raise self._too_large()
        if length == "0" and "transfer-encoding" not in headers:
            return
        try:
            async with asyncio.timeout(self._limits.seconds):
                while not body.whole:
                    size = body.add(await receive())
                    self._held += size
                    if body.size > self._limits.most_bytes:
                        raise self._too_large()
                    if self._held > self._limits.most_bytes_of_all:
                        raise Overloaded("too many large bodies at once")
        except TimeoutError:
            raise TimedOut from None

    def _too_large(self) -> TooLarge:
        return TooLarge(f"a body may have {self._limits.most_bytes} bytes")

    def _timed(self, receive: Receive) -> Receive:
        async def timed() -> Message:
            try:
                async with asyncio.timeout(self._limits.seconds):
                    return await receive()
            except TimeoutError:
                raise TimedOut from None

        return timed


class _Body:
    """A body as it comes in."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.whole = False
        self.broken_off = False

    def add(self, message: Message) -> int:
        """Takes the next part; how large it is."""
        if message["type"] == "http.disconnect":
            self.whole = self.broken_off = True
            return 0
        part: bytes = message.get("body", b"")
        self.parts.append(part)
        self.size += len(part)
        self.whole = not message.get("more_body", False)
        return len(part)


def _replayed(body: _Body, receive: Receive) -> Receive:
    """The body once more, then whatever else comes."""
    if not body.whole:
        return receive
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": b"".join(body.parts), "more_body": False}

    return replayed
