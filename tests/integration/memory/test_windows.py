"""A stored window equals a range query of its turns."""

from uuid import UUID

import pytest

from benchmarks.memory.windows import by_range, stored, windows
from saegim.memory.episodes import WINDOW_TURNS
from tests.stack import Databases, new_stack


@pytest.mark.requirement("LM5")
async def test_a_stored_window_reads_as_its_turns_by_range_query(databases: Databases) -> None:
    async with new_stack(databases) as stack:
        scope = (await stack.caller()).scope
        for place in ("제주도", "강릉", "부산", "속초"):
            said = await stack.say(f"{place}에 다녀왔어", **{"Saegim-Session": "s"})
            await stack.services.memory.episodes.index(scope.tenant, UUID(said["turn_id"]))
        found = await windows(stack.services, scope, 10)
        read = [
            (
                await stored(stack.services, scope, episode),
                await by_range(stack.services, scope, turn),
            )
            for episode, turn in found
        ]
    assert len(read) == WINDOW_TURNS + 1
    for kept, ranged in read:
        # Replies in search mode only quote: a window keeps what was said.
        assert set(kept.splitlines()) <= set(ranged.splitlines())
    assert [place in read[-1][0] for place in ("제주도", "강릉", "부산", "속초")] == [
        False,
        True,
        True,
        True,
    ]
