"""A small `make verify-durable`: everything is killed while people talk, and nothing is lost."""

from benchmarks.durable import Run, verify


async def test_nothing_acknowledged_is_lost_or_doubled() -> None:
    run = Run(
        turns=40, clients=6, worker_kills=2, api_kills=1, valkey_kills=1, postgres_kills=1, seed=7
    )
    verdict, figures = await verify(run)
    assert verdict.clean, figures
    assert figures["turns"] == 40
    assert figures["kills"] == 5
