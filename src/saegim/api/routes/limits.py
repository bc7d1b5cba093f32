"""What a tenant may use in a window."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.audit.types import AuditAction
from saegim.quotas.counters import Limit, Resource

router = APIRouter(prefix="/v1", tags=["access"])

LONGEST_WINDOW = 31 * 86_400


class LimitShape(BaseModel, extra="forbid"):
    """At most so much of a resource in any window of so many seconds."""

    subject: Literal["key", "user", "tenant"]
    resource: Resource
    window_seconds: Annotated[int, Field(ge=1, le=LONGEST_WINDOW)]
    most: Annotated[int, Field(ge=1, le=10**15)]


class LimitsBody(BaseModel, extra="forbid"):
    """The tenant's own limits; each replaces the usual ones of its subject and resource."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "limits": [
                        {
                            "subject": "user",
                            "resource": "requests",
                            "window_seconds": 60,
                            "most": 100000,
                        }
                    ]
                }
            ]
        }
    )

    limits: Annotated[list[LimitShape], Field(max_length=30)]


@router.get("/limits")
async def read_limits(tag: TagDep, services: ServicesDep, caller: CallerDep) -> list[LimitShape]:
    """The limits that count for the tenant; the ETag is of its own."""
    found = await services.quotas.limits.show(caller)
    tag.name(found.own)
    return [
        LimitShape(
            subject=limit.subject,
            resource=limit.resource,
            window_seconds=limit.window_seconds,
            most=limit.most,
        )
        for limit in found.all
        if limit.subject != "provider"
    ]


@router.put("/limits", status_code=204)
async def change_limits(
    body: LimitsBody,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> None:
    """Gives the tenant limits of its own."""
    wanted = [
        Limit(each.subject, each.resource, each.window_seconds, each.most) for each in body.limits
    ]
    async with services.audit.trail.recording(
        caller, AuditAction.LIMITS_CHANGED, caller.scope.tenant
    ):
        tag.name(await services.quotas.limits.change(caller, wanted, seen))
