"""What an assistant's turns took, day by day (OP1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class DayOfUse:
    """One day: how many turns, how long they took, what they cost."""

    day: date
    turns: int
    escalated: int
    unanswered: int
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal
    p50_ms: float
    p95_ms: float


class UsageStore(Protocol):
    """Counts what was used."""

    async def by_day(
        self, tenant: UUID, assistant: UUID, since: datetime, time_zone: str
    ) -> Sequence[DayOfUse]:
        """The days of an assistant since then that had a turn, oldest first."""
        ...
