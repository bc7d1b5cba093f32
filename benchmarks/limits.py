"""Measure how exactly a limit holds over two API processes, with and without Redis.

Each round gives one user a limit and sends more requests than it allows, half to each process.
`make verify-limits` runs it; a test runs a small one in one process.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from benchmarks import results
from benchmarks.page import everything, publish
from benchmarks.stack import LiveStack
from saegim.localservers.valkey import find_free_port

LIMIT = 100
CONCURRENT = 200
ROUNDS = 2
TOLERANCE = 0.02


async def main() -> int:
    with TemporaryDirectory(prefix="saegim-limits-") as folder:
        async with LiveStack.start(Path(folder), workers=0) as stack:
            key = await stack.new_tenant("한도")
            urls = [stack.url, await _second(stack, find_free_port())]
            await _limit(urls[0], key)
            began = time.perf_counter()
            with_redis = [await admitted(urls, key, f"user-{n}") for n in range(ROUNDS)]
            seconds = time.perf_counter() - began
            stack.valkey.stop()
            without = [await admitted(urls, key, f"later-{n}") for n in range(ROUNDS)]
    worst = max(abs(count - LIMIT) / LIMIT for count in with_redis)
    most_without = max(without) / LIMIT
    figures: dict[str, float] = {
        "with_redis_worst_deviation": worst,
        "with_redis_admitted_least": min(with_redis),
        "with_redis_admitted_most": max(with_redis),
        "without_redis_admitted_least": min(without),
        "without_redis_admitted_most": max(without),
        "requests_per_second": round(ROUNDS * CONCURRENT / seconds, 1),
    }
    results.write(
        "limits",
        figures,
        {"limit": LIMIT, "concurrent": CONCURRENT, "rounds": ROUNDS, "api_processes": 2},
    )
    publish("limits", everything(figures))
    print(f"with Redis {with_redis} of {LIMIT}; without {without}")
    return 0 if worst <= TOLERANCE and most_without <= 1 + TOLERANCE else 1


async def _limit(url: str, key: str) -> None:
    """Sets a limit for each user of the tenant."""
    own = {"subject": "user", "resource": "requests", "window_seconds": 3600, "most": LIMIT}
    headers = {"Authorization": f"Bearer {key}", "Saegim-User": "admin"}
    async with httpx2.AsyncClient(timeout=60, headers=headers) as http:
        response = await http.put(f"{url}/v1/limits", json={"limits": [own]})
    assert response.status_code == 204, response.text


async def _second(stack: LiveStack, port: int) -> str:
    """Starts a second API process."""
    stack._spawn(f"api-{port}", "serve", "--port", str(port))  # noqa: SLF001 - the stack's own tool
    first, stack.port = stack.port, port
    await stack.ready(180)
    stack.port = first
    return f"http://127.0.0.1:{port}"


async def admitted(urls: Sequence[str], key: str, user: str) -> int:
    """Returns how many of many concurrent requests are admitted."""
    headers = {"Authorization": f"Bearer {key}", "Saegim-User": user}
    async with httpx2.AsyncClient(timeout=60, headers=headers) as http:

        async def ask(url: str) -> httpx2.Response:
            # A busy server refuses before it counts.
            while (told := await http.get(f"{url}/v1/me")).status_code == 503:  # noqa: ASYNC110 - it is asked
                await asyncio.sleep(0.2)
            return told

        # Creating the user counts as one of the requests.
        told = [await ask(urls[0])]
        told += await asyncio.gather(*[ask(urls[n % len(urls)]) for n in range(CONCURRENT)])
    statuses = [response.status_code for response in told]
    assert set(statuses) <= {200, 429}, statuses
    return statuses.count(200)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
