"""An assistant's usage by day, and by user and model."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
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
    cost_usd: Decimal
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class ShareOfUse:
    """One user's usage of one model in one role."""

    member: UUID
    role: str
    model: str
    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal
