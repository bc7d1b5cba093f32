"""Two tenants with the same names and the same ids, on one process and the same stores: nothing
of the one is in an answer, stream, trace, job, cache or log of the other."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.rows import dict_row
from redis.asyncio import Redis

from saegim.conversations.state_cache import Keys, stream_key
from saegim.domain.ids import new_id
from saegim.encryption.cipher import FieldLocation
from tests.integration.isolation.tenant_pair import (
    LONG_AGO,
    PairedTenant,
    TenantPair,
    everything_logged,
    new_tenant_pair,
)
from tests.stack import Databases, read_events, served

pytestmark = pytest.mark.requirement("OP5")

A, B = "사과나무", "바나나껍질"


@pytest.fixture
async def pair(databases: Databases) -> AsyncIterator[TenantPair]:
    """Two tenants; checks after each test that no log contains text of users."""
    with everything_logged() as written:
        async with new_tenant_pair(databases) as pair:
            yield pair
    assert written.getvalue()
    assert A not in written.getvalue()
    assert B not in written.getvalue()


@pytest.fixture
async def redis(databases: Databases) -> AsyncIterator[Redis]:
    client = Redis.from_url(databases.servers.valkey.url)
    yield client
    await client.aclose()


async def answer_same_turn(pair: TenantPair, words: int = 1) -> UUID:
    """A turn with the same id in the same session of both, answered for both."""
    turn = new_id(LONG_AGO)
    for fallback, word in ((pair.a, A), (pair.b, B)):
        await fallback.store(" ".join([word] * words), turn)
        await fallback.take_up(turn)
    return turn


async def test_the_two_are_alike(pair: TenantPair) -> None:
    turn = await answer_same_turn(pair)
    scopes = [(await fallback.caller()).scope for fallback in pair.both]
    a, b = [await fallback.get(f"/v1/turns/{turn}") for fallback in pair.both]

    assert scopes[0].tenant != scopes[1].tenant
    assert (scopes[0].user, scopes[0].profile) == (scopes[1].user, scopes[1].profile)
    assert (a["turn_id"], a["session_id"]) == (b["turn_id"], b["session_id"])


# Answers -------------------------------------------------------------------------------------


async def test_a_turn_with_the_same_id_is_answered_read_and_explained_by_its_own_words(
    pair: TenantPair,
) -> None:
    turn = await answer_same_turn(pair)

    for fallback, own, other in ((pair.a, A, B), (pair.b, B, A)):
        for path in (
            f"/v1/turns/{turn}",
            f"/v1/turns/{turn}/trace",
            f"/v1/sessions/{fallback.ids.session}/turns",
        ):
            text = json.dumps(await fallback.get(path), ensure_ascii=False)
            assert other not in text
            assert own in text or path.endswith("trace")


async def test_a_session_with_the_same_id_and_name_remembers_its_own_turns(
    pair: TenantPair,
) -> None:
    await answer_same_turn(pair)
    pair.models.requests.clear()
    by_name = [await fallback.say("무슨 이야기였지?") for fallback in pair.both]
    session = {"Saegim-Session": str(pair.a.ids.session)}
    by_id = [await fallback.say("다시 말해 줘", **session) for fallback in pair.both]

    assert {reply["session_id"] for reply in by_name + by_id} == {str(pair.a.ids.session)}
    for a, b in (by_name, by_id):
        assert (A in a["answer"], B in a["answer"]) == (True, False)
        assert (A in b["answer"], B in b["answer"]) == (False, True)
    assert [(A in str(shown), B in str(shown)) for shown in pair.models.requests] == [
        (True, False),
        (False, True),
    ] * 2


async def test_turns_at_the_same_time_do_not_mix(pair: TenantPair) -> None:
    replies = await asyncio.gather(
        *[
            fallback.say(f"{word} {n}")
            for n in range(5)
            for fallback, word in ((pair.a, A), (pair.b, B))
        ]
    )

    for index, reply in enumerate(replies):
        own, other = (A, B) if index % 2 == 0 else (B, A)
        assert own in reply["answer"]
        assert other not in reply["answer"]


# Streams -------------------------------------------------------------------------------------


async def test_streams_of_the_same_turn_id_at_the_same_time_carry_their_own_words(
    pair: TenantPair,
) -> None:
    turn = new_id(LONG_AGO)
    for fallback, word in ((pair.a, A), (pair.b, B)):
        await fallback.store(" ".join([word] * 40), turn)
    async with served(pair.a.stack.services) as http:

        async def follow(fallback: PairedTenant, last: str | None = None) -> str:
            headers = fallback.headers(**({"Last-Event-ID": last} if last else {}))
            async with http.stream("GET", f"/v1/turns/{turn}/events", headers=headers) as stream:
                return "".join([str(event.data) async for event in read_events(stream)])

        running = [asyncio.create_task(fallback.take_up(turn)) for fallback in pair.both]
        live = await asyncio.gather(*[follow(fallback) for fallback in pair.both for _ in range(3)])
        await asyncio.gather(*running)
        later = [await follow(fallback) for fallback in pair.both]
        half = [await follow(fallback, "2-20") for fallback in pair.both]

    for text in (*live[:3], later[0], half[0]):
        assert (A in text, B in text) == (True, False)
    for text in (*live[3:], later[1], half[1]):
        assert (A in text, B in text) == (False, True)


@pytest.mark.parametrize("first", ["a", "b"])
async def test_cancelling_a_turn_leaves_the_one_with_the_same_id_alone(
    first: str, pair: TenantPair
) -> None:
    turn = new_id(LONG_AGO)
    for fallback, word in ((pair.a, A), (pair.b, B)):
        await fallback.store(" ".join([word] * 60), turn)
    running: list[asyncio.Task[None]] = []
    pair.begin.clear()
    for fallback in pair.both if first == "a" else reversed(pair.both):
        running.append(asyncio.create_task(fallback.take_up(turn)))
        while len(pair.models.requests) < len(running):
            await asyncio.sleep(0.01)
    path = f"/v1/turns/{turn}/cancel"
    cancelled = await pair.a.stack.http.post(path, headers=pair.a.headers())
    pair.begin.set()
    await asyncio.gather(*running)

    b = await pair.b.get(f"/v1/turns/{turn}")
    assert cancelled.json()["error"] == "cancelled"
    # The model repeats all it is shown: the date and a note, then the message.
    words = b["answer"].split()
    assert (b["state"], words[-60:]) == ("done", [B] * 60)
    assert not {A, B} & set(words[:-60])


# Jobs ----------------------------------------------------------------------------------------


async def test_jobs_of_the_same_turn_id_work_for_their_own_tenant(
    pair: TenantPair, databases: Databases
) -> None:
    turn = await answer_same_turn(pair)
    queued = _jobs(databases, pair)
    async with pair.a.stack.working():
        while _jobs(databases, pair):
            await asyncio.sleep(0.05)

    assert {job["args"]["tenant"] for job in queued} == {str(t.tenant) for t in pair.both}
    assert {job["args"]["subject"] for job in queued} == {str(turn)}
    assert len({job["lock"] for job in queued}) == 2
    for fallback, own, other in ((pair.a, A, B), (pair.b, B, A)):
        [content] = await _episodes(databases, fallback)
        assert own in content
        assert other not in content


async def test_a_job_with_another_tenants_turn_does_nothing(
    pair: TenantPair, databases: Databases
) -> None:
    turn = new_id(LONG_AGO)
    await pair.b.store(f"{B} 이야기입니다", turn)
    services = pair.a.stack.services

    await services.chat.turns.watch(pair.a.tenant, turn)
    assert await services.memory.episodes.index(pair.a.tenant, turn) is False
    assert not pair.models.requests

    await pair.b.take_up(turn)
    assert await services.memory.episodes.index(pair.a.tenant, turn) is False
    assert await _episodes(databases, pair.a) == []


# Caches --------------------------------------------------------------------------------------


async def test_keys_in_redis_carry_their_tenant_and_values_are_sealed(
    pair: TenantPair, redis: Redis
) -> None:
    turn = await answer_same_turn(pair, words=40)
    ids = (str(turn), str(pair.a.ids.session))
    keys = [key.decode() async for key in redis.scan_iter("*", count=1000)]
    ours = [key for key in keys if any(each in key for each in ids)]

    assert sorted(ours) == sorted(
        key
        for fallback in pair.both
        for key in (
            stream_key(fallback.tenant, turn),
            *Keys.of(fallback.tenant, fallback.ids.session).all(),
        )
    )
    for key in ours:
        value = await _dump(redis, key)
        assert A.encode() not in value
        assert B.encode() not in value


async def test_a_value_that_another_tenant_wrote_is_not_taken(
    pair: TenantPair, redis: Redis
) -> None:
    await answer_same_turn(pair)
    session = pair.a.ids.session
    theirs, ours = Keys.of(pair.b.tenant, session), Keys.of(pair.a.tenant, session)
    for foreign, own in zip(theirs.all(), ours.all(), strict=True):
        await redis.restore(own, 0, await _dump(redis, foreign), replace=True)

    reply = await pair.a.say("무슨 이야기였지?")

    assert (A in reply["answer"], B in reply["answer"]) == (True, False)


# Idempotency ---------------------------------------------------------------------------------


async def test_an_idempotency_key_belongs_to_its_tenant(pair: TenantPair) -> None:
    key = {"Idempotency-Key": "같은-키".encode().hex()}
    first = [await pair.a.say("사과나무", **key), await pair.b.say("바나나껍질", **key)]
    again = [await pair.a.say("사과나무", **key), await pair.b.say("바나나껍질", **key)]

    assert again == first
    assert first[0]["turn_id"] != first[1]["turn_id"]
    assert (B in first[0]["answer"], A in first[1]["answer"]) == (False, False)


async def test_an_idempotency_key_belongs_to_its_profile(pair: TenantPair) -> None:
    headers = {"Idempotency-Key": "k", "Saegim-Session": "s"}
    work = await pair.a.say("한 번만", **headers)
    home = await pair.a.say("한 번만", **headers, **{"Saegim-Profile": "home"})

    assert (home["state"], work["state"]) == ("done", "done")
    assert home["turn_id"] != work["turn_id"]
    assert home["session_id"] != work["session_id"]


def _jobs(databases: Databases, pair: TenantPair) -> list[dict[str, Any]]:
    """Waiting jobs of the two, but for those that watch running turns."""
    statement = (
        "select args, lock from saegim.procrastinate_jobs "
        "where args ->> 'tenant' = any(%s) and task_name = 'index_episode'"
    )
    tenants = [str(fallback.tenant) for fallback in pair.both]
    with (
        psycopg.connect(databases.admin_url) as connection,
        connection.cursor(row_factory=dict_row) as cursor,
    ):
        return cursor.execute(statement, (tenants,)).fetchall()


async def _episodes(databases: Databases, fallback: PairedTenant) -> list[str]:
    """Returns a tenant's episodes, decrypted with its user's key."""
    cipher = await fallback.stack.services.encryption.keyring.user(
        fallback.tenant, fallback.ids.member
    )
    with psycopg.connect(databases.admin_url) as connection:
        rows = connection.execute(
            "select episode_id, content from saegim.episode where tenant_id = %s",
            (fallback.tenant,),
        ).fetchall()
    return [
        cipher.open(content, FieldLocation("episode.content", episode)) for episode, content in rows
    ]


async def _dump(redis: Redis, key: str) -> bytes:
    dumped = await redis.dump(key)
    assert dumped is not None
    return dumped
