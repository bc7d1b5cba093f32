"""A small `make verify-working-memory`: a long talk, exact values, killed workers.

How long an old session takes to open is asserted by `make verify-working-memory` alone."""

import pytest

from benchmarks.working_memory import chart, exactness, kills, thousand
from benchmarks.working_memory.bench_stack import stores
from saegim.chat.context.assembly import Budgets
from tests.sizes import sized


@pytest.mark.sized
@pytest.mark.requirement("WM1", "TN5")
async def test_a_long_conversation_stays_within_its_budgets() -> None:
    async with stores() as at:
        long = await thousand.measure(at, 60, openings=sized(20, 400), copies=sized(100, 2_000))

    assert long.within
    assert 0.8 < long.figures["memory.second_half_to_first"] < 1.2
    picture = chart.draw(long.sizes)
    assert picture.count("<polygon") == 3
    assert f"budget {Budgets().memory:,}" in picture


@pytest.mark.sized
@pytest.mark.requirement("WM4")
async def test_keyed_values_stay_exact_and_invented_ones_are_not_taken() -> None:
    figures, complete = await exactness.measure(seeds=sized(2, 5))
    assert complete, figures


@pytest.mark.sized
@pytest.mark.requirement("WM2")
async def test_a_worker_killed_inside_its_folds_leaves_the_state_of_one_that_was_not() -> None:
    async with stores() as at:
        killed = await kills.verify(at, kills=sized(1, 3))
    assert killed.equal
    assert killed.folds >= killed.kills
