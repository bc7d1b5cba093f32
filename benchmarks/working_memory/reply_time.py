"""Compare reply times with a summarizer that takes half a minute and one that answers at once."""

import statistics
import time
from dataclasses import replace

from benchmarks.doubles.models import Pieces
from benchmarks.idle import working
from benchmarks.working_memory.bench_stack import Script, Stores, bench_stack
from saegim.conversations.summary.summariser import SummaryForm

TURNS = 150
SESSIONS = 5
SLOW = Pieces((SummaryForm(summary="늦은 요약").model_dump_json(),), pause_seconds=30.0)


async def measure(at: Stores) -> dict[str, float]:
    fast = await _median(at, lambda _: SummaryForm(summary="빠른 요약"))
    slow = await _median(at, lambda _: SLOW)
    return {
        "reply.fast_summarizer_ms": round(fast * 1_000, 2),
        "reply.slow_summarizer_ms": round(slow * 1_000, 2),
        "reply.ratio": round(slow / fast, 3),
    }


async def _median(at: Stores, summarizer: Script) -> float:
    """Returns the median over many sessions, so that summaries always run."""
    async with bench_stack(at, lambda _: "네, 알겠습니다.", summarizer) as talking:
        # Enough workers that slow summaries do not delay other jobs: both runs have the same work.
        services = talking.services
        settings = services.settings.model_copy(update={"worker_concurrency": 4 + SESSIONS})
        took: list[float] = []
        async with working(replace(services, settings=settings)):
            for number in range(TURNS):
                began = time.perf_counter()
                await talking.say(f"질문 {number}", f"session {number % SESSIONS}")
                took.append(time.perf_counter() - began)
    return statistics.median(took[TURNS // 3 :])
