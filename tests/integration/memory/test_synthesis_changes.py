"""What is derived from records follows them through random changes."""

import random

import pytest

from benchmarks.synthesis import RandomChanges
from saegim.app.infrastructure import Fakes
from tests.integration.memory.verbatim_extractor import reading
from tests.stack import Databases, new_stack

STEPS = 120


@pytest.mark.requirement("LM12")
async def test_derived_records_equal_a_rebuild_after_any_change(databases: Databases) -> None:
    async with new_stack(databases, Fakes(models=reading())) as stack:
        changes = RandomChanges(stack.services, await stack.caller(), random.Random(7))
        for _ in range(STEPS):
            await changes.step()
    assert changes.derived > 10
    assert changes.undone > 3
    assert changes.differences == 0
    assert changes.without_source == 0
    assert changes.undo_differences == 0
