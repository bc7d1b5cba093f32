"""Background jobs of the tenant."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path

from saegim.api.caller import CallDep
from saegim.api.views import View
from saegim.domain.errors import NotFound

router = APIRouter(prefix="/v1", tags=["usage"])

MOST_FAILED = 100


class FailedJobView(View):
    """A job whose retries are exhausted, with the class of its last error."""

    job_id: int
    kind: str
    failures: int
    error: str
    failed_at: datetime


class BacklogView(View):
    """The tenant's background jobs. `lag_seconds` is the age of the oldest waiting job."""

    waiting: int
    running: int
    lag_seconds: float
    failed: list[FailedJobView]


@router.get("/jobs")
async def read_backlog(call: CallDep) -> BacklogView:
    """Returns the number of waiting and running jobs, and the failed jobs."""
    backlog = await call.services.jobs.backlog.backlog(call.tenant, MOST_FAILED)
    return BacklogView.of(backlog)


@router.post("/jobs/{job_id}/replay", status_code=204)
async def replay_job(job_id: Annotated[int, Path(ge=1, le=2**63 - 1)], call: CallDep) -> None:
    """Queues a failed job again."""
    if not await call.services.jobs.backlog.replay(call.tenant, job_id):
        raise NotFound("job")
