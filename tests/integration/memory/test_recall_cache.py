"""The recall cache returns the same scores as SQL after every kind of change."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import psycopg
import pytest

from saegim.domain.scope import Scope
from saegim.memory.recall.cache_arrays import MOST_WRITTEN
from saegim.memory.recall.query_vectors import everything, mark_of
from saegim.memory.recall.repository import IDLE, PostgresRecall, RecallCache
from saegim.memory.recall.types import RecallRequest, Scan, ScanFilter, question_of
from saegim.memory.types import Consent, ConsentSubject, MemoryType, Origin, Revise, Supersede
from tests.integration.memory.records import PERSON, SAID, searchable, told, write
from tests.integration.memory.turns import Hands
from tests.stack import Stack

pytestmark = pytest.mark.requirement("LM3")

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ROOM = 2**24
THINGS = ("고양이", "커피", "등산", "서울", "예산", "치과", "자전거", "딸", "알레르기", "여권")
QUESTION = "우리 고양이가 커피를 마셨던 서울 예산이 얼마였지?"


@dataclass
class Both:
    """The same memory through SQL and through the cache."""

    stack: Stack
    scope: Scope
    held: RecallCache
    ways: tuple[PostgresRecall, PostgresRecall]

    async def ask(self, way: PostgresRecall, narrowing: ScanFilter) -> Scan:
        question = question_of(RecallRequest(self.scope, QUESTION, NOW, "Asia/Seoul"))
        vector = self.stack.services.memory.embedder.question(self.scope.tenant, question.text)
        found = await way.scan(self.scope, question, vector.by, narrowing)
        assert found is not None
        return found

    async def hold(self) -> None:
        """Asks until the memory is cached."""
        async with asyncio.timeout(180):
            while not len(self.held):
                await self.ask(self.ways[1], ScanFilter(NOW))
                await asyncio.sleep(0.01)

    async def agree(self, narrowing: ScanFilter | None = None) -> None:
        """Both say the same, of every row."""
        narrowing = narrowing or ScanFilter(NOW)
        by_sql, by_heart = [await self.ask(way, narrowing) for way in self.ways]
        assert by_heart.kept == by_sql.kept
        same(by_sql.records, by_heart.records)
        same(by_sql.episodes, by_heart.episodes)


def same(expected: Any, found: Any) -> None:
    """The same rows with the same values, in whatever order."""
    orders = [np.argsort([bytes(each) for each in scores.ids]) for scores in (expected, found)]
    for name in expected.__slots__:
        one, other = getattr(expected, name), getattr(found, name)
        if name == "ids":
            assert sorted(map(bytes, one)) == sorted(map(bytes, other))
        elif isinstance(one, np.ndarray):
            np.testing.assert_allclose(one[orders[0]], other[orders[1]], rtol=1e-5, atol=1e-5)
        else:
            assert one == other


@pytest.fixture
async def both(stack: Stack) -> AsyncIterator[Both]:
    services = stack.services
    scope = (await stack.caller(f"holder-{uuid4()}")).scope
    held = RecallCache(ROOM, services.clock)
    nothing = RecallCache(0, services.clock)
    ways = (
        PostgresRecall(services.db.cells, services.encryption.keyring, nothing),
        PostgresRecall(services.db.cells, services.encryption.keyring, held),
    )
    yield Both(stack, scope, held, ways)
    await held.close()


async def test_both_ways_agree_after_every_kind_of_change(both: Both) -> None:
    store, chance, scope = both.stack.services.memory.records, Random(5), both.scope
    kinds = list(MemoryType)
    for number in range(40):
        text = f"{chance.choice(THINGS)} 이야기 {number}, {chance.choice(THINGS)}도 있다"
        said = SAID + timedelta(days=number)
        new = told(text, said, type=kinds[number % len(kinds)], importance=chance.random())
        await store.add(scope, new, PERSON)
    records = await ids(both)
    await both.hold()

    await both.agree()
    await both.agree(ScanFilter(SAID + timedelta(days=20)))
    await both.agree(ScanFilter(NOW, types={MemoryType.FACT, MemoryType.TODO}))
    first = SAID + timedelta(days=3)
    await both.agree(ScanFilter(NOW, said_from=first, said_until=SAID + timedelta(days=9)))
    await store.forget(scope, records[:3], PERSON)
    await both.agree()
    await store.undo(scope, records[0], PERSON)
    await store.pin(scope, records[5], True, PERSON)
    await both.agree()
    new = told("고양이는 이제 커피를 마시지 않는다", NOW - timedelta(days=1))
    await write(store, scope, Supersede(records[7], new, new.said_at))
    await both.agree()
    await both.agree(ScanFilter(NOW - timedelta(days=30)))
    record = await store.get(scope, records[9])
    statement = replace(new.statement, content="서울 예산은 1억이다")
    revised = Revise(record.id, statement, searchable("서울 예산은 1억이다"), Origin.PERSON)
    await store.revise(scope, revised, PERSON)
    await both.agree()
    await store.forget(scope, records[20:], PERSON)
    assert await store.purge(scope.tenant, NOW + timedelta(days=9999), 100) > 0
    await both.agree()
    assert len(both.held) == 0, "rows that are gone are not among those that changed"


async def ids(both: Both) -> list[UUID]:
    scan = await both.ask(both.ways[0], ScanFilter(NOW))
    return sorted(UUID(bytes=bytes(each)) for each in scan.records.ids)


async def test_what_is_said_after_it_was_held_is_found(both: Both) -> None:
    stack, session = both.stack, {"Saegim-Session": f"s-{uuid4()}"}
    user = f"talker-{uuid4()}"
    both.scope = (await stack.caller(user)).scope
    later = ScanFilter(stack.services.clock.now() + timedelta(days=1))
    turn: dict[str, Any] = {}
    for number in range(8):
        turn = await stack.say(f"{THINGS[number]} 얘기를 {number}번째로 할게요", user, **session)
        await stack.services.memory.episodes.index(stack.tenant.tenant.id, turn["turn_id"])
        if number == 3:
            await both.hold()
        await both.agree(later)

    found = await both.ask(both.ways[1], later)
    assert len(found.episodes.ids) == 8
    assert len(both.held) == 1
    removed = await stack.http.delete(
        f"/v1/sessions/{turn['session_id']}", params={"derived": True}, headers=stack.headers(user)
    )
    assert removed.status_code == 200
    await both.agree(later)


@pytest.mark.requirement("LM11")
async def test_a_no_is_heard_though_the_memory_is_held(both: Both) -> None:
    session, consents = uuid4(), both.stack.services.memory.consents
    await both.stack.services.memory.records.add(both.scope, told("고양이는 커피를 마신다"), PERSON)
    await both.hold()
    await consents.set(both.scope, ConsentSubject.SESSION, Consent(False, False), session)
    question = question_of(RecallRequest(both.scope, QUESTION, NOW, "Asia/Seoul"))
    vector = both.stack.services.memory.embedder.question(both.scope.tenant, question.text)

    for way in both.ways:
        silent = await way.scan(both.scope, question, vector.by, ScanFilter(NOW, session=session))
        assert silent is None
        assert await way.scan(both.scope, question, vector.by, ScanFilter(NOW)) is not None
    vector.drop()


async def test_an_open_transaction_is_heard_when_it_ends(both: Both) -> None:
    """A late commit has a smaller transaction id than rows read before."""
    store, scope = both.stack.services.memory.records, both.scope
    record = await store.add(scope, told("고양이는 커피를 마신다"), PERSON)
    await both.hold()
    update = (
        "update saegim.memory_vector set forgotten = true where tenant_id = %s and memory_id = %s"
    )
    with psycopg.connect(both.stack.databases.admin_url) as slow:
        slow.execute(update, (scope.tenant, record.id))
        await store.add(scope, told("서울 예산은 1억이다"), PERSON)
        await both.agree()
        assert len((await both.ask(both.ways[1], ScanFilter(NOW))).records.ids) == 2
    assert len((await both.ask(both.ways[1], ScanFilter(NOW))).records.ids) == 1
    await both.agree()
    assert len(both.held) == 1


async def test_rows_that_come_from_another_server_are_new_here(both: Both) -> None:
    """A move or a restore writes as a replica, with numbers of the server they come from."""
    store, scope = both.stack.services.memory.records, both.scope
    record = await store.add(scope, told("고양이는 커피를 마신다"), PERSON)
    await both.hold()
    with psycopg.connect(both.stack.databases.admin_url) as carrier:
        carrier.execute("set local session_replication_role to replica")
        carrier.execute(
            "update saegim.memory_vector set importance = 0.125, changed = '3' "
            "where tenant_id = %s and memory_id = %s",
            (scope.tenant, record.id),
        )
    found = await both.ask(both.ways[1], ScanFilter(NOW))
    assert found.records.importance.tolist() == [0.125]


async def test_what_was_read_earlier_does_not_undo_what_was_read_since(both: Both) -> None:
    store, scope = both.stack.services.memory.records, both.scope
    cell = await both.stack.services.db.cells.for_tenant(scope.tenant)
    record = await store.add(scope, told("고양이는 커피를 마신다"), PERSON)
    await both.hold()
    [[early]] = await cell.read_together(scope.tenant, everything(scope))
    await store.forget(scope, [record.id], PERSON)
    assert not len((await both.ask(both.ways[1], ScanFilter(NOW))).records.ids)
    held = both.held.of(cell, scope)
    assert held is not None

    assert held.follow(mark_of(early), early), "as many rows as there were"
    assert not len((await both.ask(both.ways[1], ScanFilter(NOW))).records.ids)
    restarted = replace(mark_of(early), server=NOW)
    assert not held.follow(restarted, early), "another server numbers transactions anew"


async def test_a_memory_that_changed_much_is_loaded_again(both: Both) -> None:
    store, scope = both.stack.services.memory.records, both.scope
    cell = await both.stack.services.db.cells.for_tenant(scope.tenant)
    record = await store.add(scope, told("고양이는 커피를 마신다"), PERSON)
    await both.hold()
    first = both.held.of(cell, scope)
    assert first is not None
    [[found]] = await cell.read_together(scope.tenant, everything(scope))
    for _ in range(MOST_WRITTEN + 1):
        assert first.follow(mark_of(found), found)
    assert first.rows == 1
    async with asyncio.timeout(180):
        while both.held.of(cell, scope) is first:
            await both.agree()
    await store.forget(scope, [record.id], PERSON)
    await both.agree()


async def test_nobody_is_held_for_asking_once(both: Both) -> None:
    await both.stack.services.memory.records.add(both.scope, told("고양이"), PERSON)
    await both.ask(both.ways[1], ScanFilter(NOW))
    await asyncio.sleep(0.05)
    assert len(both.held) == 0


async def test_those_who_asked_last_are_held_within_the_room(stack: Stack) -> None:
    services, clock = stack.services, Hands(NOW)
    scopes = [(await stack.caller(f"crowd-{at}")).scope for at in range(4)]
    for scope in scopes:
        for number in range(20):
            await services.memory.records.add(scope, told(f"고양이 {number}"), PERSON)
    cell = await services.db.cells.for_tenant(stack.tenant.tenant.id)
    alone = RecallCache(ROOM, clock)
    await loaded(alone, cell, scopes[0])
    held = RecallCache(int(alone.size * 2.5), clock)
    for scope in scopes:
        await loaded(held, cell, scope)

    assert [held.of(cell, scope) is not None for scope in scopes] == [False, False, True, True]
    clock.on(seconds=IDLE.total_seconds() + 1)
    assert [held.of(cell, scope) for scope in scopes] == [None] * 4
    assert held.size == 0


async def loaded(held: RecallCache, cell: Any, scope: Scope) -> None:
    held.load(cell, scope)
    async with asyncio.timeout(180):
        while held.of(cell, scope) is None:
            await asyncio.sleep(0.01)
