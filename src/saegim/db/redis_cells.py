"""Redis per cell."""

from collections.abc import Awaitable, Callable, Mapping
from uuid import UUID

from saegim.db.redis_client import PART, WHOLE_SECONDS, Client, RedisClient
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable


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
