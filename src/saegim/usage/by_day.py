"""What an assistant's turns took, day by day (OP1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from saegim.usage.escalation import AnswerCalls


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


@dataclass(frozen=True, slots=True)
class ShareOfUse:
    """What one person's turns asked of one model in one role."""

    member: UUID
    role: str
    model: str
    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal


class UsageStore(Protocol):
    """Counts what was used."""

    async def by_day(
        self, tenant: UUID, assistant: UUID, since: datetime, time_zone: str
    ) -> Sequence[DayOfUse]:
        """The days of an assistant since then that had a turn, oldest first."""
        ...

    async def shares(
        self, tenant: UUID, assistant: UUID, since: datetime, most: int
    ) -> Sequence[ShareOfUse]:
        """Who asked which model of an assistant in which role since then, the dearest first."""
        ...

    async def answers(
        self, tenant: UUID, assistant: UUID, since: datetime
    ) -> Sequence[AnswerCalls]:
        """Which model wrote the assistant's drafts and answers since then."""
        ...
