"""Load clients that run in their own process and print JSON.

`flood` sends bursts of parallel requests over raw sockets, each once, over its own connection.
`turns` chats at a steady rate. `health` polls `/health/live`. Separate processes keep the clients'
interpreter time out of the measurement.
"""

import argparse
import asyncio
import http.client
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx2

from benchmarks import results

_ASKED = {"message": "비용 알림은 어떻게 켜나요?"}
QUESTION = json.dumps(_ASKED).encode()
# 900 kB, nearly the longest body that is read.
_ENTRIES = [
    {"role": "user", "content": "비용 " * 710},
    {"role": "assistant", "summary": "알림 " * 710},
]
LARGE = json.dumps({**_ASKED, "chat_history": _ENTRIES * 90}, ensure_ascii=False).encode()
SECONDS_FOR_A_RESPONSE = 60.0
PROBE_PAUSE_SECONDS = 0.02


class Flood:
    """A member who sends more requests than are served."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port
        shown = {"Host": "saegim", "Connection": "close", **headers}
        self._head = "".join(f"{name}: {value}\r\n" for name, value in shown.items())
        self.statuses: Counter[int] = Counter()
        self.without_retry_after = 0
        self.longest_ms = 0.0

    async def burst(self, parallel: int) -> None:
        """Sends requests in parallel: chats, some streamed, some with a large body, and reads."""
        await asyncio.gather(*(self._send(number) for number in range(parallel)))

    async def _send(self, number: int) -> None:
        """Sends one request without retry; a broken connection counts as status 0."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(SECONDS_FOR_A_RESPONSE):
                response = await self._exchange(self._request(number))
        except (OSError, TimeoutError):
            response = b""
        self.longest_ms = max(self.longest_ms, (time.perf_counter() - began) * 1000)
        status = int(response[9:12] or b"0")
        self.statuses[status] += 1
        head = response.partition(b"\r\n\r\n")[0].lower()
        if status in (429, 503) and b"\r\nretry-after:" not in head:
            self.without_retry_after += 1

    def _request(self, number: int) -> bytes:
        if number % 2:
            return f"GET /v1/sessions HTTP/1.1\r\n{self._head}\r\n".encode()
        body = LARGE if number % 8 == 6 else QUESTION
        form = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        if number % 4 == 0:
            form += "Accept: text/event-stream\r\n"
        return f"POST /v1/chat HTTP/1.1\r\n{self._head}{form}\r\n".encode() + body

    async def _exchange(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            writer.write(request)
            return await reader.read()
        finally:
            writer.close()

    def seen(self) -> dict[str, Any]:
        return {
            "statuses": dict(self.statuses),
            "without_retry_after": self.without_retry_after,
            "longest_ms": self.longest_ms,
        }


async def flood(given: argparse.Namespace, headers: Mapping[str, str]) -> dict[str, Any]:
    """Sends a burst every few seconds until the time is up, without waiting for responses."""
    made, end = Flood(given.url, headers), time.monotonic() + given.seconds
    bursts: list[asyncio.Task[None]] = []
    while (left := end - time.monotonic()) > 0:
        bursts.append(asyncio.create_task(made.burst(given.parallel)))
        await asyncio.sleep(min(given.pause, left))
    await asyncio.gather(*bursts)
    return made.seen() | {"bursts": len(bursts)}


async def turns(given: argparse.Namespace, headers: Mapping[str, str]) -> dict[str, Any]:
    """Returns the milliseconds of turns that start at a steady rate."""
    took: list[float] = []
    statuses: Counter[int] = Counter()

    async def one(client: httpx2.AsyncClient, number: int) -> None:
        who = {**headers, "Saegim-User": f"user-{number % 4}"}
        began = time.perf_counter()
        body = {"message": "예산 정책을 바꾸는 방법은?"}
        response = await client.post("/v1/chat", json=body, headers=who)
        took.append((time.perf_counter() - began) * 1000)
        statuses[response.status_code] += 1

    async with httpx2.AsyncClient(base_url=given.url, timeout=60) as client:
        asked: list[asyncio.Task[None]] = []
        for number in range(round(given.seconds * given.rate)):
            asked.append(asyncio.create_task(one(client, number)))
            await asyncio.sleep(1 / given.rate)
        await asyncio.gather(*asked)
    return {"took_ms": took, "statuses": dict(statuses)}


async def health(given: argparse.Namespace, _: Mapping[str, str]) -> dict[str, Any]:
    """Returns the milliseconds of `/health/live` over one connection until the time is up."""
    parts = urlsplit(given.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    took: list[float] = []
    end = time.monotonic() + given.seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        connection.request("GET", "/health/live")
        response = connection.getresponse()
        response.read()
        assert response.status == 200, response.status
        took.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(PROBE_PAUSE_SECONDS)
    return {"took_ms": took}


CLIENTS = {"flood": flood, "turns": turns, "health": health}


async def start(what: str, url: str, key: str, **options: float) -> asyncio.subprocess.Process:
    """Starts a client; read its JSON with `told`."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.clients", what, url, key,
        *(f"--{name}={value}" for name, value in options.items()),
        cwd=results.ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def told(process: asyncio.subprocess.Process) -> dict[str, Any]:
    """Returns what a client printed. Raises RuntimeError if it failed."""
    printed, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"a client ended with {process.returncode}")
    return json.loads(printed)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=CLIENTS)
    parser.add_argument("url")
    parser.add_argument("key")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--parallel", type=int, default=200)
    parser.add_argument("--pause", type=float, default=5)
    parser.add_argument("--rate", type=float, default=2.0)
    given = parser.parse_args(arguments)
    headers = {"Authorization": f"Bearer {given.key}", "Saegim-User": "alice"}
    print(json.dumps(asyncio.run(CLIENTS[given.what](given, headers))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
