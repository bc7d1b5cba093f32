"""Rate limits and budgets of a tenant."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field, JsonValue

from saegim.api.caller import CallDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.views import View, example
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


class LimitShape(View, extra="forbid"):
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
async def read_limits(tag: TagDep, call: CallDep) -> list[LimitShape]:
    """Lists the limits in effect. The ETag covers the limits that the tenant set."""
    limits = await call.services.quotas.limits.show(call.caller)
    tag.name(limits.own)
    return [LimitShape.of(limit) for limit in limits.all if limit.subject != "provider"]


@router.put("/limits", status_code=204)
async def change_limits(
    body: LimitsBody, tag: TagDep, call: CallDep, seen: ExpectedVersionDep = None
) -> None:
    """Replaces the limits of the tenant."""
    limits = [Limit(**limit.model_dump()) for limit in body.limits]
    async with call.recording(AuditAction.LIMITS_CHANGED, call.tenant):
        tag.name(await call.services.quotas.limits.change(call.caller, limits, seen))
