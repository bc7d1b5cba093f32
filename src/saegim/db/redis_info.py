"""Which server answers: for `saegim doctor`."""

from typing import Any

from saegim.db.redis_client import RedisClient


async def server_of(part: RedisClient) -> tuple[str, str]:
    """Name and version, such as `("Valkey", "9.1.0")`. Raises Degraded."""

    async def ask(client: Any) -> dict[str, Any]:
        return await client.info("server")

    found = await part.run(ask)
    if "redis_version" not in found:  # a cluster answers for each of its nodes
        found = next(iter(found.values()))
    if "valkey_version" in found:
        return "Valkey", str(found["valkey_version"])
    return "Redis", str(found["redis_version"])
