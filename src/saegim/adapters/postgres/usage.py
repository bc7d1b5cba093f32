"""What was used, from Postgres: implements `UsageStore`."""

from datetime import datetime
from uuid import UUID

from saegim.adapters.postgres.cells import Cells, fetch_all
from saegim.usage.by_day import DayOfUse
from saegim.usage.interaction import UNANSWERED


class PostgresUsage:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def by_day(
        self, tenant: UUID, assistant: UUID, since: datetime, time_zone: str
    ) -> list[DayOfUse]:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(
                connection,
                "usage_by_day",
                tenant=tenant,
                assistant=assistant,
                since=since,
                time_zone=time_zone,
                outcomes=sorted(UNANSWERED),
            )
        return [DayOfUse(**row) for row in rows]
