"""What is derived from records follows them through random changes."""

import random

import pytest

from benchmarks.synthesis import RandomChanges
from tests.stack import Stack

STEPS = 120


@pytest.mark.requirement("LM12")
async def test_derived_records_equal_a_rebuild_after_any_change(stack: Stack) -> None:
    changes = RandomChanges(stack.services, await stack.caller(), random.Random(7))
    for _ in range(STEPS):
        await changes.step()
    assert changes.derived > 10
    assert changes.undone > 3
    assert changes.differences == 0
    assert changes.without_source == 0
    assert changes.undo_differences == 0
