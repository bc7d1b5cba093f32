"""Rate limits and budgets of a tenant."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field, JsonValue

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.views import example, view_of
from saegim.audit.types import AuditAction
from saegim.quotas.counters import Limit, Resource

router = APIRouter(prefix="/v1", tags=["access"])

LONGEST_WINDOW = 31 * 86_400
EXAMPLE: dict[str, JsonValue] = {
    "subject": "user",
    "resource": "requests",
    "window_seconds": 60,
    "most": 100000,
}


class LimitShape(BaseModel, extra="forbid"):
    """A limit: at most `most` of a resource in any `window_seconds`."""

    subject: Literal["key", "user", "tenant"]
    resource: Resource
    window_seconds: Annotated[int, Field(ge=1, le=LONGEST_WINDOW)]
    most: Annotated[int, Field(ge=1, le=10**15)]


class LimitsBody(BaseModel, extra="forbid"):
    """Limits of the tenant. Each replaces the default limits of its subject and resource."""

    model_config = example(limits=[EXAMPLE])

    limits: Annotated[list[LimitShape], Field(max_length=30)]


@router.get("/limits")
async def read_limits(tag: TagDep, services: ServicesDep, caller: CallerDep) -> list[LimitShape]:
    """Lists the limits in effect. The ETag covers the limits that the tenant set."""
    limits = await services.quotas.limits.show(caller)
    tag.name(limits.own)
    return [view_of(LimitShape, limit) for limit in limits.all if limit.subject != "provider"]


@router.put("/limits", status_code=204)
async def change_limits(
    body: LimitsBody,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> None:
    """Replaces the limits of the tenant."""
    limits = [Limit(**limit.model_dump()) for limit in body.limits]
    async with services.audit.trail.recording(
        caller, AuditAction.LIMITS_CHANGED, caller.scope.tenant
    ):
        tag.name(await services.quotas.limits.change(caller, limits, seen))
