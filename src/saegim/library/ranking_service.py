"""Reads and changes a tenant's ranking settings."""

from uuid import UUID

from saegim.db.cells import Cells, Connection, execute, fetch_one
from saegim.domain.errors import Invalid, PermissionDenied
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock
from saegim.domain.scope import Caller, Role
from saegim.library import rows
from saegim.library.types import RankingSettings

ADMINS = frozenset({Role.OWNER, Role.ADMIN})
MOST_PASSAGES = 50


class Rankings:
    def __init__(self, cells: Cells, clock: Clock) -> None:
        self._cells = cells
        self._clock = clock

    async def read(self, caller: Caller) -> RankingSettings:
        """Return the settings of the caller's tenant, for admins."""
        return await self.of_tenant(_admin(caller))

    async def change(
        self, caller: Caller, ranking: RankingSettings, seen: ExpectedVersion | None = None
    ) -> RankingSettings:
        """Set the ranking. Raises Invalid, and VersionConflict if it changed since `seen`."""
        tenant = _admin(caller)
        if not 1 <= ranking.counts.total <= MOST_PASSAGES:
            raise Invalid(f"a search gives 1 to {MOST_PASSAGES} passages")
        return await self.store(tenant, ranking, seen)

    async def of_tenant(self, tenant: UUID) -> RankingSettings:
        """Return the tenant's settings over the defaults."""
        async with self._cells.transaction(tenant) as connection:
            return await _ranking(connection, tenant)

    async def store(
        self, tenant: UUID, ranking: RankingSettings, seen: ExpectedVersion | None = None
    ) -> RankingSettings:
        """Set the ranking; default values are not stored, so they follow later releases."""
        values = rows.ranking_columns(ranking) | {"now": self._clock.now()}
        async with self._cells.transaction(tenant) as connection:
            await execute(connection, "lock_tenant", tenant=tenant)
            if seen is not None:
                seen.require(await _ranking(connection, tenant))
            await execute(connection, "set_ranking", tenant=tenant, **values)
            return await _ranking(connection, tenant)


async def _ranking(connection: Connection, tenant: UUID) -> RankingSettings:
    row = await fetch_one(connection, "find_ranking", tenant=tenant)
    return RankingSettings() if row is None else rows.ranking(row)


def _admin(caller: Caller) -> UUID:
    if caller.role not in ADMINS:
        raise PermissionDenied("only admins can change the ranking")
    return caller.scope.tenant
