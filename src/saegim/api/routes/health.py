"""Whether the process lives, and whether it can serve."""

import asyncio
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from saegim.api.caller import ServicesDep
from saegim.api.metrics_page import may_read
from saegim.app.container import Services
from saegim.db.health import StoreHealth
from saegim.db.revision import newest_revision
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable

router = APIRouter(prefix="/health", tags=["health"])

# Without a worker nothing is remembered or indexed, and abandoned turns wait for their readers.
WORKERLESS_SECONDS = 60.0
PartState = Literal["ok", "degraded", "down"]


class Ready(BaseModel):
    """Whether the process can serve: it is warmed up, the record store is there and current, and
    there was a worker in the last minute. Everything else is for operators: this machine, or
    whoever shows the key of `/metrics`."""

    ready: bool
    warm: bool | None = None
    postgres: PartState | None = None
    redis: PartState | None = None
    workers: int | None = None
    jobs_waiting: int | None = None
    job_lag_seconds: float | None = None
    jobs_failed: int | None = None


@dataclass(frozen=True, slots=True)
class _Stores:
    redis: PartState
    store: StoreHealth | None
    without_worker: float = 0.0


class StoreProbe:
    """Looks at the stores, once for all who ask at the same time: anybody may ask."""

    def __init__(self) -> None:
        self._look: asyncio.Task[_Stores] | None = None

    async def look(self, services: Services) -> _Stores:
        if self._look is None or self._look.done():
            self._look = asyncio.create_task(_look(services))
        return await asyncio.shield(self._look)


@router.get("/live")
async def live() -> dict[str, bool]:
    """The process answers; it asks nobody."""
    return {"live": True}


@router.get("/ready", responses={503: {"model": Ready}}, response_model_exclude_none=True)
async def ready(services: ServicesDep, request: Request, response: Response) -> Ready:
    """The process is warmed up, and the record store has a schema that this release can use."""
    state = request.app.state
    probe: StoreProbe = state.store_probe
    warming: asyncio.Task[None] | None = state.warming
    found = _report(await probe.look(services), warm=warming is None or warming.done())
    if not found.ready:
        response.status_code = 503
    client = request.client.host if request.client else None
    if not may_read(services.settings.metrics_key, client, request.headers):
        return Ready(ready=found.ready)
    return found


async def _look(services: Services) -> _Stores:
    redis: PartState = "ok"
    try:
        await services.db.redis.ping()
    except OptionalServiceDown:
        redis = "degraded"
    try:
        store = await services.db.health.check()
    except StoreUnavailable:
        return _Stores(redis, None)
    return _Stores(redis, store, services.db.health.without_worker(store))


def _report(found: _Stores, *, warm: bool) -> Ready:
    store = found.store
    if store is None:
        return Ready(ready=False, warm=warm, postgres="down", redis=found.redis)
    current = (store.revision or "") >= newest_revision()
    workerless = found.without_worker >= WORKERLESS_SECONDS
    return Ready(
        ready=current and warm and not workerless,
        warm=warm,
        postgres="ok" if current else "down",
        redis=found.redis,
        workers=store.workers,
        jobs_waiting=store.waiting,
        job_lag_seconds=round(store.lag_seconds, 3),
        jobs_failed=store.failed,
    )
