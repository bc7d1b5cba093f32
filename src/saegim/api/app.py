"""The API as an ASGI application."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache, partial
from importlib.util import find_spec

from fastapi import APIRouter, FastAPI
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from saegim import __version__
from saegim.api import problems
from saegim.api.caller import AddressHash, kind_of, log_failure, require_credential
from saegim.api.early_refusals import EarlyRefusals
from saegim.api.load_shedding import Admission, Load, verified
from saegim.api.middleware import BodyLimit, BodyLimits, RequestContext
from saegim.api.openapi import document
from saegim.api.routes import (
    assistant_config,
    assistants,
    chat,
    community,
    evaluation,
    governance,
    health,
    ingests,
    jobs,
    keys,
    library,
    limits,
    members,
    memories,
    openai,
    ranking,
    sessions,
    sources,
    turn_memories,
    turns,
    usage,
    webhooks,
)
from saegim.api.senders import AdmissionLimits, Senders
from saegim.app import gc_tuning
from saegim.app.container import Services
from saegim.telemetry import loop_lag


def create_app(services: Services) -> FastAPI:
    """Creates the API; its lifespan opens and closes the services."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        await services.open()
        app.state.warming = asyncio.create_task(_warm_up(services))
        measuring = asyncio.create_task(loop_lag.measure(services.metrics.loop_lag))
        yield
        app.state.warming.cancel()
        measuring.cancel()
        await services.close()

    app = FastAPI(
        title="Saegim",
        version=__version__,
        summary="A copilot server that remembers.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
    )
    app.state.services = services
    app.state.store_probe = health.StoreProbe()
    app.state.warming = None
    _add_middleware(app, services)
    problems.install(app)
    add_routes(app)
    app.openapi = partial(document, app)
    if find_spec("mcp") is not None:
        _add_mcp(app, services)
    return app


def _add_middleware(app: FastAPI, services: Services) -> None:
    """Adds middleware from the inside out: the last one added runs first."""
    settings, addresses = services.settings, AddressHash(services.settings)

    def failed(headers: Headers, address: str | None) -> None:
        services.metrics.authentication_failed(kind_of(headers))
        log_failure(headers, addresses.of(address))

    limits = AdmissionLimits(
        process=settings.requests_at_once,
        tenant=settings.requests_at_once_per_tenant,
        user=settings.requests_at_once_per_user,
    )
    senders = Senders(limits)
    app.state.early_refusals = EarlyRefusals(senders, services.metrics.refused)
    app.add_middleware(
        Admission,
        senders=senders,
        failures=settings.failed_credentials_per_minute,
        load=Load(services.db.cells.any_busy, services.metrics.refused, failed),
    )
    app.add_middleware(BodyLimit, limits=BodyLimits(seconds=settings.http_body_seconds))
    app.add_middleware(RequestContext, observer=services.metrics, addresses=addresses)


async def _warm_up(services: Services) -> None:
    with gc_tuning.paused():
        await services.warm_up()
    gc_tuning.freeze_startup_objects()


def add_routes(app: FastAPI) -> None:
    """Adds every route of the API."""
    app.router.routes.extend(_routes())


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Builds the routes once per process: it is slow, and they do not depend on the services."""
    shared = APIRouter()
    for module in (
        chat, openai, turns, assistant_config, sessions, evaluation, turn_memories, library,
        memories, ingests, keys, members, assistants, limits, governance, ranking, sources,
        webhooks, community, usage, jobs, health,
    ):  # fmt: skip
        shared.include_router(module.router)
    return tuple(shared.routes)


def _add_mcp(app: FastAPI, services: Services) -> None:
    from saegim.mcp.http import (  # noqa: PLC0415 - an extra
        PATH,
        McpEndpoint,
    )

    async def require(scope: Scope) -> None:
        verified(scope, await require_credential(services, Headers(scope=scope)))

    endpoint = McpEndpoint(app, require)
    app.router.routes.append(Route(PATH, endpoint, include_in_schema=False))
