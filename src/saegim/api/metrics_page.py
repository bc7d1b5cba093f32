"""The Prometheus metrics page: counters of this process and the state of the job queues."""

import asyncio
import contextlib
import hmac
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager
from ipaddress import ip_address

import uvicorn
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from saegim.app.container import Services
from saegim.db.cells import HOME_CELL
from saegim.db.health import StoreHealth
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable
from saegim.usage.metrics import CONTENT_TYPE, Metrics

BEARER = "Bearer "
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
# Gauges of a cell's job queue; removed while its Postgres is down, so that none is stale.
QUEUE = {
    "saegim_workers": "A cell's workers with a heartbeat in the last ten seconds.",
    "saegim_jobs_waiting": "Jobs that could start now.",
    "saegim_jobs_failed": "Jobs that were given up and can be replayed.",
    "saegim_job_lag_seconds": "Age of the oldest job that could start.",
    "saegim_worker_heartbeat_seconds": "Seconds since any worker's last heartbeat.",
}


def may_read(key: SecretStr | None, client: str | None, headers: Mapping[str, str]) -> bool:
    """Allows requests with the key; without a key, unproxied requests from loopback."""
    if key is not None:
        header = headers.get("authorization", "")
        return hmac.compare_digest(header.encode(), f"{BEARER}{key.get_secret_value()}".encode())
    return _is_loopback(client) and not any(name in headers for name in FORWARDED)


async def page(services: Services) -> bytes:
    """Renders the page after checking the Postgres and Redis of every cell."""
    metrics = services.metrics
    names = [cell.name for cell in services.db.cells.all]
    stores = await asyncio.gather(*(store_health(services, name) for name in names))
    answering = await asyncio.gather(*(redis_answers(services, name) for name in names))
    for name, use in services.db.cells.pools().items():
        metrics.pool(name, use)
    metrics.forget(*QUEUE)
    for cell, store, redis in zip(names, stores, answering, strict=True):
        up = store is not None
        metrics.gauge("saegim_redis_up", "Whether a cell's Redis answers.", redis, cell=cell)
        metrics.gauge("saegim_postgres_up", "Whether a cell's Postgres answers.", up, cell=cell)
        if store is not None:
            _show_queue(metrics, cell, store)
    return metrics.page()


def _show_queue(metrics: Metrics, cell: str, store: StoreHealth) -> None:
    measured = (
        store.workers,
        store.waiting,
        store.failed,
        store.lag_seconds,
        store.heartbeat_seconds,
    )
    for (name, text), value in zip(QUEUE.items(), measured, strict=True):
        if value is not None:
            metrics.gauge(name, text, value, cell=cell)


async def store_health(services: Services, cell: str = HOME_CELL) -> StoreHealth | None:
    """Returns the state of a cell's Postgres; None if it is down."""
    try:
        return await services.db.health.check(cell)
    except StoreUnavailable:
        return None


async def redis_answers(services: Services, cell: str = HOME_CELL) -> bool:
    try:
        await services.db.redis.of_cell(cell).ping()
    except OptionalServiceDown:
        return False
    return True


async def answer(services: Services, request: Request) -> Response:
    """Returns the page, or 403."""
    client = request.client.host if request.client else None
    if not may_read(services.settings.metrics_key, client, request.headers):
        return Response(status_code=403)
    return PlainTextResponse(await page(services), media_type=CONTENT_TYPE)


@asynccontextmanager
async def shown(services: Services) -> AsyncGenerator[None]:
    """Serves the page on `SAEGIM_METRICS_PORT`, if set; for workers."""
    settings = services.settings
    if settings.metrics_port is None:
        yield
        return

    async def metrics(request: Request) -> Response:
        return await answer(services, request)

    config = uvicorn.Config(
        Starlette(routes=[Route("/metrics", metrics)]),
        host=settings.host,
        port=settings.metrics_port,
        log_config=None,
        access_log=False,
        server_header=False,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve())
    try:
        yield
    finally:
        server.should_exit = True
        await asyncio.wait({task}, timeout=1)


class _Server(uvicorn.Server):
    """Leaves signal handling to the worker."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def _is_loopback(client: str | None) -> bool:
    try:
        return client is not None and ip_address(client).is_loopback
    except ValueError:
        return False
