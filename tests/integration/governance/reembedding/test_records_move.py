"""Records move along when a tenant moves to another embedder."""

import time
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from benchmarks.doubles.embedders import HashEmbedder
from saegim.app.infrastructure import Fakes
from saegim.domain.errors import ModelUnavailable
from saegim.memory.recall.types import RecallRequest
from saegim.memory.types import MemoryType
from tests.integration.governance.reembedding.embedders import Failing, Interrupted
from tests.stack import Databases, Stack, new_stack

OLD, NEW = HashEmbedder(64), HashEmbedder(32)


async def test_records_are_recalled_before_and_after_a_move(databases: Databases) -> None:
    async with new_stack(databases, Fakes(embedder=OLD, embedders=(NEW,))) as stack:
        scope = (await stack.caller()).scope
        services = stack.services
        for number in range(3):
            told = f"고양이 {number}번은 연어를 좋아한다"
            await services.memory.memories.add(scope, told, MemoryType.FACT, "고양이")
        request = RecallRequest(scope, "고양이 연어", services.clock.now(), "Asia/Seoul")
        before = await services.memory.recall.recall(request)
        await services.governance.reembedding.begin(scope.tenant, NEW.name)
        assert await services.governance.reembedding.advance(scope.tenant, time.monotonic() + 600)
        later = replace(request, now=services.clock.now())
        after = await services.memory.recall.recall(later)
        await services.memory.memories.add(
            scope, "강아지도 연어를 좋아한다", MemoryType.FACT, "강아지"
        )
        again = await services.memory.recall.recall(replace(later, now=services.clock.now()))

    texts = {each.text for each in before.records}
    assert len(texts) == 3
    assert {each.text for each in after.records} == texts
    assert len(again.records) == 4


RECORDS = """
    select memory_id, said_at, valid_from, ended_at, forgotten, type, importance, terms::text
    from saegim.memory_vector where tenant_id = %s and index_version = %s
"""
COUNTS = """
    select member_id, profile_id, term, records from saegim.term_count
    where tenant_id = %s and records > 0 and index_version = %s
"""


def indexed(stack: Stack, statement: str, version: int) -> set[tuple[Any, ...]]:
    with psycopg.connect(stack.databases.admin_url) as connection:
        return set(
            connection.execute(statement.encode(), (stack.tenant.tenant.id, version)).fetchall()
        )


async def test_a_correction_while_records_move_is_what_arrives(databases: Databases) -> None:
    target = Failing(32, texts=64)
    async with new_stack(databases, Fakes(embedder=OLD, embedders=(target,))) as stack:
        scope, services = (await stack.caller()).scope, stack.services
        for number in range(70):
            await services.memory.memories.add(
                scope, f"고양이 {number}호는 나비다", MemoryType.FACT, ""
            )
        await services.governance.reembedding.begin(scope.tenant, target.name)
        with pytest.raises(ModelUnavailable):
            await services.governance.reembedding.advance(scope.tenant, time.monotonic() + 600)
        there = indexed(stack, RECORDS, 2)
        assert len(there) == 64
        changed = await stack.http.patch(
            f"/v1/memories/{min(row[0] for row in there)}",
            json={"content": "강아지 이름은 보리다"},
            headers=stack.headers(),
        )
        assert changed.status_code == 200, changed.text
        assert len(indexed(stack, RECORDS, 2)) == 63
        target.left = None
        while not await services.governance.reembedding.advance(
            scope.tenant, time.monotonic() + 600
        ):
            pass

        for statement, least in ((RECORDS, 70), (COUNTS, 70)):
            old, new = (indexed(stack, statement, version) for version in (1, 2))
            assert old == new
            assert len(old) >= least


async def test_what_was_embedded_before_a_switch_is_not_kept_after_it(
    databases: Databases,
) -> None:
    old = Interrupted()
    async with new_stack(databases, Fakes(embedder=old, embedders=(NEW,))) as stack:
        scope, services = (await stack.caller()).scope, stack.services

        async def switch() -> None:
            await services.governance.reembedding.begin(scope.tenant, NEW.name)
            assert await services.governance.reembedding.advance(
                scope.tenant, time.monotonic() + 600
            )

        old.meanwhile = switch
        with pytest.raises(ModelUnavailable):
            await services.memory.memories.add(scope, "늦은 기억", MemoryType.FACT, "")
        await services.memory.memories.add(scope, "늦은 기억", MemoryType.FACT, "")
        assert (len(indexed(stack, RECORDS, 1)), len(indexed(stack, RECORDS, 2))) == (0, 1)
