"""Random recalls of users, profiles and tenants never return memories of another."""

import os
from collections.abc import AsyncIterator
from datetime import timedelta
from random import Random
from uuid import UUID

import pytest

from saegim.domain.scope import Scope
from saegim.memory.recall.types import RecallRequest
from saegim.memory.types import RecordQuery
from tests.integration.memory.records import PERSON, SAID, told
from tests.stack import Databases, Stack, new_stack

# Ten thousand where there is time: SAEGIM_RANDOM_RECALLS=10000.
RECALLS = int(os.environ.get("SAEGIM_RANDOM_RECALLS", "200"))
WORDS = ["고양이", "서울", "커피", "알레르기", "여름", "바다", "등산", "회사", "예산", "생일"]
EACH = 12


@pytest.fixture(scope="module")
async def two(databases: Databases) -> AsyncIterator[tuple[Stack, Stack]]:
    async with (
        new_stack(databases, name="새김 상사") as one,
        new_stack(databases, name="다른 상사") as other,
    ):
        yield one, other


@pytest.mark.requirement("LM8")
async def test_random_recalls_never_bring_back_anothers_memory(
    two: tuple[Stack, Stack],
) -> None:
    chance = Random(5)
    people: list[tuple[Stack, Scope]] = []
    whose: dict[UUID, Scope] = {}
    for stack in two:
        for user, profile in (("alice", None), ("alice", "work"), ("bob", None)):
            scope = (await stack.caller(user, profile)).scope
            people.append((stack, scope))
            for number in range(EACH):
                said = SAID + timedelta(days=number)
                content = " ".join(chance.sample(WORDS, 3))
                record = await stack.services.memory.records.add(
                    scope, told(f"{content} {number}", said, pinned=number == 0), PERSON
                )
                whose[record.id] = scope
    found = 0
    for _ in range(RECALLS):
        stack, scope = chance.choice(people)
        request = RecallRequest(
            scope=scope,
            message=" ".join(chance.sample(WORDS, 2)),
            now=SAID + timedelta(days=chance.randint(0, 4_000)),
            time_zone="Asia/Seoul",
            chosen=(chance.choice(list(whose)),),
        )
        recollection = await stack.services.memory.recall.recall(request)
        back = (*recollection.pinned, *recollection.records, *recollection.dropped)
        found += len(back)
        assert {whose[each.id] for each in back} <= {scope}
        listed = await stack.services.memory.records.browse(scope, RecordQuery(count=5))
        assert {whose[each.id] for each in listed} <= {scope}
    assert found > RECALLS
