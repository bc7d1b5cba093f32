"""Send hostile requests over raw sockets, which no client library corrects."""

import asyncio
import contextlib
import json
import random
import string
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

SECONDS = 60.0
AT_ONCE = 8
ROUTES = (
    "/v1/chat", "/v1/chat/completions", "/v1/search", "/v1/recall", "/v1/memories", "/v1/keys",
    "/v1/memories/import", "/v1/sources", "/v1/webhooks", "/v1/tokens", "/v1/ingests", "/mcp",
    "/v1/assistant/config", "/v1/limits", "/v1/erasures", "/v1/collections", "/v1/issuers",
)  # fmt: skip
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "새김")
TYPES = (
    "application/json", "application/json; charset=utf-16", "application/xml", "text/plain",
    "multipart/form-data", "application/x-www-form-urlencoded", "", "application/json;;;", "*/*",
)  # fmt: skip
NASTY = (
    "", "\x00", "가" * 3_000, "\ud800", "' or 1=1 --", "{{7*7}}", "%00", "%ff%fe",
    "../../etc/passwd", "\u202e", "-1", "1e999", "NaN", "null", "\r\nX-A: b", "𝕊" * 500,
    "a" * 20_000,
)  # fmt: skip


@dataclass
class Tally:
    """Counts of requests by status; 0 if the connection was closed."""

    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter[int])
    broken: list[str] = field(default_factory=list[str])

    @property
    def server_errors(self) -> int:
        return sum(
            count for status, count in self.statuses.items() if status >= 500 and status != 503
        )


class Attacker:
    """Makes requests from a number: the same number makes the same request."""

    def __init__(self, key: str, ids: dict[str, str], number: int = 1) -> None:
        self._key = key
        self._ids = list(ids.values())
        self._random = random.Random(number)
        self._bodies: tuple[Callable[[], bytes], ...] = (
            self._noise, self._deep, self._huge, self._wrong_values, self._cut, self._big_number,
            self._not_utf8, self._twice,
        )  # fmt: skip

    def request(self) -> bytes:
        """Returns one request as bytes."""
        chance = self._random
        method = chance.choice(METHODS) if chance.random() < 0.25 else "POST"
        body = chance.choice(self._bodies)()
        lines = [f"{method} {self._path()} HTTP/1.1", "Host: 127.0.0.1", *self._credential()]
        lines += self._tricks()
        lines.append(f"Content-Type: {chance.choice(TYPES)}")
        lines.append(f"Content-Length: {self._length(body)}")
        lines.append("Connection: close")
        head = "\r\n".join(lines).encode("utf-8", "surrogatepass")
        return head + b"\r\n\r\n" + body

    def _path(self) -> str:
        chance = self._random
        path = chance.choice(ROUTES)
        kind = chance.randrange(10)
        if kind == 0:
            return f"{path}/{chance.choice(self._ids)}/{chance.choice(['trace', 'x', '..', '%2e'])}"
        if kind == 1:
            return f"/v1/documents/{'%2e%2e%2f' * chance.randrange(20)}etc/passwd"
        if kind == 2:
            return "/" + "a" * chance.choice([1_000, 9_000, 70_000])
        if kind == 3:
            return f"/v1//..//{path}?{'x=' * 500}"
        if kind == 4:
            return f"{path}?count={chance.choice(['-1', '9' * 400, 'NaN', '%00', '가'])}"
        if kind == 5:
            return f"/v1/turns/{chance.choice(['%00', '0' * 32, 'null', '가', '%F0%28%8C'])}"
        return path

    def _credential(self) -> list[str]:
        chance = self._random
        if chance.random() < 0.6:
            return [f"Authorization: Bearer {self._key}", f"Saegim-User: h{chance.randrange(20)}"]
        wrong = (
            "Bearer",
            "Bearer ",
            "Basic YTpi",
            f"Bearer {'a.' * 300}",
            "Bearer sgt_A",
        )
        return [f"Authorization: {chance.choice(wrong)}"] * chance.choice([0, 1, 2])

    def _tricks(self) -> list[str]:
        chance = self._random
        found = []
        if chance.random() < 0.4:
            names = ("Saegim-User", "Saegim-Profile", "Saegim-Session", "Idempotency-Key")
            nasty = chance.choice(NASTY).replace("\r", "%0D").replace("\n", "%0A")
            found.append(f"{chance.choice(names)}: {nasty}")
        if chance.random() < 0.1:
            found.append(f"Last-Event-ID: {chance.choice(['-', '9' * 99, '²-²', '1-'])}")
        if chance.random() < 0.1:
            found += [f"X-{n}: {'b' * 200}" for n in range(chance.choice([10, 200]))]
        if chance.random() < 0.1:
            found.append(f"Accept: {chance.choice(['text/event-stream', '*', ',' * 200])}")
        if chance.random() < 0.05:
            found.append("Transfer-Encoding: chunked")
        return found

    def _length(self, body: bytes) -> str:
        chance = self._random
        if chance.random() > 0.1:
            return str(len(body))
        return chance.choice(["-1", "0", "9" * 30, "abc", str(max(0, len(body) - 1)), "1_0"])

    def _noise(self) -> bytes:
        return self._random.randbytes(self._random.randrange(2_000))

    def _deep(self) -> bytes:
        depth = self._random.choice([50, 1_000, 100_000])
        opening, closing = self._random.choice([(b"[", b"]"), (b'{"a":', b"}")])
        return opening * depth + b"1" + closing * depth

    def _huge(self) -> bytes:
        size = self._random.choice([200_000, 999_000, 1_500_000])
        return b'{"message":"' + b"a" * size + b'"}'

    def _wrong_values(self) -> bytes:
        chance = self._random
        values: list[object] = [*NASTY, -1, 2**70, 1.5, True, None, [], {}, [[]], [None] * 500]
        names = ("message", "query", "content", "stream", "messages", "chat_history", "url", "name",
                 "selected_doc_ids", "limits", "source", "memories", "user", "model")  # fmt: skip
        body = {chance.choice(names): chance.choice(values) for _ in range(chance.randrange(8))}
        return json.dumps(body).encode("utf-8", "surrogatepass")

    def _cut(self) -> bytes:
        whole = json.dumps({"message": "안녕하세요", "stream": True}, ensure_ascii=False).encode()
        return whole[: self._random.randrange(len(whole))]

    def _big_number(self) -> bytes:
        return b'{"count":' + b"9" * self._random.choice([20, 5_000, 100_000]) + b"}"

    def _not_utf8(self) -> bytes:
        text = self._random.choice(string.ascii_letters)
        return b'{"message":"\xff\xfe\xed\xa0\x80' + text.encode() + b'"}'

    def _twice(self) -> bytes:
        return b'{"message":"a","message":{"b":[1e9999]},"__proto__":{"x":1},"message":"\\ud800"}'


async def attack(url: str, attacker: Attacker, count: int) -> Tally:
    """Sends so many requests, a few at a time."""
    tally = Tally()
    place = urlsplit(url)
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(request: bytes) -> None:
        async with gate:
            status = await _sent(place.hostname or "", place.port or 80, request)
        tally.requests += 1
        tally.statuses[status] += 1
        if status >= 500 and status != 503:
            tally.broken.append(repr(request[:300]))

    for first in range(0, count, 500):
        many = [attacker.request() for _ in range(min(500, count - first))]
        await asyncio.gather(*(one(request) for request in many))
    return tally


async def _sent(host: str, port: int, request: bytes) -> int:
    """Returns the status of the response, or 0 if the connection was closed without one."""
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection(host, port)
            with contextlib.suppress(OSError):
                writer.write(request)
                await writer.drain()
            # Otherwise the server waits for the announced bytes.
            with contextlib.suppress(OSError):
                writer.write_eof()
            first = b""
            with contextlib.suppress(OSError):
                first = await reader.readline()
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
    except TimeoutError:
        return 599
    parts = first.split()
    return int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else 0


def resident_mb(pid: int) -> float:
    """Returns the memory of a process."""
    fields = Path(f"/proc/{pid}/status").read_text().splitlines()
    (line,) = [each for each in fields if each.startswith("VmRSS")]
    return int(line.split()[1]) / 1024
