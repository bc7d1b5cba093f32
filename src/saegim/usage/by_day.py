"""An assistant's usage by day, and by user and model."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID


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
