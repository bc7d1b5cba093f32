"""How tenants rank, in Postgres."""

from uuid import UUID

from saegim.db.cells import Cells, Connection, execute, fetch_one
from saegim.domain.clock import Clock
from saegim.domain.etags import Seen
from saegim.library import rows
from saegim.library.types import Ranking


class PostgresRankings:
    def __init__(self, cells: Cells, clock: Clock) -> None:
        self._cells = cells
        self._clock = clock

    async def ranking(self, tenant: UUID) -> Ranking:
        """What is set, the defaults for the rest."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await _ranking(connection, tenant)

    async def set_ranking(
        self, tenant: UUID, ranking: Ranking, seen: Seen | None = None
    ) -> Ranking:
        """Ranks like this from the next search on; defaults are not kept and follow releases.
        Raises Changed where another was seen.
        """
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
