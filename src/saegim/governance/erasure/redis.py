"""Delete a user's working memory, stream buffers and reservations from Redis."""

from collections.abc import Sequence
from itertools import batched
from typing import Any
from uuid import UUID

from saegim.conversations.state_cache import Keys, stream_key
from saegim.db.redis_client import RedisClient
from saegim.quotas.counters import reservation_key

BATCH = 100


class RedisErasure:
    def __init__(self, redis: RedisClient) -> None:
        self._redis = redis

    async def remove(
        self, tenant: UUID, sessions: Sequence[UUID], turns: Sequence[UUID]
    ) -> dict[str, int]:
        """Delete the keys of these sessions and turns, and count them. Raises Degraded."""
        keys = {
            "working_memory": [
                key for session in sessions for key in Keys.of(tenant, session).all()
            ],
            "stream_buffers": [stream_key(tenant, turn) for turn in turns],
            "reservations": [reservation_key(tenant, turn) for turn in turns],
        }
        return {kind: await self._delete(tenant, names) for kind, names in keys.items()}

    async def _delete(self, tenant: UUID, keys: Sequence[str]) -> int:
        removed = 0
        for batch in batched(keys, BATCH):

            async def delete(client: Any, batch: Sequence[str] = batch) -> int:
                # One by one: in a cluster the keys are in different slots.
                return sum([await client.delete(key) for key in batch])

            removed += await self._redis.run(delete, tenant)
        return removed
