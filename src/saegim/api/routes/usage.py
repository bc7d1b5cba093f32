"""Usage and cost of one assistant, or of all."""

from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.views import View
from saegim.usage.escalation import escalation
from saegim.usage.repository import SharesQuery, UsageKey

router = APIRouter(prefix="/v1", tags=["usage"])

MOST_SHARES = 1_000
Days = Annotated[int, Query(ge=1, le=400)]
Chosen = UUID | Literal["all"] | None
OWN = "The caller's own without it."


class DayView(View):
    """Turns, tokens, cost and latency of one day."""

    day: date
    turns: int
    escalated: int
    unanswered: int
    input_tokens: int
    output_tokens: int
    cost_usd: Annotated[float | None, Field(description="Null if no price is known.")]
    p50_ms: float
    p95_ms: float


class UsageView(BaseModel):
    """Days with at least one turn, oldest first."""

    days: list[DayView]


class ShareView(View):
    """Usage of one group. Fields that `by` does not name are null."""

    day: date | None
    assistant: UUID | None
    member: UUID | None
    role: str | None
    model: str | None
    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: Annotated[float | None, Field(description="Null if no price is known.")]


class SharesView(BaseModel):
    """Usage by the groups of `by`, most expensive first."""

    shares: list[ShareView]


class SharesParameters(BaseModel, extra="forbid"):
    """The days, the assistants and the groups of usage."""

    days: Annotated[int, Field(ge=1, le=400)] = 30
    since: Annotated[date | None, Field(alias="from", description="First day, instead.")] = None
    until: Annotated[date | None, Field(description="Last day.")] = None
    by: Annotated[list[UsageKey], Field(max_length=5)] = ["member", "role", "model"]
    assistant: Annotated[Chosen, Field(description=OWN)] = None

    def period(self, now: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
        first = now - timedelta(days=self.days)
        if self.since is not None:
            first = datetime.combine(self.since, time(), zone)
        last = now if self.until is None else datetime.combine(self.until, time.max, zone)
        return first, last


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
async def read_usage(
    call: CallDep, days: Days = 30, assistant: Annotated[Chosen, Query(description=OWN)] = None
) -> UsageView:
    """Returns usage by day, in the caller's time zone."""
    since = call.services.clock.now() - timedelta(days=days)
    usage = await call.services.usage.by_day(
        call.tenant, await _assistants(call, assistant), since, call.caller.time_zone
    )
    return UsageView(days=DayView.each(usage))


@router.get("/usage/shares")
async def read_shares(call: CallDep, query: Annotated[SharesParameters, Query()]) -> SharesView:
    """Returns the usage of turns by any of day, assistant, member, role and model. Background jobs
    are not included."""
    assistants = await _assistants(call, query.assistant)
    zone = call.caller.time_zone
    since, until = query.period(call.services.clock.now(), ZoneInfo(zone))
    chosen = SharesQuery(assistants, since, until, query.by, zone, MOST_SHARES)
    shares = await call.services.usage.shares(call.tenant, chosen)
    return SharesView(shares=ShareView.each(shares))


@router.get("/usage/escalation")
async def read_escalation(call: CallDep, days: Days = 30) -> EscalationView:
    """Returns the share of turns that the strong model answered, and the saving."""
    since = call.services.clock.now() - timedelta(days=days)
    calls = await call.services.usage.answers(call.tenant, call.caller.assistant, since)
    return EscalationView.of(escalation(calls))


async def _assistants(call: CallDep, chosen: Chosen) -> list[UUID]:
    if chosen == "all":
        return await call.services.usage.assistants(call.tenant)
    return [chosen or call.caller.assistant]
