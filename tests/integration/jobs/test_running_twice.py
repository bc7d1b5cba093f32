"""Every job may run twice: the second time changes nothing."""

import asyncio
from uuid import UUID

import psycopg

from tests.integration.jobs.queue_fixture import until
from tests.stack import Databases, Stack

COUNTS = "select term, episodes from saegim.term_count where tenant_id = %s order by term"
EPISODES = """
    select episode_id, e.first_turn, e.last_turn, v.index_version from saegim.episode e
    join saegim.episode_vector v using (tenant_id, episode_id) where tenant_id = %s order by 1
"""


def _indexed(databases: Databases, tenant: UUID) -> tuple[list[tuple[object, ...]], ...]:
    with psycopg.connect(databases.admin_url) as admin:
        return tuple(admin.execute(sql, (tenant,)).fetchall() for sql in (EPISODES, COUNTS))


async def test_indexing_an_episode_again_leaves_one_episode_and_the_same_counts(
    stack: Stack,
) -> None:
    tenant = stack.tenant.tenant.id
    reply = await stack.say("고양이가 사료를 안 먹어요")
    async with stack.working():
        await until(lambda: _has_episodes(stack, 1))
    once = _indexed(stack.databases, tenant)
    assert len(once[1]) > 3
    turn = UUID(str(reply["turn_id"]))
    for _ in range(2):
        await stack.services.memory.episodes.index(tenant, turn)
    assert _indexed(stack.databases, tenant) == once


async def test_indexing_it_twice_at_the_same_moment_leaves_one(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    reply = await stack.say("강아지가 기침을 해요")
    turn = UUID(str(reply["turn_id"]))
    added = await asyncio.gather(
        *(stack.services.memory.episodes.index(tenant, turn) for _ in range(5))
    )
    assert sorted(added) == [False] * 4 + [True]
    episodes, counts = _indexed(stack.databases, tenant)
    assert len(episodes) == 1
    assert {count for _, count in counts} == {1}


async def test_watching_a_settled_turn_again_changes_nothing(stack: Stack) -> None:
    reply = await stack.say("안녕하세요")
    caller, turn = await stack.caller(), UUID(str(reply["turn_id"]))
    before = await stack.services.conversations.turns.find(caller.scope, turn)
    for _ in range(2):
        await stack.services.chat.turns.watch(caller.scope.tenant, turn)
    assert await stack.services.conversations.turns.find(caller.scope, turn) == before


async def _has_episodes(stack: Stack, count: int) -> bool:
    episodes, _ = await asyncio.to_thread(_indexed, stack.databases, stack.tenant.tenant.id)
    return len(episodes) == count
