"""Redis client with timeouts; an outage raises OptionalServiceDown."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from saegim.domain.errors import OptionalServiceDown, StoreUnavailable

_STEPS = 6


@asynccontextmanager
async def loop_aware_timeout(seconds: float) -> AsyncGenerator[None]:
    """Raises TimeoutError after so many seconds, not counting time in which the event loop was
    blocked.

    After a blocked loop the response may already be there. So the timeout consists of steps, and a
    blocked loop uses up only one."""
    loop = asyncio.get_running_loop()
    step = seconds / _STEPS
    async with asyncio.timeout(None) as limit:

        def start_step(left: int) -> asyncio.TimerHandle:
            return loop.call_later(step, end_step, left - 1)

        def end_step(left: int) -> None:
            nonlocal waiting
            if left:
                waiting = start_step(left)
            else:
                limit.reschedule(loop.time())

        waiting = start_step(_STEPS)
        try:
            yield
        finally:
            waiting.cancel()


PART = "redis"
# Timeout of a command, including the wait for a connection and cluster redirects.
WHOLE_SECONDS = 0.6
# Timeout of closing connections.
CLOSE_SECONDS = 0.3
CLUSTER_RETRIES = 2
# No commands after a failure: a turn waits for Redis once, not five times.
COOLDOWN_SECONDS = 1.0

Client = Redis | RedisCluster


def connect(url: str, cluster: bool = False, seconds: float = WHOLE_SECONDS) -> Client:
    """Returns a client with timeouts; it connects on first use."""
    if cluster:
        # Of one node: a command has time for a redirect.
        each = seconds / 2
        return RedisCluster.from_url(  # pyright: ignore[reportUnknownMemberType] - untyped upstream
            url,
            socket_timeout=each,
            socket_connect_timeout=each,
            retry=Retry(NoBackoff(), CLUSTER_RETRIES),
        )
    # Bursts wait for a connection: a full pool is no outage. `RedisClient` sets the timeout, since
    # those of the library include time in which the loop was blocked.
    pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - untyped upstream
        url,
        timeout=None,
        max_connections=50,
        socket_timeout=None,
        socket_connect_timeout=None,
    )
    return Redis.from_pool(pool)


async def _disconnect_idle(client: Client) -> None:
    """Closes idle connections: those that a restart broke fail only when they are used."""
    with contextlib.suppress(RedisError, OSError):
        # Closing can block if the server is unreachable.
        async with asyncio.timeout(CLOSE_SECONDS):
            if isinstance(client, RedisCluster):
                for node in client.get_nodes():
                    await node.disconnect_free_connections()
            else:
                await client.connection_pool.disconnect(inuse_connections=False)


class RedisClient:
    """Runs commands with a timeout; any failure raises OptionalServiceDown."""

    def __init__(
        self,
        client: Client,
        seconds: float = WHOLE_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._seconds = seconds
        self._monotonic = monotonic
        self._cooldown_until = 0.0

    async def run[T](
        self,
        command: Callable[[Client], Awaitable[T]],
        tenant: UUID | None = None,  # noqa: ARG002 - one Redis for all
    ) -> T:
        """Runs a command on the data of a tenant. Raises OptionalServiceDown."""
        if self._monotonic() < self._cooldown_until:
            raise OptionalServiceDown(PART)
        try:
            async with loop_aware_timeout(self._seconds):
                return await command(self._client)
        except (RedisError, RedisClusterException, OSError, TimeoutError) as outage:
            self._cooldown_until = self._monotonic() + COOLDOWN_SECONDS
            await _disconnect_idle(self._client)
            raise OptionalServiceDown(PART) from outage

    def of_cell(self, cell: str) -> "RedisClient":  # noqa: ARG002 - one Redis for all
        """Returns the client of a cell."""
        return self

    async def ping(self) -> None:
        """Raises OptionalServiceDown if Redis does not respond."""

        async def ping(client: Any) -> object:
            return await client.ping()

        await self.run(ping)

    async def server(self) -> tuple[str, str]:
        """Returns name and version, such as `("Valkey", "9.1.0")`. Raises OptionalServiceDown."""

        async def info(client: Any) -> dict[str, Any]:
            return await client.info("server")

        server = await self.run(info)
        if "redis_version" not in server:  # a cluster returns one entry per node
            server = next(iter(server.values()))
        if "valkey_version" in server:
            return "Valkey", str(server["valkey_version"])
        return "Redis", str(server["redis_version"])

    async def close(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                await self._client.aclose()


class RedisOfCells(RedisClient):
    """Sends commands of a tenant to the Redis of its cell, and others to that of the home cell.

    A cell without a Redis shares that of the home cell."""

    def __init__(
        self,
        home: Client,
        others: Mapping[str, Client],
        cell_of: Callable[[UUID], Awaitable[str]],
        seconds: float = WHOLE_SECONDS,
    ) -> None:
        super().__init__(home, seconds)
        self._others = {name: RedisClient(client, seconds) for name, client in others.items()}
        self._cell_of = cell_of

    async def run[T](
        self, command: Callable[[Client], Awaitable[T]], tenant: UUID | None = None
    ) -> T:
        if tenant is None or not self._others:
            return await super().run(command)
        try:
            client = self._others.get(await self._cell_of(tenant))
        except StoreUnavailable as outage:
            raise OptionalServiceDown(PART) from outage
        return await (super().run(command) if client is None else client.run(command))

    def of_cell(self, cell: str) -> RedisClient:
        return self._others.get(cell, self)

    async def close(self) -> None:
        await super().close()
        for client in self._others.values():
            await client.close()
