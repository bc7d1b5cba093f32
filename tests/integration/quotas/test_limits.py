"""Limits per key, user, tenant and provider: shared, refused with a time, degraded before that."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from redis.exceptions import MaxConnectionsError

from benchmarks.doubles.models import ScriptedModels
from benchmarks.doubles.patience import PATIENT_REDIS_SECONDS
from saegim.app.infrastructure import Fakes
from saegim.db.redis_client import RedisClient, connect
from saegim.domain.errors import LimitReached, ModelUnavailable, OptionalServiceDown
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.ports import ModelRole
from saegim.localservers.valkey import LocalValkey
from saegim.quotas.counters import Charge, Limit, LimitMeter, RedisCounters, Resource
from tests.cluster import local_cluster
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("OP2")


@asynccontextmanager
async def limited(databases: Databases, limits: str, **more: Any) -> AsyncIterator[Stack]:
    async with new_stack(databases, settings={"limits": limits, **more}) as stack:
        yield stack


async def ask(stack: Stack, user: str = "alice", **more: str) -> Any:
    return await stack.http.get("/v1/me", headers=stack.headers(user, **more))


async def test_what_is_too_much_is_refused_with_a_time(databases: Databases) -> None:
    async with limited(databases, "user requests 3/3600") as stack:
        told = [await ask(stack) for _ in range(4)]
        other = await ask(stack, "bob")
        korean = await ask(stack, **{"Accept-Language": "ko-KR,ko;q=0.9,en;q=0.8"})

    assert [each.status_code for each in told] == [200, 200, 200, 429]
    assert 1 <= int(told[3].headers["Retry-After"]) <= 3600
    assert told[3].json()["code"] == "limit_reached"
    assert "limit" in told[3].json()["title"]
    assert "한도" in korean.json()["title"]
    assert other.status_code == 200


async def test_a_key_a_user_and_a_tenant_have_limits_of_their_own(databases: Databases) -> None:
    limits = "user requests 2/3600, key requests 3/3600, tenant requests 5/3600"
    async with limited(databases, limits) as stack:
        tenant = stack.tenant
        second = await stack.services.auth.tenants.create_key(
            tenant.tenant.id, tenant.assistant.id, "second"
        )
        users = [(await ask(stack, user)).status_code for user in "aaabb"]
        bearing = {"Authorization": f"Bearer {second}"}
        others = [(await ask(stack, user, **bearing)).status_code for user in "cde"]

    assert users == [200, 200, 429, 200, 429]
    assert others == [200, 200, 429]


async def test_a_tenants_own_limits_replace_the_usual_ones(databases: Databases) -> None:
    async with limited(databases, "user requests 1000/3600, key requests 50/3600") as stack:
        own = {"subject": "user", "resource": "requests", "window_seconds": 3600, "most": 3}
        put = await stack.http.put(
            "/v1/limits", json={"limits": [own]}, headers=stack.headers("admin")
        )
        shown = (await stack.http.get("/v1/limits", headers=stack.headers("admin"))).json()
        told = [(await ask(stack, "zoe")).status_code for _ in range(5)]

    assert put.status_code == 204
    assert [(each["subject"], each["most"]) for each in shown] == [("user", 3), ("key", 50)]
    assert told == [200] * 3 + [429] * 2


async def test_an_admin_can_always_lift_limits_and_replace_keys(databases: Databases) -> None:
    async with limited(databases, "user requests 1000/3600") as stack:
        headers = stack.headers("admin")
        own = {"subject": "user", "resource": "requests", "window_seconds": 86400, "most": 1}
        await stack.http.put("/v1/limits", json={"limits": [own]}, headers=headers)
        used_up = [(await ask(stack, "admin")).status_code for _ in range(2)]
        keys = await stack.http.get("/v1/keys", headers=headers)
        lifted = await stack.http.put("/v1/limits", json={"limits": []}, headers=headers)
        after = await ask(stack, "admin")

    assert used_up == [200, 429]
    assert (keys.status_code, lifted.status_code, after.status_code) == (200, 204, 200)


# Many at once --------------------------------------------------------------------------------


async def admitted(stacks: list[Stack], requests: int, user: str = "alice") -> int:
    headers = stacks[0].headers(user)

    async def ask(stack: Stack) -> Any:
        # A busy machine refuses before anything is counted.
        while (told := await stack.http.get("/v1/me", headers=headers)).status_code == 503:
            await asyncio.sleep(0.2)
        return told

    told = await asyncio.gather(*[ask(stacks[n % len(stacks)]) for n in range(requests)])
    assert {each.status_code for each in told} <= {200, 429}
    return sum(each.status_code == 200 for each in told)


async def test_two_services_share_one_count(databases: Databases) -> None:
    limits = "user requests 20/3600"
    async with limited(databases, limits) as one, limited(databases, limits) as two:
        assert await admitted([one, two], 60) == 20


async def test_without_redis_each_process_keeps_to_its_share(databases: Databases) -> None:
    with tempfile.TemporaryDirectory(prefix="saegim-limits-") as folder:
        valkey = LocalValkey.start(Path(folder))
        own = replace(databases, cluster_url=valkey.url)
        settings = {"redis_cluster": False}
        limits = "user requests 20/3600"
        async with (
            limited(own, limits, **settings) as one,
            limited(own, limits, **settings) as two,
        ):
            with_redis = await admitted([one, two], 10)
            await asyncio.to_thread(valkey.stop)
            without = await admitted([one, two], 60)

    assert with_redis == 10
    # Each half of 20 holds what its process let through before, so that the whole still counts.
    assert without == 10


async def test_what_was_counted_without_redis_counts_when_it_is_back(databases: Databases) -> None:
    with tempfile.TemporaryDirectory(prefix="saegim-limits-") as folder:
        valkey = LocalValkey.start(Path(folder))
        own = replace(databases, cluster_url=valkey.url)
        settings = {"redis_cluster": False, "api_processes": 1}
        async with limited(own, "user requests 20/3600", **settings) as stack:
            before = await admitted([stack], 1)
            await asyncio.to_thread(valkey.stop)
            without = await admitted([stack], 8)
            valkey = LocalValkey.start(Path(folder), valkey.port)
            await _until_back(stack.services.db.redis)
            back = await admitted([stack], 60)
        await asyncio.to_thread(valkey.stop)

    assert before == 1
    assert without == 8
    assert back <= 20 - 8


async def test_a_burst_is_no_outage(databases: Databases) -> None:
    """More commands at once than the pool has connections: they wait, none is turned away."""
    part, told = RedisClient(connect(databases.servers.valkey.url)), list[BaseException | None]()
    async with asyncio.timeout(180):
        while True:
            await _until_back(part)
            burst = await asyncio.gather(*[part.ping() for _ in range(150)], return_exceptions=True)
            told += burst
            if not any(burst):
                break
    await part.close()

    causes = [error.__cause__ for error in told if error is not None]
    assert not any(isinstance(cause, MaxConnectionsError) for cause in causes)


async def _until_back(part: RedisClient) -> None:
    async with asyncio.timeout(180):
        while True:
            with contextlib.suppress(OptionalServiceDown):
                await part.ping()
                break
            await asyncio.sleep(0.1)


@pytest.fixture(params=["single", "cluster"])
def redis_url(databases: Databases, request: pytest.FixtureRequest) -> Iterator[tuple[str, bool]]:
    if request.param == "single":
        yield databases.servers.valkey.url, False
        return
    with (
        tempfile.TemporaryDirectory(prefix="saegim-cluster-") as folder,
        local_cluster(Path(folder)) as cluster,
    ):
        yield cluster.url, True


async def test_one_script_counts_all_of_a_tenant_in_a_cluster_too(
    redis_url: tuple[str, bool],
) -> None:
    client = connect(*redis_url, seconds=PATIENT_REDIS_SECONDS)
    part = RedisClient(client, PATIENT_REDIS_SECONDS)
    counters, tenant = RedisCounters(part), uuid4()
    charges = [
        Charge(LimitMeter(Limit(subject, resource, 3600, 10), uuid4().hex), 1)
        for subject in ("key", "user", "tenant")
        for resource in Resource
    ]
    await _until_back(part)
    told = await asyncio.gather(*[counters.take(tenant, charges) for _ in range(30)])
    await part.close()

    assert sum(each.refused is None for each in told) == 10
    assert max(each.fullest for each in told) == 1.0


# Budgets -------------------------------------------------------------------------------------


def call(tokens: int, usd: str = "0") -> ModelCall:
    return ModelCall(
        "answer", "1", "lite", "m", CallSource.MODEL, None, tokens, 0, Decimal(usd), 0.1
    )


async def test_a_turn_sets_aside_and_gives_back(databases: Databases) -> None:
    async with limited(databases, "user tokens 10000/3600") as stack:
        limits, caller = stack.services.quotas.limits, await stack.caller()
        turns = [uuid4() for _ in range(3)]
        for turn in turns[:2]:
            await limits.reserve(caller, turn)
        with pytest.raises(LimitReached) as refused:
            await limits.reserve(caller, turns[2])
        await limits.settle(caller.scope, turns[0], [call(500)])
        await limits.settle(caller.scope, turns[0], ())  # nothing is set aside any more
        await limits.reserve(caller, turns[2])

    assert refused.value.retry_after > 0


async def test_every_attempt_at_a_turn_counts(databases: Databases) -> None:
    async with limited(databases, "user tokens 10000/3600") as stack:
        limits, caller, turn = stack.services.quotas.limits, await stack.caller(), uuid4()
        await limits.reserve(caller, turn)
        for _ in range(2):
            await limits.settle(caller.scope, turn, [call(3_500)])
        with pytest.raises(LimitReached):
            await limits.reserve(caller, uuid4())


async def test_a_moved_reservation_counts_for_the_other_turn(databases: Databases) -> None:
    async with limited(databases, "user tokens 10000/3600") as stack:
        limits, caller, reserved, turn = stack.services.quotas.limits, await stack.caller(), *two()
        await limits.reserve(caller, reserved)
        await limits.move(caller.scope, reserved, turn)
        await limits.settle(caller.scope, reserved, ())
        await limits.settle(caller.scope, turn, [call(7_000)])
        with pytest.raises(LimitReached):
            await limits.reserve(caller, uuid4())


def two() -> tuple[UUID, UUID]:
    return uuid4(), uuid4()


async def test_a_budget_degrades_before_it_refuses(databases: Databases) -> None:
    async with limited(databases, "tenant usd 0.01/2592000") as stack:
        limits, caller = stack.services.quotas.limits, await stack.caller()
        seen: list[bool] = []

        async def take_turns() -> None:
            for _ in range(10):
                turn = uuid4()
                await limits.reserve(caller, turn)
                seen.append(await limits.lite_only(caller.scope, turn))
                await limits.settle(caller.scope, turn, [call(1, "0.001")])

        with pytest.raises(LimitReached):
            await take_turns()

    # A cent: a turn is taken for 0.002 and turns out to be 0.001.
    assert seen == [False] * 6 + [True] * 3


async def test_a_turn_near_the_end_of_its_budget_does_without_the_strong_model(
    databases: Databases,
) -> None:
    models = ScriptedModels({ModelRole.LITE: lambda _: "답"})
    settings = {"limits": "user tokens 8000/3600"}
    async with new_stack(databases, Fakes(models=models), settings=settings) as stack:
        first = await stack.say("하나")
        second = await stack.http.post("/v1/chat", json={"message": "둘"}, headers=stack.headers())
        caller = await stack.caller()
        for _ in range(8):
            turn = uuid4()
            await stack.services.quotas.limits.reserve(caller, turn)
            await stack.services.quotas.limits.settle(caller.scope, turn, [call(320)])
        near = await stack.say("셋")

    assert (first["degraded"], second.json()["degraded"]) == ([], [])
    assert near["degraded"] == ["budget"]


async def test_the_same_message_again_uses_nothing_more(databases: Databases) -> None:
    async with limited(databases, "user tokens 9000/3600") as stack:
        told = [await stack.say("안녕", **{"Idempotency-Key": "k"}) for _ in range(5)]

    assert len({each["turn_id"] for each in told}) == 1


async def test_no_model_is_asked_past_a_budget_by_another_way(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: lambda _: "답", ModelRole.EXTRACTOR: lambda _: "?"})
    async with new_stack(databases, Fakes(models=models)) as stack:
        said = await stack.say("우리 예산은 1.5억이에요")
        asked = len(models.requests)
        for subject in ("user", "tenant"):
            own = {"subject": subject, "resource": "tokens", "window_seconds": 86400, "most": 1}
            await stack.http.put(
                "/v1/limits", json={"limits": [own]}, headers=stack.headers("admin")
            )
            judged = await stack.http.post(
                f"/v1/sessions/{said['session_id']}/eval",
                json={"query": "예산이 얼마야?"},
                headers=stack.headers(),
            )
            assert (judged.status_code, judged.json()["code"]) == (429, "limit_reached")
        with pytest.raises(ModelUnavailable, match="limit_reached"):
            await stack.services.memory.extraction.extract(
                stack.tenant.tenant.id, UUID(said["turn_id"]), at_once=True
            )

    assert len(models.requests) == asked


async def test_background_calls_count_in_the_tenants_budget(databases: Databases) -> None:
    async with limited(databases, "tenant tokens 10000/3600") as stack:
        limits, tenant = stack.services.quotas.limits, stack.tenant.tenant.id
        for _ in range(2):
            assert await limits.reserve_call(tenant)
            await limits.settle_call(tenant, call(3_500))
        assert not await limits.reserve_call(tenant)
        with pytest.raises(LimitReached):
            await limits.reserve(await stack.caller(), uuid4())


# Providers -----------------------------------------------------------------------------------


async def test_a_provider_that_was_asked_enough_is_left_alone(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: lambda _: "모델의 답"})
    settings = {"limits": f"provider requests 2/{3600 + hash(uuid4()) % 1000}"}
    async with new_stack(databases, Fakes(models=models), settings=settings) as stack:
        replies = [await stack.say(f"질문 {number}") for number in range(3)]
        trace = await stack.http.get(
            f"/v1/turns/{replies[2]['turn_id']}/trace", headers=stack.headers()
        )

    assert [each["answer"] for each in replies[:2]] == ["모델의 답"] * 2
    assert replies[2]["degraded"] == ["model"]
    assert trace.json()["trace"]["calls"][0]["fault"] == "limit_reached"


async def test_an_administrator_can_take_a_limit_back_that_locks_everybody_out(
    stack: Stack,
) -> None:
    tight = [{"subject": "user", "resource": "requests", "window_seconds": 60, "most": 1}]
    headers = stack.headers()
    await stack.http.put("/v1/limits", json={"limits": tight}, headers=headers)
    told = [await ask(stack) for _ in range(2)]
    undone = await stack.http.put("/v1/limits", json={"limits": []}, headers=headers)
    assert told[1].status_code == 429
    assert int(told[1].headers["Retry-After"]) <= 60
    assert undone.status_code == 204
    assert (await ask(stack)).status_code == 200
