"""Usage in Postgres."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from saegim.db.cells import Cells, Row, execute
from saegim.usage.escalation import AnswerCalls
from saegim.usage.trace import UNANSWERED


@dataclass(frozen=True, slots=True)
class DayOfUse:
    """Turns, tokens, cost and latency of one day."""

    day: date
    turns: int
    escalated: int
    unanswered: int
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal | None
    p50_ms: float
    p95_ms: float


type UsageKey = Literal["day", "assistant", "member", "role", "model"]


@dataclass(frozen=True, slots=True)
class ShareOfUse:
    """Usage by some of day, assistant, user, role and model; the others are None.

    The cost is None if no price is known.
    """

    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal | None
    day: date | None = None
    assistant: UUID | None = None
    member: UUID | None = None
    role: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class SharesQuery:
    """Which usage to sum up, and by what."""

    assistants: Sequence[UUID]
    since: datetime
    until: datetime
    by: Sequence[UsageKey]
    time_zone: str
    most: int


class PostgresUsage:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def by_day(
        self, tenant: UUID, assistants: Sequence[UUID], since: datetime, time_zone: str
    ) -> list[DayOfUse]:
        """Return the days with turns of the assistants, oldest first."""
        zone = ZoneInfo(time_zone)
        midnight = since.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
        rows = await self._cells.read(
            tenant,
            "usage_by_day",
            assistants=list(assistants),
            since=since,
            midnight=midnight,
            outcomes=sorted(UNANSWERED),
        )
        return [_day(row, zone) for row in rows]

    async def assistants(self, tenant: UUID) -> list[UUID]:
        """Return all assistants of a tenant, also deleted ones."""
        rows = await self._cells.read(tenant, "assistants_with_usage")
        return [row["assistant_id"] for row in rows]

    async def shares(self, tenant: UUID, query: SharesQuery) -> list[ShareOfUse]:
        """Return usage by the keys of a query, most expensive first."""
        values = asdict(query) | {"assistants": list(query.assistants), "by": list(query.by)}
        rows = await self._cells.read(tenant, "usage_shares", **values)
        return [ShareOfUse(**row) for row in rows]

    async def count_unanswered(self, tenant: UUID, assistant: UUID, since: datetime) -> int:
        """Count unanswered and badly rated turns, as `by_day` does."""
        values = {"assistant": assistant, "since": since, "outcomes": sorted(UNANSWERED)}
        row = await self._cells.read_one(tenant, "count_unanswered", **values)
        return 0 if row is None else row["turns"]

    async def mark_answered(self, tenant: UUID, assistant: UUID, turns: Sequence[UUID]) -> None:
        """Take questions off the list of unanswered ones."""
        values = {"assistant": assistant, "turns": list(turns)}
        await self._cells.run_query(tenant, "mark_answered", **values)

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
