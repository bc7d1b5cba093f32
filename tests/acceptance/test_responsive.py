"""A small `make verify-responsive`: the API responds while chats stream and files are imported."""

import pytest

from benchmarks.readers import Run
from benchmarks.responsive import verify
from benchmarks.stack import SERVED_EMBEDDER

# At full size the ceiling is a fifth of it.
CEILING_MS = 1_000.0
SMALL = Run(streams=6, megabytes=2, seconds=3, patience=120)
SMALLEST = Run(streams=4, megabytes=1, seconds=1, patience=120)


async def test_chats_stream_while_files_are_imported() -> None:
    figures = await verify(SMALLEST, workers=1, settings=SERVED_EMBEDDER)
    assert figures["streams"] == 4
    assert figures["ingest.megabytes"] >= 1
    assert figures["health_live.probes"] > 0


@pytest.mark.alone
async def test_the_event_loop_is_never_held_up() -> None:
    figures = await verify(SMALL)
    assert figures["stream.words_per_s"] > 5
    assert figures["health_live.probes"] > 30
    assert figures["health_live.p99_ms"] < CEILING_MS, figures
