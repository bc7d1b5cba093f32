"""A tenant's jobs in the line of its cell: implements `BackgroundStore`."""

from uuid import UUID

from saegim.adapters.postgres.cells import Cells, fetch_all, fetch_one
from saegim.usage.background import Backlog, FailedJob


class PostgresBackground:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def backlog(self, tenant: UUID, most: int) -> Backlog:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            counted = await fetch_one(connection, "count_backlog", tenant=tenant)
            failed = await fetch_all(connection, "list_failed", tenant=tenant, most=most)
        return Backlog(**(counted or {}), failed=tuple(FailedJob(**row) for row in failed))

    async def replay(self, tenant: UUID, job: int) -> bool:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return bool(await fetch_all(connection, "replay_own_job", tenant=tenant, job=job))
