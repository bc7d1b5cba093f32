"""A conversation that is replayed, with every job run twice, leaves the same records."""

from datetime import datetime

import pytest

from saegim.app.infrastructure import Fakes
from saegim.memory.types import Record, RecordQuery
from tests.integration.memory.conversation import SMALL_TALK, turns
from tests.integration.memory.turns import Hands, Talk
from tests.integration.memory.verbatim_extractor import reading
from tests.sizes import sized
from tests.stack import Databases, Stack, new_stack

TURNS, REPLAYS = sized(60, 200), sized(2, 10)


async def replay(stack: Stack, clock: Hands, session: str, start: datetime) -> Talk:
    clock.at = start
    talk = Talk(stack, session=session, times=2)
    for message in turns(TURNS):
        await talk.say(message)
        clock.on(minutes=10)
    return talk


async def everything(talk: Talk) -> list[Record]:
    """Returns all records, at every time at which one of them was valid."""
    scope = (await talk.stack.caller(talk.user)).scope
    times = {record.said_at for record in await talk.known()}
    found: dict[object, Record] = {}
    while True:
        before = len(found)
        for at in sorted(times):
            for record in await talk.stack.services.memory.records.browse(
                scope, RecordQuery(as_of=at, count=1_000)
            ):
                found[record.id] = record
                times |= {record.said_at}
        if len(found) == before:
            return sorted(found.values(), key=lambda record: record.id)


@pytest.mark.sized
@pytest.mark.requirement("LM2")
async def test_replays_with_every_job_twice_leave_the_same_records(
    databases: Databases,
) -> None:
    clock = Hands()
    start = clock.now()
    models = reading(ignored=SMALL_TALK)
    async with new_stack(databases, Fakes(clock=clock, models=models)) as stack:
        talk = await replay(stack, clock, "s", start)
        first = await everything(talk)
        assert 0.075 <= len(first) / TURNS <= 0.125, "one statement in ten turns"
        for _ in range(REPLAYS - 1):
            await replay(stack, clock, "s", start)
        assert await everything(talk) == first
