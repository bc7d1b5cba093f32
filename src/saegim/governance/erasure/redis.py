"""What Redis holds of a person: working memory, stream buffers, what was set aside for turns."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from saegim.conversations.state_cache import Keys, stream_key
from saegim.db.redis_client import RedisClient
from saegim.quotas.counters import reservation_key

AT_ONCE = 100


class RedisErasure:
    def __init__(self, part: RedisClient) -> None:
        self._part = part

    async def remove(
        self, tenant: UUID, sessions: Sequence[UUID], turns: Sequence[UUID]
    ) -> dict[str, int]:
        """Removes what is kept of these conversations and turns, and counts it. Raises
        Degraded."""
        return {
            "working_memory": await self._delete(
                tenant, [key for session in sessions for key in Keys.of(tenant, session).all()]
            ),
            "stream_buffers": await self._delete(
                tenant, [stream_key(tenant, turn) for turn in turns]
            ),
            "reservations": await self._delete(
                tenant, [reservation_key(tenant, turn) for turn in turns]
            ),
        }

    async def _delete(self, tenant: UUID, keys: Sequence[str]) -> int:
        removed = 0
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]

            async def delete(client: Any, some: Sequence[str] = some) -> int:
                # One by one: in a cluster they live in different slots.
                return sum([await client.delete(key) for key in some])

            removed += await self._part.run(delete, tenant)
        return removed
