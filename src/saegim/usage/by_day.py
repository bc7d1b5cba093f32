"""What an assistant's turns took, day by day (OP1)."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
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
