"""Temporary servers for evaluations, apart from a running installation."""

import contextlib
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.auth.types import ActAs
from saegim.db.cells import HOME_CELL
from saegim.db.migrate import ensure_database, migrate
from saegim.domain.scope import Caller
from saegim.encryption import key_store as keyring_store
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.evaluation.memory_view import MemorySnapshots
from saegim.evaluation.play import Stage, StageClock
from saegim.llm.ports import Models
from saegim.llm.steps import Steps
from saegim.localservers.servers import LocalServers

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


@contextlib.asynccontextmanager
async def stage(settings: Settings, models: Models | None = None) -> AsyncGenerator[Stage]:
    """Yield a stage on temporary servers; without models, every step uses its fallback."""
    with (
        TemporaryDirectory(prefix="saegim-eval-") as folder,
        LocalServers.start(Path(folder), durable=False) as servers,
    ):
        clock = StageClock(START)
        services = build(_settings(settings, servers, folder), Fakes(models=models, clock=clock))
        await services.open()
        try:
            tenant = await services.auth.tenants.create("평가", "ko", HOME_CELL)
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
    """Return services, and the clock they were built with, as a stage for scenarios."""

    async def caller(user: str, profile: str | None) -> Caller:
        return await services.auth.authentication.authenticate(key, ActAs(user, profile))

    return Stage(
        chat=services.chat.turns,
        writing=services.memory.extraction,
        episodes=services.memory.episodes,
        summaries=services.conversations.summaries,
        remembering=services.memory.turn_memories,
        views=MemorySnapshots(services.chat.preview, services.memory.recall, services.clock),
        steps=Steps(services.llm.models),
        clock=clock,
        caller=caller,
    )
