"""`/metrics`: the queue's health in the text format of Prometheus. Counts only, no content."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from saegim.entrypoints.api.caller import ServicesDep

router = APIRouter(tags=["health"])

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(services: ServicesDep) -> PlainTextResponse:
    """Gauges of the job queue and its workers. Raises StoreUnavailable."""
    store = await services.health.check()
    gauges = {
        "saegim_workers": ("Workers with a heartbeat in the last ten seconds.", store.workers),
        "saegim_jobs_waiting": ("Jobs that could start now.", store.waiting),
        "saegim_jobs_failed": ("Jobs that were given up and can be replayed.", store.failed),
        "saegim_job_lag_seconds": ("Age of the oldest job that could start.", store.lag_seconds),
    }
    if store.heartbeat_seconds is not None:
        text = "Seconds since any worker's last heartbeat."
        gauges["saegim_worker_heartbeat_seconds"] = (text, store.heartbeat_seconds)
    lines = [
        f"# HELP {name} {text}\n# TYPE {name} gauge\n{name} {value:g}"
        for name, (text, value) in gauges.items()
    ]
    return PlainTextResponse("\n".join(lines) + "\n", media_type=CONTENT_TYPE)
