"""What Redis keeps of a session: its working state and the text of streams."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from saegim.conversations.types import Exchange, WorkingState, entities_as_json, entities_from_json
from saegim.db.redis_client import RedisClient
from saegim.domain.scope import Scope
from saegim.encryption.cipher import FieldLocation, SealBroken
from saegim.encryption.keyring import Keyring

TTL_SECONDS = 24 * 60 * 60
PLACE = "working_memory"

# Each of the three keys is a hash of two numbers, how many turns and folds it was made at, and its
# sealed part. The numbers of all three agree, or they are not one state: a process of an older
# release may have written one of them alone. All are read and renewed at once.
LOAD = """
local parts = {}
for index, key in ipairs(KEYS) do
    local part = redis.call('HMGET', key, 'completed_turns', 'summary_version', 'state')
    redis.call('EXPIRE', key, ARGV[1])
    for _, field in ipairs(part) do parts[#parts + 1] = field end
end
return parts
"""

# All are written at once, and never back to a state with fewer turns or folds.
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
    """The keys of a session. The braces are a hash tag: all live in one slot of a cluster."""

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
        self, part: RedisClient, keyring: Keyring, ttl_seconds: float = TTL_SECONDS
    ) -> None:
        self._part = part
        self._keyring = keyring
        self._ttl = max(1, round(ttl_seconds))

    async def load(self, scope: Scope, session: UUID) -> WorkingState | None:
        """The state as last saved, if it is still there; using it renews its time."""
        keys = Keys.of(scope.tenant, session).all()

        async def read(client: Any) -> list[bytes | None]:
            return await client.eval(LOAD, len(keys), *keys, self._ttl)

        stored = await self._part.run(read, scope.tenant)
        marks = {(stored[at], stored[at + 1]) for at in (0, 3, 6)}
        sealed = [stored[at] for at in (2, 5, 8)]
        if len(marks) != 1 or None in marks.pop() or None in sealed:
            return None
        cipher = await self._keyring.user(scope.tenant, scope.user)
        try:
            short, memory, entities = (
                json.loads(
                    cipher.open(cast("bytes", part), FieldLocation(f"{PLACE}.{name}", session))
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
            recent=tuple(_exchange(turn) for turn in short),
        )

    async def save(self, scope: Scope, session: UUID, state: WorkingState) -> None:
        """Keeps the state as a whole, unless one with more turns or folds is there already."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        parts = {
            "short": [asdict(turn) | {"at": turn.at.isoformat()} for turn in state.recent],
            "memory": {"summary": state.summary, "summarised_through": state.summarised_through},
            "entities": entities_as_json(state.entities),
        }
        sealed = [
            cipher.seal(
                json.dumps(part, ensure_ascii=False), FieldLocation(f"{PLACE}.{name}", session)
            )
            for name, part in parts.items()
        ]
        keys = Keys.of(scope.tenant, session).all()
        values = [state.completed_turns, state.summary_version, self._ttl, *sealed]

        async def write(client: Any) -> object:
            return await client.eval(SAVE, len(keys), *keys, *values)

        await self._part.run(write, scope.tenant)

    async def drop(self, scope: Scope, session: UUID) -> None:
        """Lets go of a session that is deleted."""
        keys = Keys.of(scope.tenant, session).all()

        async def delete(client: Any) -> object:
            return await client.delete(*keys)

        await self._part.run(delete, scope.tenant)


def _exchange(stored: dict[str, Any]) -> Exchange:
    return Exchange(
        number=stored["number"],
        message=stored["message"],
        reply=stored["reply"],
        at=datetime.fromisoformat(cast("str", stored["at"])),
        doc_ids=tuple(stored.get("doc_ids", ())),
    )


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a streamed answer: it stands at `offset` of the attempt's text."""

    attempt: int
    offset: int
    text: str


STREAM_TTL_SECONDS = 10 * 60
STREAM_KEY = "stream"


class RedisStreamBuffer:
    def __init__(self, part: RedisClient, keyring: Keyring) -> None:
        self._part = part
        self._keyring = keyring

    async def append(self, scope: Scope, turn: UUID, chunk: Chunk) -> None:
        """Adds a piece."""
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

        await self._part.run(write, scope.tenant)

    async def read(self, scope: Scope, turn: UUID, skip: int) -> list[Chunk]:
        """All pieces after the first `skip`, oldest first."""
        key = stream_key(scope.tenant, turn)

        async def fetch(client: Any) -> list[bytes]:
            return await client.lrange(key, skip, -1)

        cipher = await self._keyring.user(scope.tenant, scope.user)
        place = FieldLocation(STREAM_KEY, turn)
        sealed = await self._part.run(fetch, scope.tenant)
        try:
            return [Chunk(**json.loads(cipher.open(piece, place))) for piece in sealed]
        except SealBroken:
            # Sealed by a key that was retired since: the turn's record has it all.
            return []


def stream_key(tenant: UUID, turn: UUID) -> str:
    return f"stream:{{{tenant}:{turn}}}"
