"""A small `make verify-api`: 300 requests by the OpenAPI document, 300 hostile ones."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from schemathesis import GenerationMode

from benchmarks.api.by_document import MODES, Run, Tally
from benchmarks.api.hostile import Attacker, attack
from benchmarks.api.tenant import Planted, plant
from saegim.db.cells import HOME_CELL
from tests.sizes import sized
from tests.stack import Databases, Stack, new_stack, served

HOSTILE = 300
LEAST = 300


@dataclass
class ServedStack:
    stack: Stack
    url: str
    own: Planted
    other: Planted

    async def asked(self, key: str, each: int) -> Tally:
        foreign = key != self.own.key
        # What is invalid is refused before anybody looks whose it is.
        modes = (GenerationMode.POSITIVE,) if foreign else MODES
        run = Run(self.url, key, self.own, foreign, each, modes=modes)
        return await asyncio.to_thread(run.all)


@pytest.fixture(scope="module")
async def served_stack(databases: Databases) -> AsyncIterator[ServedStack]:
    async with new_stack(databases) as stack, served(stack.services) as http, stack.working():
        await stack.services.warm_up()
        url = str(http.base_url)
        other = await stack.services.auth.tenants.create("남", "ko", HOME_CELL)
        yield ServedStack(
            stack, url, await plant(url, stack.tenant.key), await plant(url, other.key)
        )


@pytest.mark.sized
@pytest.mark.requirement("CH1", "OP5")
async def test_every_answer_is_one_that_the_document_allows(served_stack: ServedStack) -> None:
    # In every run test_canary sends requests of another tenant.
    foreign = await served_stack.asked(served_stack.other.key, each=1) if sized(0, 1) else Tally()
    valid = await served_stack.asked(served_stack.own.key, each=1)

    assert sorted({*valid.failures, *foreign.failures}) == []
    assert foreign.leaks == 0
    assert valid.server_errors + foreign.server_errors == valid.busy + foreign.busy
    assert valid.requests + foreign.requests >= LEAST
    assert sum(count for status, count in valid.statuses.items() if status < 300) > LEAST / 10


@pytest.mark.requirement("CH1")
async def test_hostile_requests_break_nothing(served_stack: ServedStack) -> None:
    told = await attack(
        served_stack.url, Attacker(served_stack.other.key, served_stack.own.ids, 3), HOSTILE
    )
    alive = await served_stack.stack.http.get("/health/live")

    assert told.broken == []
    assert told.requests == HOSTILE
    assert alive.status_code == 200
    assert told.statuses[0] < HOSTILE / 2
