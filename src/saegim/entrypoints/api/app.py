"""The API as an ASGI application."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from importlib.util import find_spec

from fastapi import FastAPI
from starlette.routing import Route

from saegim import __version__
from saegim.bootstrap import Services
from saegim.entrypoints import heap
from saegim.entrypoints.api import problems
from saegim.entrypoints.api.caller import require_credential
from saegim.entrypoints.api.middleware import BodyLimit, RequestContext
from saegim.entrypoints.api.openapi import document
from saegim.entrypoints.api.routes import (
    assistant,
    assistants,
    background,
    chat,
    community,
    evaluation,
    governance,
    health,
    ingests,
    keys,
    library,
    limits,
    members,
    memories,
    metrics,
    openai,
    ranking,
    remembering,
    sessions,
    sources,
    turns,
    usage,
    webhooks,
)


def create_app(services: Services) -> FastAPI:
    """The API on these services, which it opens and closes."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:  # noqa: ARG001 - FastAPI's signature
        await services.open()
        warming = asyncio.create_task(_warm_up(services))
        yield
        warming.cancel()
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
    app.add_middleware(BodyLimit)
    app.add_middleware(RequestContext, observer=services.metrics)
    problems.install(app)
    add_routes(app)
    app.openapi = partial(document, app)
    if find_spec("mcp") is not None:
        _add_mcp(app, services)
    return app


async def _warm_up(services: Services) -> None:
    await services.warm_up()
    heap.settle()


def add_routes(app: FastAPI) -> None:
    """Every route of the API, as its OpenAPI document shows it."""
    for router in (
        chat.router,
        openai.router,
        turns.router,
        assistant.router,
        sessions.router,
        evaluation.router,
        remembering.router,
        library.router,
        memories.router,
        ingests.router,
        keys.router,
        members.router,
        assistants.router,
        limits.router,
        governance.router,
        ranking.router,
        sources.router,
        webhooks.router,
        community.router,
        usage.router,
        background.router,
        health.router,
        metrics.router,
    ):
        app.include_router(router)


def _add_mcp(app: FastAPI, services: Services) -> None:
    from saegim.entrypoints.mcp.http import PATH, McpDoor  # noqa: PLC0415 - an extra

    door = McpDoor(app, partial(require_credential, services))
    app.router.routes.append(Route(PATH, door, include_in_schema=False))
