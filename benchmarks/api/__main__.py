"""`make verify-api`: every operation of the OpenAPI document with a valid and with a foreign key,
then hostile requests. `SAEGIM_API_REQUESTS` sets the number of each (10,000).
"""

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import page, results
from benchmarks.api.by_document import Run, Tally
from benchmarks.api.hostile import Attacker, Tally as Attacks, attack, resident_mb
from benchmarks.api.tenant import Planted, plant
from benchmarks.stack import LiveStack

REQUESTS = int(os.environ.get("SAEGIM_API_REQUESTS", "10000"))
MOST_GROWTH_MB = 300
OPERATIONS = 90


async def main() -> int:
    with TemporaryDirectory(prefix="saegim-api-") as folder:
        async with LiveStack.start(Path(folder), workers=1) as stack:
            planted = await plant(stack.url, await stack.new_tenant("가게"))
            other = await plant(stack.url, await stack.new_tenant("남의 가게"))
            began = time.perf_counter()
            valid = await by_document(stack.url, planted.key, planted, REQUESTS * 2 // 3)
            foreign = await by_document(stack.url, other.key, planted, REQUESTS // 3)
            seconds = time.perf_counter() - began
            hostile, growth = await attacked(stack, REQUESTS)
            alive = await _answers(stack)
            broke = _errors(Path(folder) / "api.log")
    failures = [*valid.failures, *foreign.failures, *hostile.broken]
    for line in sorted(set(failures))[:60]:
        print(line)
    print(*broke, sep="\n")
    print("never 2xx:", *sorted(valid.labels - valid.reached), sep="\n  ")
    figures = {
        "document_requests": valid.requests + foreign.requests,
        "document_operations": valid.operations,
        "document_operations_with_2xx": len(valid.reached),
        "document_valid_key_2xx": sum(n for s, n in valid.statuses.items() if s < 300),
        "document_foreign_key_requests": foreign.requests,
        "document_server_errors": valid.server_errors + foreign.server_errors,
        "document_busy_503": valid.busy + foreign.busy,
        "document_failures": len(valid.failures) + len(foreign.failures),
        "document_leaks": foreign.leaks,
        "document_requests_per_second": round((valid.requests + foreign.requests) / seconds, 1),
        "hostile_requests": hostile.requests,
        "hostile_server_errors": hostile.server_errors,
        "hostile_busy_503": hostile.statuses[503],
        "hostile_closed_without_answer": hostile.statuses[0],
        "hostile_memory_growth_mb": round(growth, 1),
    }
    results.write("api", figures, {"requests": REQUESTS})
    page.publish("api", page.everything(figures))
    print(figures)
    errors = figures["document_server_errors"] - figures["document_busy_503"]
    sound = not failures and errors == 0 and growth <= MOST_GROWTH_MB and alive
    return 0 if sound else 1


async def by_document(url: str, key: str, theirs: Planted, count: int) -> Tally:
    """Sends about so many requests, spread over all operations, valid and invalid."""
    each = max(1, -(-count // (2 * OPERATIONS)))
    run = Run(url, key, theirs, foreign=key != theirs.key, each=each)
    return await asyncio.to_thread(run.all)


async def attacked(stack: LiveStack, count: int) -> tuple[Attacks, float]:
    """Sends hostile requests; returns the growth of the API's memory after the first thousand."""
    key = await stack.new_tenant("과녁")
    own = await plant(stack.url, key)
    first = await attack(stack.url, Attacker(key, own.ids, 1), min(1_000, count // 10))
    pid = stack.processes["api"].pid
    before = resident_mb(pid)
    rest = await attack(stack.url, Attacker(key, own.ids, 2), count - first.requests)
    rest.requests += first.requests
    rest.statuses += first.statuses
    rest.broken += first.broken
    return rest, resident_mb(pid) - before


def _errors(log: Path) -> list[str]:
    """Returns each internal error once, with its class and location."""
    lines = log.read_text("utf-8", "replace").splitlines()
    said = [json.loads(line) for line in lines if line.startswith("{") and '"where"' in line]
    return sorted({f"{line['error']} at {line['where']}" for line in said})


async def _answers(stack: LiveStack) -> bool:
    await stack.ready(30)
    return stack.processes["api"].poll() is None


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
