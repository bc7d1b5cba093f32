"""Name and version of the Redis server, for `saegim doctor`."""

from typing import Any

from saegim.db.redis_client import RedisClient


async def server_of(redis: RedisClient) -> tuple[str, str]:
    """Returns name and version, such as `("Valkey", "9.1.0")`. Raises OptionalServiceDown."""

    async def info(client: Any) -> dict[str, Any]:
        return await client.info("server")

    server = await redis.run(info)
    if "redis_version" not in server:  # a cluster returns one entry per node
        server = next(iter(server.values()))
    if "valkey_version" in server:
        return "Valkey", str(server["valkey_version"])
    return "Redis", str(server["redis_version"])
