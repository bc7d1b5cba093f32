"""The three keys of a session, on one Valkey and on a cluster of three masters."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from redis.crc import key_slot

from saegim.conversations.state_cache import TTL_SECONDS, Keys, RedisStateCache
from saegim.conversations.types import Entity, Exchange, WorkingState
from saegim.domain.scope import Scope
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("WM5")

NOW = datetime(2026, 11, 15, 1, 2, 3, 456789, tzinfo=UTC)
STATE = WorkingState(
    completed_turns=8,
    summary_version=1,
    summarised_through=5,
    summary="사용자는 비용을 분석 중이다.",
    entities=(Entity("예산", "1.5억", 5), Entity("담당자", "김민수", 7)),
    recent=tuple(Exchange(n, f"질문 {n}", f"답 {n}", NOW) for n in range(4, 9)),
)


@pytest.fixture
async def stack(stores: Databases) -> AsyncIterator[Stack]:
    async with new_stack(stores) as running:
        await running.redis_answers()
        yield running


@pytest.fixture
async def scope(stack: Stack) -> Scope:
    return (await stack.caller()).scope


@pytest.fixture
def cache(stack: Stack) -> RedisStateCache:
    return RedisStateCache(stack.services.db.redis, stack.services.encryption.keyring)


async def ask(stack: Stack, *command: object) -> Any:
    async def run(client: Any) -> object:
        return await client.execute_command(*command)

    return await stack.services.db.redis.run(run)


def keys(scope: Scope, session: UUID) -> tuple[str, ...]:
    return Keys.of(scope.tenant, session).all()


async def test_a_state_comes_back_as_it_was(cache: RedisStateCache, scope: Scope) -> None:
    session = uuid4()
    assert await cache.load(scope, session) is None
    await cache.save(scope, session, STATE)
    assert await cache.load(scope, session) == STATE


async def test_the_keys_are_those_of_the_requirement_and_live_in_one_slot(
    stack: Stack, cache: RedisStateCache, scope: Scope
) -> None:
    session = uuid4()
    await cache.save(scope, session, STATE)

    stem = f"chat:{{{scope.tenant}:{session}}}"
    assert keys(scope, session) == (f"{stem}:short", f"{stem}:memory", f"{stem}:entities")
    assert [await ask(stack, "EXISTS", key) for key in keys(scope, session)] == [1, 1, 1]
    assert len({key_slot(key.encode()) for key in keys(scope, session)}) == 1


async def test_they_live_a_day_and_longer_when_used(
    stack: Stack, cache: RedisStateCache, scope: Scope
) -> None:
    session = uuid4()
    await cache.save(scope, session, STATE)
    for key in keys(scope, session):
        assert TTL_SECONDS - 600 <= await ask(stack, "TTL", key) <= TTL_SECONDS == 86_400
        await ask(stack, "EXPIRE", key, 100)
    await cache.load(scope, session)
    for key in keys(scope, session):
        assert await ask(stack, "TTL", key) > 86_000


@pytest.mark.parametrize(("completed_turns", "summary_version"), [(7, 1), (8, 0), (9, 0), (7, 2)])
async def test_a_state_with_fewer_turns_or_folds_never_replaces_one(
    cache: RedisStateCache, scope: Scope, completed_turns: int, summary_version: int
) -> None:
    session = uuid4()
    await cache.save(scope, session, STATE)
    older = replace(
        STATE, completed_turns=completed_turns, summary_version=summary_version, summary="옛 요약"
    )
    await cache.save(scope, session, older)
    assert await cache.load(scope, session) == STATE


async def test_writers_at_once_leave_one_whole_state(cache: RedisStateCache, scope: Scope) -> None:
    session = uuid4()
    states = [
        replace(STATE, completed_turns=n, summary=f"요약 {n}", entities=(Entity("턴", str(n), n),))
        for n in range(1, 41)
    ]

    async def read() -> list[WorkingState | None]:
        return [await cache.load(scope, session) for _ in range(30)]

    async with asyncio.TaskGroup() as together:
        reading = together.create_task(read())
        for state in states[::2] + states[1::2][::-1]:
            together.create_task(cache.save(scope, session, state))

    seen = [state for state in reading.result() if state is not None]
    assert all(state in states for state in seen)
    completed_turns = [state.completed_turns for state in seen]
    assert completed_turns == sorted(completed_turns)
    assert await cache.load(scope, session) == states[-1]


@pytest.mark.parametrize("lost", ["short", "memory", "entities"])
async def test_what_is_not_whole_is_no_state(
    stack: Stack, cache: RedisStateCache, scope: Scope, lost: str
) -> None:
    session = uuid4()
    await cache.save(scope, session, STATE)
    await ask(stack, "DEL", getattr(Keys.of(scope.tenant, session), lost))
    assert await cache.load(scope, session) is None


async def test_a_process_of_the_release_before_does_not_confuse_it(
    stack: Stack, cache: RedisStateCache, scope: Scope
) -> None:
    """An older release knows only the key of the recent turns, and writes two fields of it."""
    session = uuid4()
    await cache.save(scope, session, STATE)
    short = Keys.of(scope.tenant, session).short
    sealed = await ask(stack, "HGET", short, "state")
    await ask(stack, "HSET", short, "completed_turns", 9, "state", sealed)
    assert await cache.load(scope, session) is None

    newer = replace(STATE, completed_turns=9)
    await cache.save(scope, session, newer)
    assert await cache.load(scope, session) == newer


async def test_what_is_kept_is_sealed_for_its_user_and_session(
    stack: Stack, cache: RedisStateCache, scope: Scope
) -> None:
    session, other = uuid4(), uuid4()
    await cache.save(scope, session, STATE)
    stored = b"".join([await ask(stack, "HGET", key, "state") for key in keys(scope, session)])
    for text in ("사용자는", "1.5억", "질문", "예산", "김민수"):
        assert text.encode() not in stored

    for mine, theirs in zip(keys(scope, session), keys(scope, other), strict=True):
        for field in ("completed_turns", "summary_version", "state"):
            await ask(stack, "HSET", theirs, field, await ask(stack, "HGET", mine, field))
    assert await cache.load(scope, other) is None
    bob = (await stack.caller("bob")).scope
    assert await cache.load(bob, session) is None


async def test_a_session_opens_for_its_own_user_and_profile_alone(stack: Stack) -> None:
    reply = await stack.say("나만의 말", **{"Saegim-Profile": "home"})
    session = {"Saegim-Session": reply["session_id"]}
    path = f"/v1/sessions/{reply['session_id']}/context"
    for headers in (
        stack.headers(**{"Saegim-Profile": "work"}),
        stack.headers("bob", **{"Saegim-Profile": "home"}),
    ):
        shown = await stack.http.get(path, headers=headers)
        said = await stack.http.post("/v1/chat", json={"message": "?"}, headers=headers | session)
        assert (shown.status_code, said.status_code) == (404, 404)
    own = await stack.http.get(path, headers=stack.headers(**{"Saegim-Profile": "home"}))
    assert own.json()["recent"][0]["message"] == "나만의 말"
