"""Background jobs of the tenant."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.views import view_of
from saegim.domain.errors import NotFound

router = APIRouter(prefix="/v1", tags=["usage"])

MOST_FAILED = 100


class FailedJobView(BaseModel):
    """A job whose retries are exhausted, with the class of its last error."""

    job_id: int
    kind: str
    failures: int
    error: str
    failed_at: datetime


class BacklogView(BaseModel):
    """The tenant's background jobs. `lag_seconds` is the age of the oldest waiting job."""

    waiting: int
    running: int
    lag_seconds: float
    failed: list[FailedJobView]


@router.get("/jobs")
async def read_backlog(services: ServicesDep, caller: CallerDep) -> BacklogView:
    """Returns the number of waiting and running jobs, and the failed jobs."""
    backlog = await services.jobs.backlog.backlog(caller.scope.tenant, MOST_FAILED)
    failed = [view_of(FailedJobView, job, job_id=job.id) for job in backlog.failed]
    return view_of(BacklogView, backlog, failed=failed)


@router.post("/jobs/{job_id}/replay", status_code=204)
async def replay_job(
    job_id: Annotated[int, Path(ge=1, le=2**63 - 1)], services: ServicesDep, caller: CallerDep
) -> None:
    """Queues a failed job again."""
    if not await services.jobs.backlog.replay(caller.scope.tenant, job_id):
        raise NotFound("job")
