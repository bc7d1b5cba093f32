"""Whether the process lives, and whether it can serve."""

from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from saegim.adapters.postgres.revision import newest_revision
from saegim.domain.errors import Degraded, StoreUnavailable
from saegim.entrypoints.api.caller import ServicesDep

router = APIRouter(prefix="/health", tags=["health"])

# Without a worker nothing is remembered or indexed, and abandoned turns wait for their readers.
WORKERLESS_SECONDS = 60.0
PartState = Literal["ok", "degraded", "down"]


class Ready(BaseModel):
    """What each part says. A record store that is down or old keeps us from serving, and so does
    a minute without any worker."""

    ready: bool
    postgres: PartState
    redis: PartState
    workers: int | None = None
    jobs_waiting: int | None = None
    job_lag_seconds: float | None = None
    jobs_failed: int | None = None


@router.get("/live")
async def live() -> dict[str, bool]:
    """The process answers; it asks nobody."""
    return {"live": True}


@router.get("/ready", responses={503: {"model": Ready}})
async def ready(services: ServicesDep, response: Response) -> Ready:
    """The record store is there, has a schema that this release can use, and workers."""
    redis: PartState = "ok"
    try:
        await services.redis.ping()
    except Degraded:
        redis = "degraded"
    try:
        store = await services.health.check()
    except StoreUnavailable:
        response.status_code = 503
        return Ready(ready=False, postgres="down", redis=redis)
    current = (store.revision or "") >= newest_revision()
    able = current and services.health.without_worker(store) < WORKERLESS_SECONDS
    if not able:
        response.status_code = 503
    return Ready(
        ready=able,
        postgres="ok" if current else "down",
        redis=redis,
        workers=store.workers,
        jobs_waiting=store.waiting,
        job_lag_seconds=round(store.lag_seconds, 3),
        jobs_failed=store.failed,
    )
