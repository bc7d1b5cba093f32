"""What was used, and what it cost."""

from dataclasses import asdict
from datetime import date, timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.entrypoints.api.caller import CallerDep, ServicesDep

router = APIRouter(prefix="/v1", tags=["usage"])


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
