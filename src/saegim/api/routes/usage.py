"""Usage and cost of the assistant."""

from datetime import date, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.api.caller import CallDep
from saegim.api.views import View
from saegim.usage.escalation import escalation

router = APIRouter(prefix="/v1", tags=["usage"])

MOST_SHARES = 1_000
Days = Annotated[int, Query(ge=1, le=400)]


class DayView(View):
    """Turns, tokens, cost and latency of one day."""

    day: date
    turns: int
    escalated: int
    unanswered: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    p50_ms: float
    p95_ms: float


class UsageView(BaseModel):
    """Days with at least one turn, oldest first."""

    days: list[DayView]


class ShareView(View):
    """Usage of one model in one role by one member."""

    member: UUID
    role: str
    model: str
    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float


class SharesView(BaseModel):
    """Usage by member, role and model, most expensive first."""

    shares: list[ShareView]


class EscalationView(View):
    """Share of turns that the strong model answered, and the saving compared with always using it.

    `saving` is null if no turn was escalated or the strong model has no list price."""

    turns: int
    escalated: int
    share: float | None
    strong_model: str | None
    cost_usd: float
    strong_only_usd: float | None
    saving: float | None


@router.get("/usage")
async def read_usage(call: CallDep, days: Days = 30) -> UsageView:
    """Returns usage by day, in the caller's time zone."""
    since = call.services.clock.now() - timedelta(days=days)
    usage = await call.services.usage.by_day(
        call.tenant, call.caller.assistant, since, call.caller.time_zone
    )
    return UsageView(days=DayView.each(usage))


@router.get("/usage/shares")
async def read_shares(call: CallDep, days: Days = 30) -> SharesView:
    """Returns the usage of turns by member, role and model. Background jobs are not included."""
    since = call.services.clock.now() - timedelta(days=days)
    tenant, assistant = call.tenant, call.caller.assistant
    shares = await call.services.usage.shares(tenant, assistant, since, MOST_SHARES)
    return SharesView(shares=ShareView.each(shares))


@router.get("/usage/escalation")
async def read_escalation(call: CallDep, days: Days = 30) -> EscalationView:
    """Returns the share of turns that the strong model answered, and the saving."""
    since = call.services.clock.now() - timedelta(days=days)
    calls = await call.services.usage.answers(call.tenant, call.caller.assistant, since)
    return EscalationView.of(escalation(calls))
