"""Delete a user's working memory, stream buffers and reservations from Redis."""

from collections.abc import Sequence
from itertools import batched
from typing import Any
from uuid import UUID

from saegim.conversations.state_cache import Keys, stream_key
from saegim.db.redis_client import RedisClient
from saegim.quotas.counters import reservation_key

BATCH = 100


async def delete_cached(
    redis: RedisClient, tenant: UUID, sessions: Sequence[UUID], turns: Sequence[UUID]
) -> dict[str, int]:
    """Delete the keys of these sessions and turns, and count them. Raises OptionalServiceDown."""
    keys = {
        "working_memory": [key for session in sessions for key in Keys.of(tenant, session).all()],
        "stream_buffers": [stream_key(tenant, turn) for turn in turns],
        "reservations": [reservation_key(tenant, turn) for turn in turns],
    }
    counts = dict.fromkeys(keys, 0)
    for kind, names in keys.items():
        for batch in batched(names, BATCH):

            async def delete(client: Any, batch: Sequence[str] = batch) -> int:
                # One by one: in a cluster the keys are in different slots.
                return sum([await client.delete(key) for key in batch])

            counts[kind] += await redis.run(delete, tenant)
    return counts
