"""The page that Prometheus reads: counts of this process, and a look at the queue. No content."""

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
from saegim.db.health import StoreHealth
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable
from saegim.usage.metrics import CONTENT_TYPE, Metrics

BEARER = "Bearer "
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
# A cell's queue, as it is shown while its Postgres answers: an old value would mislead.
QUEUE = {
    "saegim_workers": "A cell's workers with a heartbeat in the last ten seconds.",
    "saegim_jobs_waiting": "Jobs that could start now.",
    "saegim_jobs_failed": "Jobs that were given up and can be replayed.",
    "saegim_job_lag_seconds": "Age of the oldest job that could start.",
    "saegim_worker_heartbeat_seconds": "Seconds since any worker's last heartbeat.",
}


def may_read(key: SecretStr | None, client: str | None, headers: Mapping[str, str]) -> bool:
    """Whoever shows the key; without a key, this machine, unless a proxy of it asks for others."""
    if key is not None:
        shown = headers.get("authorization", "")
        return hmac.compare_digest(shown.encode(), f"{BEARER}{key.get_secret_value()}".encode())
    return _is_here(client) and not any(name in headers for name in FORWARDED)


async def page(services: Services) -> bytes:
    """The page, after a look at every cell's stores; one that is down shows as down."""
    metrics = services.metrics
    names = [cell.name for cell in services.db.cells.all]
    stores = await asyncio.gather(*(_store(services, name) for name in names))
    answering = await asyncio.gather(*(_redis_answers(services, name) for name in names))
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


async def _store(services: Services, cell: str) -> StoreHealth | None:
    try:
        return await services.db.health.check(cell)
    except StoreUnavailable:
        return None


async def _redis_answers(services: Services, cell: str) -> bool:
    try:
        await services.db.redis.of_cell(cell).ping()
    except OptionalServiceDown:
        return False
    return True


async def answer(services: Services, request: Request) -> Response:
    """The page to those who may read it, 403 to others."""
    client = request.client.host if request.client else None
    if not may_read(services.settings.metrics_key, client, request.headers):
        return Response(status_code=403)
    return PlainTextResponse(await page(services), media_type=CONTENT_TYPE)


@asynccontextmanager
async def shown(services: Services) -> AsyncGenerator[None]:
    """Serves the page on a port of its own while there is one in the settings: a worker's."""
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
    server = _Beside(config)
    task = asyncio.create_task(server.serve())
    try:
        yield
    finally:
        server.should_exit = True
        await asyncio.wait({task}, timeout=1)


class _Beside(uvicorn.Server):
    """Leaves signals to the worker."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def _is_here(client: str | None) -> bool:
    try:
        return client is not None and ip_address(client).is_loopback
    except ValueError:
        return False
