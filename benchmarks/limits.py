"""Two API processes, many requests at once: how exactly a limit holds, with Redis and without.

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
from benchmarks.stack import LiveStack
from saegim.adapters.local.valkey import find_free_port

LIMIT = 100
CONCURRENT = 200
ROUNDS = 5
TOLERANCE = 0.02


async def main() -> int:
    with TemporaryDirectory(prefix="saegim-limits-") as folder:
        async with LiveStack.start(Path(folder), workers=0) as stack:
            ports = [await _second(stack, find_free_port()) for _ in range(2)]
            key = await stack.new_tenant("한도")
            urls = [f"http://127.0.0.1:{port}" for port in ports]
            began = time.perf_counter()
            with_redis = [await admitted(urls, key, f"user-{n}") for n in range(ROUNDS)]
            seconds = time.perf_counter() - began
            stack.valkey.stop()
            without = [await admitted(urls, key, f"later-{n}") for n in range(ROUNDS)]
    worst = max(abs(count - LIMIT) / LIMIT for count in with_redis)
    most_without = max(without) / LIMIT
    results.write(
        "limits",
        {
            "with_redis_worst_deviation": worst,
            "with_redis_admitted_least": min(with_redis),
            "with_redis_admitted_most": max(with_redis),
            "without_redis_admitted_least": min(without),
            "without_redis_admitted_most": max(without),
            "requests_per_second": round(ROUNDS * CONCURRENT / seconds, 1),
        },
        {"limit": LIMIT, "concurrent": CONCURRENT, "rounds": ROUNDS, "api_processes": 2},
    )
    print(f"with Redis {with_redis} of {LIMIT}; without {without}")
    return 0 if worst <= TOLERANCE and most_without <= 1 + TOLERANCE else 1


async def _second(stack: LiveStack, port: int) -> int:
    """One more API process, with a limit for each user."""
    stack.environment["SAEGIM_LIMITS"] = f"user requests {LIMIT}/3600"
    stack._spawn(f"api-{port}", "serve", "--port", str(port))  # noqa: SLF001 - the stack's own tool
    first, stack.port = stack.port, port
    await stack.ready(60)
    stack.port = first
    return port


async def admitted(urls: Sequence[str], key: str, user: str) -> int:
    """How many of many requests at once are let through."""
    headers = {"Authorization": f"Bearer {key}", "Saegim-User": user}
    async with httpx2.AsyncClient(timeout=60, headers=headers) as http:
        # The user is made first, and counts as one of the requests.
        told = [await http.get(f"{urls[0]}/v1/me")]
        told += await asyncio.gather(
            *[http.get(f"{urls[n % len(urls)]}/v1/me") for n in range(CONCURRENT)]
        )
    statuses = [response.status_code for response in told]
    assert set(statuses) <= {200, 429}, statuses
    return statuses.count(200)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
