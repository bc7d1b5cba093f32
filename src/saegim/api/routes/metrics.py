"""`/metrics` for Prometheus."""

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from saegim.api import metrics_page
from saegim.api.caller import ServicesDep

router = APIRouter(tags=["health"])


@router.get("/metrics", response_class=PlainTextResponse, responses={403: {}})
async def metrics(services: ServicesDep, request: Request) -> Response:
    """Returns metrics in the Prometheus text format. Requires `SAEGIM_METRICS_KEY` as a bearer
    token; if no key is set, only requests from the same machine are answered."""
    return await metrics_page.answer(services, request)
