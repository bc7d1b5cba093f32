"""`/metrics`: how this process and the queue are doing, for Prometheus."""

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from saegim.api import metrics_page
from saegim.api.caller import ServicesDep

router = APIRouter(tags=["health"])


@router.get("/metrics", response_class=PlainTextResponse, responses={403: {}})
async def metrics(services: ServicesDep, request: Request) -> Response:
    """Counts in the text format of Prometheus, for whoever shows the metrics key or, without one,
    asks from this machine."""
    return await metrics_page.answer(services, request)
