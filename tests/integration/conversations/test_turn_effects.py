"""References of a session, and effects of a turn, from the record and from the cache."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from saegim.conversations.state_cache import Keys, RedisStateCache
from saegim.conversations.types import (
    Lease,
    LeaseTimes,
    NewTurn,
    OpenTurn,
    Outcome,
    TurnInputs,
    TurnState,
)
from saegim.domain.ids import SystemClock, new_id
from saegim.domain.scope import Caller
from saegim.encryption.cipher import FieldLocation
from tests.stack import Stack

pytestmark = pytest.mark.requirement("WM5", "CH9")

EFFECTS = (
    {"kind": "remembered", "ref": "M12", "id": str(uuid4())},
    {"kind": "left_out"},
)
DONE = Outcome(TurnState.DONE, "네", effects=EFFECTS)


async def receive(
    stack: Stack, caller: Caller, session: str, key: str | None = None, seconds: float = 600
) -> OpenTurn:
    now = SystemClock().now()
    new = NewTurn(
        id=new_id(now),
        message="질문",
        inputs=TurnInputs(),
        session=session,
        idempotency_key=key,
        lease=Lease(new_id(now), 1),
        times=LeaseTimes(lasts_seconds=seconds),
        now=now,
    )
    turns = stack.services.conversations.turns
    return await turns.known(caller, new) or await turns.receive(caller, new)


async def settle(stack: Stack, opened: OpenTurn, outcome: Outcome, **more: Any) -> Any:
    assert opened.lease is not None
    settlement = stack.services.conversations.settlement
    return await settlement.settle(opened.turn, opened.lease, outcome, [], **more)


def numbered(refs: Mapping[str, int], state: TurnState = TurnState.DONE) -> Outcome:
    return Outcome(state, "네", refs=refs)


async def test_references_of_a_session_are_merged(stack: Stack) -> None:
    caller = await stack.caller("refs")
    first = await receive(stack, caller, "refs", "key", seconds=0)
    assert first.refs == {}
    await settle(stack, first, numbered({"m:a": 1, "p:b": 2}))
    one, two = [await receive(stack, caller, "refs") for _ in range(2)]
    assert one.refs == {"m:a": 1, "p:b": 2}
    await settle(stack, one, numbered({"p:c": 3}))
    await settle(stack, two, numbered({"p:c": 4, "p:d": 3, "m:a": 9}, TurnState.INCOMPLETE))

    again = await receive(stack, caller, "refs", "key")
    assert (again.turn.id, again.lease) == (first.turn.id, None)
    assert again.refs == {"m:a": 1, "p:b": 2, "p:c": 3, "p:d": 3}
    waiting = await receive(stack, caller, "refs", seconds=0)
    lease = Lease(uuid4(), 2)
    taken = await stack.services.conversations.turns.take(
        caller.scope.tenant, waiting.turn.id, lease, 600
    )
    assert taken is not None
    assert taken.refs == waiting.refs == again.refs
    assert (await receive(stack, caller, "other")).refs == {}
    assert (await receive(stack, await stack.caller("stranger"), "refs")).refs == {}


async def test_effects_of_a_turn_come_back_with_it(stack: Stack) -> None:
    caller = await stack.caller("effects")
    conversations, opened = stack.services.conversations, await receive(stack, caller, "effects")
    before, _ = await conversations.working_memory.open(
        caller.scope, opened.turn.session, opened.mark, list[str]().append
    )
    mark = await settle(stack, opened, DONE)
    stored = await conversations.turns.find(caller.scope, opened.turn.id)
    assert (stored.effects, stored.exchange().effects) == (EFFECTS, EFFECTS)

    degraded = list[str]()
    for source in ("record", "cache"):
        state, found = await conversations.working_memory.open(
            caller.scope, opened.turn.session, mark, degraded.append
        )
        assert (found, [each.effects for each in state.recent]) == (source, [EFFECTS])
        await conversations.working_memory.keep(
            caller.scope, opened.turn.session, before, stored.exchange(), mark, degraded.append
        )
    assert degraded == []

    quiet = await receive(stack, caller, "effects")
    await settle(stack, quiet, Outcome(TurnState.DONE, "네"))
    assert (await conversations.turns.find(caller.scope, quiet.turn.id)).effects == ()


async def test_state_that_an_older_release_cached_has_no_effects(stack: Stack) -> None:
    caller = await stack.caller("older")
    scope, opened = caller.scope, await receive(stack, caller, "older")
    cache = RedisStateCache(stack.services.db.redis, stack.services.encryption.keyring)
    mark, session = await settle(stack, opened, DONE), opened.turn.session
    state, _ = await stack.services.conversations.working_memory.open(
        scope, session, mark, list[str]().append
    )
    await cache.save(scope, session, state)

    def in_json(value: object) -> str:
        assert isinstance(value, datetime)
        return value.isoformat()

    recent = [asdict(each) for each in state.recent]
    for each in recent:
        del each["effects"]
    cipher = await stack.services.encryption.keyring.user(scope.tenant, scope.user)
    sealed = cipher.seal(
        json.dumps(recent, default=in_json), FieldLocation("working_memory.short", session)
    )

    async def write(client: Any) -> object:
        return await client.hset(Keys.of(scope.tenant, session).short, "state", sealed)

    await stack.services.db.redis.run(write, scope.tenant)
    loaded = await cache.load(scope, session)
    assert loaded == replace(state, recent=(replace(state.recent[0], effects=()),))
