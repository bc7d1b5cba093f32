"""A small `make verify-chaos`: faults under load lose and leak nothing."""

from dataclasses import replace

import pytest

from benchmarks.chaos.faults import FaultKind, Pace, faults
from benchmarks.chaos.load import ACTS
from benchmarks.chaos.run import Run, verify
from benchmarks.stack import SERVED_EMBEDDER
from tests.sizes import sized

KINDS = (
    FaultKind.KILL_API,
    FaultKind.KILL_POSTGRES,
    FaultKind.FULL_DISK_INDEX,
    FaultKind.PARTITION_POSTGRES,
    # In `make test-long` alone; each of these has tests of its own.
    FaultKind.KILL_WORKER,
    FaultKind.KILL_VALKEY,
    FaultKind.STOP_POSTGRES,
    FaultKind.FULL_DISK_POSTGRES,
    FaultKind.PROVIDER_FAILING,
    FaultKind.FLOOD_API,
)[: sized(4, 10)]
FULL = Run(
    people=4,
    seed=7,
    documents=6,
    kinds=KINDS,
    most_faults=len(KINDS),
    pace=Pace(0.5, 1.0, rest=0.1),
    wait_for_jobs=False,
    probe_seconds=30,
    come_in_seconds=600,
)
# Leaves processor time to the tests beside it. The clients are of two tenants, with the same name.
LIGHT = replace(
    FULL,
    people=2,
    think=(0.5, 1.5),
    # Each client also writes notes, reads, and requests conversations of the other tenant.
    least_acts=len(ACTS),
    workers=1,
    settings=SERVED_EMBEDDER,
)


@pytest.mark.sized
@pytest.mark.requirement("OP5")
async def test_nothing_acknowledged_is_lost_doubled_or_seen_by_others() -> None:
    run = (LIGHT, FULL)[sized(0, 1)]
    outcome = await verify(run)
    assert outcome.clean, outcome.figures
    assert outcome.figures["turns"] >= 4
    assert outcome.figures["faults"] == len(KINDS)


def test_a_seed_repeats_a_run() -> None:
    def first(seed: int) -> list[tuple[str, float, float]]:
        endless = faults(seed, list(FaultKind), Pace())
        return [
            (fault.kind, fault.seconds, fault.rest)
            for _, fault in zip(range(40), endless, strict=False)
        ]

    assert first(7) == first(7)
    assert first(7) != first(8)
    assert {kind for kind, _, _ in first(7)[: len(FaultKind)]} == set(FaultKind)
