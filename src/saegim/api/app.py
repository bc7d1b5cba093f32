"""The API as an ASGI application."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache, partial

from fastapi import APIRouter, FastAPI
from fastapi.routing import iter_route_contexts
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, compile_path
from starlette.types import Scope

from saegim import __version__
from saegim.api import problems
from saegim.api.caller import AddressHash, kind_of, log_failure, require_credential
from saegim.api.load_shedding import (
    Admission,
    AdmissionLimits,
    EarlyRefusals,
    Load,
    Senders,
    verified,
)
from saegim.api.middleware import BodyLimit, BodyLimits, RequestContext
from saegim.api.openapi import document
from saegim.api.routes import (
    accounts,
    assistant_config,
    assistants,
    chat,
    community,
    derived_memories,
    evaluation,
    evaluations,
    governance,
    health,
    ingests,
    jobs,
    keys,
    library,
    limits,
    members,
    memories,
    memory_questions,
    model_connections,
    openai,
    ranking,
    sessions,
    setup,
    shares,
    sources,
    team_memory,
    turn_memories,
    turns,
    usage,
    webhooks,
)
from saegim.app import gc_tuning
from saegim.app.container import Services
from saegim.domain.errors import MethodNotAllowed, NotFound
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
        servers=[{"url": services.settings.public_url or "/"}],
    )
    app.state.services = services
    app.state.store_probe = health.StoreProbe()
    app.state.warming = None
    _add_middleware(app, services)
    problems.install(app)
    add_routes(app)
    app.openapi = partial(document, app)
    _add_mcp(app, services)
    _add_unknown_routes(app)
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
        chat, openai, turns, assistant_config, sessions, shares, evaluation, evaluations,
        turn_memories, derived_memories, library, memories, memory_questions, team_memory,
        ingests, keys, accounts, setup, members, assistants, limits, governance, ranking, sources,
        webhooks, model_connections, community, usage, jobs, health,
    ):  # fmt: skip
        shared.include_router(module.router)
    return tuple(shared.routes)


def _add_mcp(app: FastAPI, services: Services) -> None:
    from saegim.mcp.http import (  # noqa: PLC0415 - slow to import
        PATH,
        McpEndpoint,
    )

    async def require(scope: Scope) -> None:
        verified(scope, await require_credential(services, Headers(scope=scope)))

    endpoint = McpEndpoint(app, require)
    app.router.routes.append(Route(PATH, endpoint, include_in_schema=False))


METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
# Paths that clients of OpenAI try.
NOT_OFFERED = ("/v1/completions", "/v1/embeddings", "/v1/responses")
OFFERED = "of OpenAI's API, this server has POST /v1/chat/completions and GET /v1/models"
MCP_EXTRA = "this server has no MCP: install it with the extra saegim[mcp]"


def _add_unknown_routes(app: FastAPI) -> None:
    """Answers the rest of `/v1/`, and `/mcp` without the extra: 405 with the methods of the path,
    or 404. The pages, which are mounted behind, would answer in HTML."""
    known = [
        (compile_path(route.path)[0], sorted(route.methods or ()))
        for route in iter_route_contexts(app.routes)
        if route.path is not None
    ]

    async def unknown(request: Request) -> Response:
        path = request.url.path
        matching = (methods for pattern, methods in known if pattern.match(path))
        if methods := sorted({method for each in matching for method in each}):
            raise MethodNotAllowed(methods)
        if path.startswith(NOT_OFFERED):
            raise NotFound(detail=OFFERED)
        raise NotFound("route") if path.startswith("/v1/") else NotFound(detail=MCP_EXTRA)

    for path in ("/v1/{path:path}", "/mcp"):
        app.router.routes.append(Route(path, unknown, methods=METHODS, include_in_schema=False))
