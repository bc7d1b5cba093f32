"""How tenants rank, in Postgres: implements `RankingStore`."""

from uuid import UUID

from saegim.adapters.postgres import library_rows as rows
from saegim.adapters.postgres.cells import Cells, Connection, execute, fetch_one
from saegim.domain.clock import Clock
from saegim.domain.seen import Seen
from saegim.library.types import Ranking


class PostgresRankings:
    def __init__(self, cells: Cells, clock: Clock) -> None:
        self._cells = cells
        self._clock = clock

    async def ranking(self, tenant: UUID) -> Ranking:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await _ranking(connection, tenant)

    async def set_ranking(
        self, tenant: UUID, ranking: Ranking, seen: Seen | None = None
    ) -> Ranking:
        values = rows.ranking_columns(ranking) | {"now": self._clock.now()}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await execute(connection, "hold_tenant", tenant=tenant)
            if seen is not None:
                seen.require(await _ranking(connection, tenant))
            await execute(connection, "set_ranking", tenant=tenant, **values)
            return await _ranking(connection, tenant)


async def _ranking(connection: Connection, tenant: UUID) -> Ranking:
    row = await fetch_one(connection, "find_ranking", tenant=tenant)
    return Ranking() if row is None else rows.ranking(row)
