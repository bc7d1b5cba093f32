"""What was streamed of a turn, kept for clients that reconnect."""

import json
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from saegim.db.redis_client import RedisClient
from saegim.domain.scope import Scope
from saegim.encryption.cipher import FieldLocation, SealBroken
from saegim.encryption.keyring import Keyring


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
