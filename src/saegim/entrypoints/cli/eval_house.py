"""Throwaway servers for evaluations: nothing of a running installation is touched."""

import contextlib
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from saegim.access.types import ActAs
from saegim.adapters.keyring import store as keyring_store
from saegim.adapters.keyring.cipher import new_key
from saegim.adapters.keyring.keyring import format_master_key
from saegim.adapters.local.servers import LocalServers
from saegim.adapters.postgres.cells import HOME_CELL
from saegim.adapters.postgres.migrate import ensure_database, migrate
from saegim.bootstrap import Fakes, Services, build
from saegim.domain.scope import Caller
from saegim.evaluation.play import Stage, StageClock
from saegim.evaluation.view import MemoryViews
from saegim.settings import Settings
from saegim.steps.ports import Models
from saegim.steps.run import Steps

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


@contextlib.asynccontextmanager
async def stage(settings: Settings, models: Models | None = None) -> AsyncGenerator[Stage]:
    """A stage on servers that are gone afterwards; without models every step is its twin's."""
    with (
        TemporaryDirectory(prefix="saegim-eval-") as folder,
        LocalServers.start(Path(folder), durable=False) as servers,
    ):
        clock = StageClock(START)
        services = build(_settings(settings, servers, folder), Fakes(models=models, clock=clock))
        await services.open()
        try:
            tenant = await services.tenants.create("평가", "ko", HOME_CELL)
            yield stage_of(services, tenant.key, clock)
        finally:
            await services.close()


def _settings(settings: Settings, servers: LocalServers, folder: str) -> Settings:
    postgres = servers.postgres
    for name in ("saegim", "keyring"):
        ensure_database(postgres.url(), name)
    app = postgres.url("saegim", user="saegim_app")
    migrate(postgres.url("saegim"), app)
    keyring_store.prepare(postgres.url("keyring"))
    return settings.model_copy(
        update={
            "models": "offline",
            "postgres_url": SecretStr(app),
            "keyring_url": SecretStr(postgres.url("keyring")),
            "redis_url": SecretStr(servers.valkey.url),
            "redis_cluster": False,
            "master_key": SecretStr(format_master_key(new_key())),
            "index_url": f"{folder}/index",
        }
    )


def stage_of(services: Services, key: str, clock: StageClock) -> Stage:
    """Services as a stage for scenarios, on the clock that they were built with."""

    async def caller(user: str, profile: str | None) -> Caller:
        return await services.access.authenticate(key, ActAs(user, profile))

    return Stage(
        chat=services.chat,
        writing=services.writing,
        episodes=services.episodes,
        folding=services.folding,
        remembering=services.remembering,
        views=MemoryViews(services.preview, services.recall, services.clock),
        steps=Steps(services.models),
        clock=clock,
        caller=caller,
    )
