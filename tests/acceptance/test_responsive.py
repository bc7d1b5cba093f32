"""A small `make verify-responsive`: the API responds while chats stream and files are imported."""

from benchmarks.readers import Run
from benchmarks.responsive import verify

# A machine that runs three tests at a time; at full size, alone, the ceiling is a fifth of it.
CEILING_MS = 1_000.0


async def test_the_event_loop_is_never_held_up() -> None:
    figures = await verify(Run(streams=6, megabytes=2, seconds=3))
    assert figures["streams"] == 6
    assert figures["stream.words_per_s"] > 5
    assert figures["ingest.megabytes"] >= 2
    assert figures["health_live.probes"] > 30
    assert figures["health_live.p99_ms"] < CEILING_MS, figures
