"""How tenants rank, in Postgres: implements `RankingStore`."""

from uuid import UUID

from saegim.adapters.postgres import library_rows as rows
from saegim.adapters.postgres.cells import Cells, execute, fetch_one
from saegim.domain.clock import Clock
from saegim.library.types import Ranking


class PostgresRankings:
    def __init__(self, cells: Cells, clock: Clock) -> None:
        self._cells = cells
        self._clock = clock

    async def ranking(self, tenant: UUID) -> Ranking:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_ranking", tenant=tenant)
        return Ranking() if row is None else rows.ranking(row)

    async def set_ranking(self, tenant: UUID, ranking: Ranking) -> None:
        values = rows.ranking_columns(ranking) | {"now": self._clock.now()}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await execute(connection, "set_ranking", tenant=tenant, **values)
