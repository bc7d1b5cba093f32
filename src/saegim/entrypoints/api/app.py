"""The API as an ASGI application."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from saegim import __version__
from saegim.bootstrap import Services
from saegim.entrypoints.api import problems
from saegim.entrypoints.api.middleware import BodyLimit, RequestContext
from saegim.entrypoints.api.routes import (
    assistant,
    assistants,
    chat,
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
    ranking,
    remembering,
    sessions,
    sources,
    turns,
    usage,
)


def create_app(services: Services) -> FastAPI:
    """The API on these services, which it opens and closes."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:  # noqa: ARG001 - FastAPI's signature
        await services.open()
        warming = asyncio.create_task(services.warm_up())
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
    app.add_middleware(RequestContext)
    problems.install(app)
    for router in (
        chat.router,
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
        usage.router,
        health.router,
        metrics.router,
    ):
        app.include_router(router)
    return app
