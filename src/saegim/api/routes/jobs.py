"""Background work: what waits, what failed, and another try."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from saegim.api.caller import CallerDep, ServicesDep
from saegim.domain.errors import NotFound

router = APIRouter(prefix="/v1", tags=["usage"])

MOST_FAILED = 100


class FailedJobView(BaseModel):
    """Work that was given up, and the class of its last error."""

    job_id: int
    kind: str
    failures: int
    error: str
    failed_at: datetime


class BacklogView(BaseModel):
    """The tenant's background work; `lag_seconds` is how long its first job has been waiting."""

    waiting: int
    running: int
    lag_seconds: float
    failed: list[FailedJobView]


@router.get("/jobs")
async def read_backlog(services: ServicesDep, caller: CallerDep) -> BacklogView:
    """What of the tenant's work waits, runs and failed."""
    found = await services.jobs.backlog.backlog(caller.scope.tenant, MOST_FAILED)
    failed = [asdict(one) for one in found.failed]
    return BacklogView(
        waiting=found.waiting,
        running=found.running,
        lag_seconds=found.lag_seconds,
        failed=[FailedJobView(job_id=one.pop("id"), **one) for one in failed],
    )


@router.post("/jobs/{job_id}/replay", status_code=204)
async def replay_job(
    job_id: Annotated[int, Path(ge=1, le=2**63 - 1)], services: ServicesDep, caller: CallerDep
) -> None:
    """Puts a job that failed for good back in line."""
    if not await services.jobs.backlog.replay(caller.scope.tenant, job_id):
        raise NotFound("job")
