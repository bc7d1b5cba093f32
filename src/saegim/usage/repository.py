"""Usage in Postgres."""

from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from saegim.db.cells import Cells, Row, execute
from saegim.usage.by_day import DayOfUse, ShareOfUse
from saegim.usage.escalation import AnswerCalls
from saegim.usage.trace import UNANSWERED


class PostgresUsage:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def by_day(
        self, tenant: UUID, assistant: UUID, since: datetime, time_zone: str
    ) -> list[DayOfUse]:
        """Return the days with turns of an assistant, oldest first."""
        zone = ZoneInfo(time_zone)
        midnight = since.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
        rows = await self._cells.read(
            tenant,
            "usage_by_day",
            assistant=assistant,
            since=since,
            midnight=midnight,
            outcomes=sorted(UNANSWERED),
        )
        return [_day(row, zone) for row in rows]

    async def shares(
        self, tenant: UUID, assistant: UUID, since: datetime, most: int
    ) -> list[ShareOfUse]:
        """Return usage by user, model and role, most expensive first."""
        rows = await self._cells.read(
            tenant, "usage_shares", assistant=assistant, since=since, most=most
        )
        return [ShareOfUse(**row) for row in rows]

    async def answers(self, tenant: UUID, assistant: UUID, since: datetime) -> list[AnswerCalls]:
        rows = await self._cells.read(tenant, "usage_answers", assistant=assistant, since=since)
        return [AnswerCalls(**row) for row in rows]

    async def remove_old(self, tenant: UUID, before: datetime, most: int) -> int:
        """Delete a batch of old usage events."""
        async with self._cells.transaction(tenant) as connection:
            return await execute(
                connection, "drop_old_usage", tenant=tenant, before=before, most=most
            )


def _day(row: Row, zone: ZoneInfo) -> DayOfUse:
    # By its noon: with daylight saving a day may start an hour off.
    noon = row.pop("began").astimezone(zone) + timedelta(hours=12)
    return DayOfUse(day=noon.date(), **row)
