"""Redis cache of the working state of sessions, and buffer of streamed text."""

import json
from dataclasses import asdict, dataclass
from typing import Any, cast
from uuid import UUID, uuid5

from pydantic import TypeAdapter

from saegim.conversations.types import Exchange, WorkingState, entities_as_json, entities_from_json
from saegim.db.redis_client import RedisClient
from saegim.domain.scope import Scope
from saegim.encryption.cipher import FieldLocation, SealBroken
from saegim.encryption.keyring import Keyring

TTL_SECONDS = 24 * 60 * 60
FIELD = "working_memory"
_RECENT = TypeAdapter(tuple[Exchange, ...])

# Each of the three keys is a hash of the session version and an encrypted part. If the versions
# differ the parts are not one state: a process of an older release may have written one alone.
LOAD = """
local parts = {}
for index, key in ipairs(KEYS) do
    local part = redis.call('HMGET', key, 'completed_turns', 'summary_version', 'state')
    redis.call('EXPIRE', key, ARGV[1])
    for _, field in ipairs(part) do parts[#parts + 1] = field end
end
return parts
"""

# Atomic, and never back to an older version.
SAVE = """
for index, key in ipairs(KEYS) do
    local part = redis.call('HMGET', key, 'completed_turns', 'summary_version')
    if index > 1 and (
        tonumber(part[1] or -1) > tonumber(ARGV[1]) or tonumber(part[2] or -1) > tonumber(ARGV[2])
    ) then
        return 0
    end
end
for index, key in ipairs(KEYS) do
    redis.call('HSET', key, 'completed_turns', ARGV[1], 'summary_version', ARGV[2],
        'state', ARGV[3 + index])
    redis.call('EXPIRE', key, ARGV[3])
end
return 1
"""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a session; the braces keep them in one slot of a cluster."""

    short: str
    memory: str
    entities: str

    @classmethod
    def of(cls, tenant: UUID, session: UUID) -> "Keys":
        stem = f"chat:{{{tenant}:{session}}}"
        return cls(f"{stem}:short", f"{stem}:memory", f"{stem}:entities")

    def all(self) -> tuple[str, str, str]:
        return (self.short, self.memory, self.entities)


class RedisStateCache:
    def __init__(
        self, redis: RedisClient, keyring: Keyring, ttl_seconds: float = TTL_SECONDS
    ) -> None:
        self._redis = redis
        self._keyring = keyring
        self._ttl = max(1, round(ttl_seconds))

    async def load(self, scope: Scope, session: UUID) -> WorkingState | None:
        """Load the cached state, if any, and renew its expiry."""
        keys = Keys.of(scope.tenant, session).all()

        async def read(client: Any) -> list[bytes | None]:
            return await client.eval(LOAD, len(keys), *keys, self._ttl)

        stored = await self._redis.run(read, scope.tenant)
        versions = {(stored[at], stored[at + 1]) for at in (0, 3, 6)}
        sealed = [stored[at] for at in (2, 5, 8)]
        if len(versions) != 1 or None in versions.pop() or None in sealed:
            return None
        cipher = await self._keyring.user(scope.tenant, scope.user)
        try:
            short, memory, entities = (
                json.loads(
                    cipher.open(cast("bytes", part), FieldLocation(f"{FIELD}.{name}", session))
                )
                for part, name in zip(sealed, ("short", "memory", "entities"), strict=True)
            )
        except SealBroken:
            return None
        return WorkingState(
            completed_turns=int(cast("bytes", stored[0])),
            summary_version=int(cast("bytes", stored[1])),
            summarised_through=memory["summarised_through"],
            summary=memory["summary"],
            entities=entities_from_json(entities),
            recent=_RECENT.validate_python(short),
        )

    async def save(self, scope: Scope, session: UUID, state: WorkingState) -> None:
        """Save the state, unless a newer one is cached."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        parts = {
            "short": _RECENT.dump_python(state.recent, mode="json"),
            "memory": {"summary": state.summary, "summarised_through": state.summarised_through},
            "entities": entities_as_json(state.entities),
        }
        sealed = [
            cipher.seal(
                json.dumps(part, ensure_ascii=False), FieldLocation(f"{FIELD}.{name}", session)
            )
            for name, part in parts.items()
        ]
        keys = Keys.of(scope.tenant, session).all()
        values = [state.completed_turns, state.summary_version, self._ttl, *sealed]

        async def write(client: Any) -> object:
            return await client.eval(SAVE, len(keys), *keys, *values)

        await self._redis.run(write, scope.tenant)

    async def drop(self, scope: Scope, session: UUID) -> None:
        keys = Keys.of(scope.tenant, session).all()

        async def delete(client: Any) -> object:
            return await client.delete(*keys)

        await self._redis.run(delete, scope.tenant)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a streamed answer at `offset` in the text of the attempt."""

    attempt: int
    offset: int
    text: str


STREAM_TTL_SECONDS = 10 * 60
STREAM_KEY = "stream"


class RedisStreamBuffer:
    def __init__(self, redis: RedisClient, keyring: Keyring) -> None:
        self._redis = redis
        self._keyring = keyring

    async def append(self, scope: Scope, turn: UUID, chunk: Chunk) -> None:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        sealed = cipher.seal(
            json.dumps(asdict(chunk), ensure_ascii=False), FieldLocation(STREAM_KEY, turn)
        )
        key = stream_key(scope.tenant, turn)

        async def write(client: Any) -> object:
            async with client.pipeline(transaction=True) as pipe:
                pipe.rpush(key, sealed)
                pipe.expire(key, STREAM_TTL_SECONDS)
                return await pipe.execute()

        await self._redis.run(write, scope.tenant)

    async def read(self, scope: Scope, turn: UUID, skip: int) -> list[Chunk]:
        """Return all chunks after the first `skip`, oldest first."""
        key = stream_key(scope.tenant, turn)

        async def fetch(client: Any) -> list[bytes]:
            return await client.lrange(key, skip, -1)

        cipher = await self._keyring.user(scope.tenant, scope.user)
        location = FieldLocation(STREAM_KEY, turn)
        sealed = await self._redis.run(fetch, scope.tenant)
        try:
            return [Chunk(**json.loads(cipher.open(piece, location))) for piece in sealed]
        except SealBroken:
            # The encryption key was retired; the stored turn has the text.
            return []


def stream_key(tenant: UUID, turn: UUID) -> str:
    return f"stream:{{{tenant}:{turn}}}"


WAITING_TTL_SECONDS = 60 * 60
WAITING_KEY = "waiting"


class RedisWaitingCalls:
    """What a turn has done when it waits for the tools of its client, by its message and the id of
    a call, which some providers give again in the next conversation."""

    def __init__(self, redis: RedisClient, keyring: Keyring) -> None:
        self._redis = redis
        self._keyring = keyring

    async def save(self, scope: Scope, message: str, call: str, waiting: str) -> None:
        key, place = _waiting(scope, message, call)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        sealed = cipher.seal(waiting, place)

        async def write(client: Any) -> object:
            return await client.set(key, sealed, ex=WAITING_TTL_SECONDS)

        await self._redis.run(write, scope.tenant)

    async def load(self, scope: Scope, message: str, call: str) -> str | None:
        """Return what waits; None if nothing does any more."""
        key, place = _waiting(scope, message, call)
        cipher = await self._keyring.user(scope.tenant, scope.user)

        async def fetch(client: Any) -> bytes | None:
            return await client.get(key)

        sealed = await self._redis.run(fetch, scope.tenant)
        try:
            return None if sealed is None else cipher.open(sealed, place)
        except SealBroken:
            return None


def _waiting(scope: Scope, message: str, call: str) -> tuple[str, FieldLocation]:
    # The key names neither the call nor the user, and no other user finds it.
    name = uuid5(scope.user, f"{scope.profile}:{call}:{message}")
    return f"{WAITING_KEY}:{{{scope.tenant}:{name}}}", FieldLocation(WAITING_KEY, name)
