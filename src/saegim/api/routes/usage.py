"""What was used, and what it cost."""

from dataclasses import asdict
from datetime import date, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.api.caller import CallerDep, ServicesDep
from saegim.usage.escalation import escalation

router = APIRouter(prefix="/v1", tags=["usage"])

MOST_SHARES = 1_000


class DayView(BaseModel):
    """One day of an assistant's turns."""

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
    """The days that had a turn, oldest first."""

    days: list[DayView]


class ShareView(BaseModel):
    """What one person's turns asked of one model in one role."""

    member: UUID
    role: str
    model: str
    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float


class SharesView(BaseModel):
    """The shares of the assistant's use, the dearest first."""

    shares: list[ShareView]


class EscalationView(BaseModel):
    """How many turns the strong model answered, and what was saved against asking it every time.

    `saving` is null where no turn was escalated or the strong model has no list price."""

    turns: int
    escalated: int
    share: float | None
    strong_model: str | None
    cost_usd: float
    strong_only_usd: float | None
    saving: float | None


@router.get("/usage")
async def read_usage(
    services: ServicesDep,
    caller: CallerDep,
    days: Annotated[int, Query(ge=1, le=400)] = 30,
) -> UsageView:
    """What the assistant's turns took, by the days of the caller's time zone."""
    since = services.clock.now() - timedelta(days=days)
    found = await services.usage.by_day(
        caller.scope.tenant, caller.assistant, since, caller.time_zone
    )
    return UsageView(days=[DayView(**asdict(one)) for one in found])


@router.get("/usage/shares")
async def read_shares(
    services: ServicesDep,
    caller: CallerDep,
    days: Annotated[int, Query(ge=1, le=400)] = 30,
) -> SharesView:
    """Who used which model of the assistant in which role, with tokens and cost: of turns, not of
    work in the background."""
    since = services.clock.now() - timedelta(days=days)
    tenant, assistant = caller.scope.tenant, caller.assistant
    found = await services.usage.shares(tenant, assistant, since, MOST_SHARES)
    return SharesView(shares=[ShareView(**asdict(one)) for one in found])


@router.get("/usage/escalation")
async def read_escalation(
    services: ServicesDep,
    caller: CallerDep,
    days: Annotated[int, Query(ge=1, le=400)] = 30,
) -> EscalationView:
    """The share of turns that went to the strong model, and the saving against strong-only."""
    since = services.clock.now() - timedelta(days=days)
    calls = await services.usage.answers(caller.scope.tenant, caller.assistant, since)
    return EscalationView(**asdict(escalation(calls)))
