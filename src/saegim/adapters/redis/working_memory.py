"""Working memory in Redis, sealed with the user's key: implements `StateCache`."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from saegim.adapters.keyring.cipher import Place, SealBroken
from saegim.adapters.keyring.keyring import Keyring
from saegim.adapters.redis.part import RedisPart
from saegim.domain.scope import Scope
from saegim.domain.turn import Exchange
from saegim.working_memory.types import WorkingState

TTL_SECONDS = 24 * 60 * 60
PLACE = "working_memory.short"

# Two fields: how many turns were recorded, and the sealed state. Never back to an older one.
SAVE = """
local stored = tonumber(redis.call('HGET', KEYS[1], 'recorded') or '-1')
if stored < tonumber(ARGV[1]) then
    redis.call('HSET', KEYS[1], 'recorded', ARGV[1], 'state', ARGV[2])
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return stored
"""


class RedisStateCache:
    def __init__(self, part: RedisPart, keyring: Keyring) -> None:
        self._part = part
        self._keyring = keyring

    async def load(self, scope: Scope, session: UUID) -> WorkingState | None:
        key = short_key(scope.tenant, session)

        async def read(client: Any) -> list[bytes | None]:
            async with client.pipeline(transaction=True) as pipe:
                pipe.hmget(key, ["recorded", "state"])
                pipe.expire(key, TTL_SECONDS)
                return (await pipe.execute())[0]

        recorded, state = await self._part.run(read)
        if recorded is None or state is None:
            return None
        cipher = await self._keyring.user(scope.tenant, scope.user)
        try:
            turns = json.loads(cipher.open(state, Place(PLACE, session)))
        except SealBroken:
            return None
        return WorkingState(int(recorded), tuple(_exchange(turn) for turn in turns))

    async def save(self, scope: Scope, session: UUID, state: WorkingState) -> None:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        turns = [asdict(turn) | {"at": turn.at.isoformat()} for turn in state.recent]
        sealed = cipher.seal(json.dumps(turns, ensure_ascii=False), Place(PLACE, session))
        key = short_key(scope.tenant, session)

        async def write(client: Any) -> object:
            return await client.eval(SAVE, 1, key, state.recorded, sealed, TTL_SECONDS)

        await self._part.run(write)


def short_key(tenant: UUID, session: UUID) -> str:
    """The braces are a hash tag: all keys of a session live in one slot of a cluster (WM5)."""
    return f"chat:{{{tenant}:{session}}}:short"


def _exchange(stored: dict[str, Any]) -> Exchange:
    return Exchange(
        number=stored["number"],
        message=stored["message"],
        reply=stored["reply"],
        at=datetime.fromisoformat(cast("str", stored["at"])),
    )
