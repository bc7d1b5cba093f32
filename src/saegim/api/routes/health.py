"""Liveness and readiness probes, and `/metrics` for Prometheus."""

import asyncio
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

from saegim.api import metrics_page
from saegim.api.caller import ServicesDep
from saegim.app.container import Services
from saegim.db.health import StoreHealth
from saegim.db.revision import newest_revision

router = APIRouter(tags=["health"])

# Without a worker nothing is extracted or indexed, and abandoned turns are not recovered.
WORKERLESS_SECONDS = 60.0
PartState = Literal["ok", "degraded", "down"]


class Ready(BaseModel):
    """Readiness of the process: it is warm, Postgres has the current schema, and a worker ran in
    the last minute. The other fields need the metrics key, or a request from the same machine."""

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
    """Checks the stores, once for concurrent requests: the route is public."""

    def __init__(self) -> None:
        self._check: asyncio.Task[_Stores] | None = None

    async def check(self, services: Services) -> _Stores:
        if self._check is None or self._check.done():
            self._check = asyncio.create_task(_check(services))
        return await asyncio.shield(self._check)


@router.get("/health/live")
async def live() -> dict[str, bool]:
    """Returns 200 while the process runs. Checks no other service."""
    return {"live": True}


@router.get("/health/ready", responses={503: {"model": Ready}}, response_model_exclude_none=True)
async def ready(services: ServicesDep, request: Request, response: Response) -> Ready:
    """Returns 200 if the process can serve requests, else 503."""
    state = request.app.state
    probe: StoreProbe = state.store_probe
    warming: asyncio.Task[None] | None = state.warming
    report = _report(await probe.check(services), warm=warming is None or warming.done())
    if not report.ready:
        response.status_code = 503
    client = request.client.host if request.client else None
    if not metrics_page.may_read(services.settings.metrics_key, client, request.headers):
        return Ready(ready=report.ready)
    return report


@router.get("/metrics", response_class=PlainTextResponse, responses={403: {}})
async def metrics(services: ServicesDep, request: Request) -> Response:
    """Returns metrics in the Prometheus text format. Requires `SAEGIM_METRICS_KEY` as a bearer
    token; if no key is set, only requests from the same machine are answered."""
    return await metrics_page.answer(services, request)


async def _check(services: Services) -> _Stores:
    redis = "ok" if await metrics_page.redis_answers(services) else "degraded"
    store = await metrics_page.store_health(services)
    if store is None:
        return _Stores(redis, None)
    return _Stores(redis, store, services.db.health.without_worker(store))


def _report(stores: _Stores, *, warm: bool) -> Ready:
    store = stores.store
    if store is None:
        return Ready(ready=False, warm=warm, postgres="down", redis=stores.redis)
    current = (store.revision or "") >= newest_revision()
    workerless = stores.without_worker >= WORKERLESS_SECONDS
    return Ready(
        ready=current and warm and not workerless,
        warm=warm,
        postgres="ok" if current else "down",
        redis=stores.redis,
        workers=store.workers,
        jobs_waiting=store.waiting,
        job_lag_seconds=round(store.lag_seconds, 3),
        jobs_failed=store.failed,
    )
