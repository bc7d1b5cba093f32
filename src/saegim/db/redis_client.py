"""The one place that turns an outage of Redis into `Degraded`."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from saegim.domain.errors import OptionalServiceDown

_STEPS = 6


@asynccontextmanager
async def loop_aware_timeout(seconds: float) -> AsyncGenerator[None]:
    """Raises TimeoutError after so many seconds in which this process listened for the answer.

    A process that was busy with something else for that long finds the answer there when it looks
    again: it was late itself. So the time goes by in steps, and one that was held up loses one."""
    loop = asyncio.get_running_loop()
    step = seconds / _STEPS
    async with asyncio.timeout(None) as limit:

        def go_by(left: int) -> asyncio.TimerHandle:
            return loop.call_later(step, end_step, left - 1)

        def end_step(left: int) -> None:
            nonlocal waiting
            if left:
                waiting = go_by(left)
            else:
                limit.reschedule(loop.time())

        waiting = go_by(_STEPS)
        try:
            yield
        finally:
            waiting.cancel()


PART = "redis"
# A command may wait for a connection, in a cluster be sent on, and its nodes be looked up anew,
# within this time.
WHOLE_SECONDS = 0.6
# One connection's part in it.
NODE_SECONDS = 0.3
CLUSTER_RETRIES = 2
# After a failure Redis is left alone for a moment: a turn waits for it once, not five times.
COOLDOWN_SECONDS = 1.0

Client = Redis | RedisCluster


def connect(url: str, cluster: bool = False) -> Client:
    """A client with bounded waits; it connects on first use."""
    if cluster:
        return RedisCluster.from_url(  # pyright: ignore[reportUnknownMemberType] - untyped upstream
            url,
            socket_timeout=NODE_SECONDS,
            socket_connect_timeout=NODE_SECONDS,
            retry=Retry(NoBackoff(), CLUSTER_RETRIES),
        )
    # A burst waits its turn for a connection: a full pool is no outage. How long everything may
    # take is up to `RedisClient`: the client's own clocks run on while we are held up.
    pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - untyped upstream
        url,
        timeout=None,
        max_connections=50,
        socket_timeout=None,
        socket_connect_timeout=None,
    )
    return Redis.from_pool(pool)


async def _hang_up(client: Client) -> None:
    """Idle connections are given up: one that a restart cut looks well until it is used."""
    with contextlib.suppress(RedisError, OSError):
        # A server that is cut off does not hear of it.
        async with asyncio.timeout(NODE_SECONDS):
            if isinstance(client, RedisCluster):
                for node in client.get_nodes():
                    await node.disconnect_free_connections()
            else:
                await client.connection_pool.disconnect(inuse_connections=False)


class RedisClient:
    """Runs commands with bounded waits; whatever goes wrong is `Degraded`."""

    def __init__(self, client: Client, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._monotonic = monotonic
        self._rest_until = 0.0

    async def run[T](
        self,
        command: Callable[[Client], Awaitable[T]],
        tenant: UUID | None = None,  # noqa: ARG002 - one Redis is everybody's
    ) -> T:
        """The command's result, or `Degraded`; `tenant` is whose data it is about."""
        if self._monotonic() < self._rest_until:
            raise OptionalServiceDown(PART)
        try:
            async with loop_aware_timeout(WHOLE_SECONDS):
                return await command(self._client)
        except (RedisError, RedisClusterException, OSError, TimeoutError) as outage:
            self._rest_until = self._monotonic() + COOLDOWN_SECONDS
            await _hang_up(self._client)
            raise OptionalServiceDown(PART) from outage

    def of_cell(self, cell: str) -> "RedisClient":  # noqa: ARG002 - one Redis is every cell's
        """The Redis of a cell."""
        return self

    async def ping(self) -> None:
        """Raises `Degraded` if Redis does not answer."""

        async def ping(client: Any) -> object:
            return await client.ping()

        await self.run(ping)

    async def close(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WHOLE_SECONDS):
                await self._client.aclose()
