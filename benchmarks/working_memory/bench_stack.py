"""Services on their own stores, with scripted models."""

import contextlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from pydantic import SecretStr

from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.models import RecordedRequest, Reply as Scripted, ScriptedModels
from benchmarks.doubles.patience import patient
from benchmarks.prepared_cluster import start_servers
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.auth.types import ActAs
from saegim.chat.types import ChatRequest, Reply
from saegim.db.cells import HOME_CELL
from saegim.domain.scope import Caller
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.llm.ports import ModelRole
from saegim.localservers.servers import LocalServers

Script = Callable[[RecordedRequest], Scripted]


@dataclass(frozen=True)
class Stores:
    """Postgres and Valkey, with their addresses."""

    servers: LocalServers
    master_key: str

    def settings(self) -> Settings:
        return Settings.model_validate(
            {name: SecretStr(value) for name, value in self.secrets().items()}
        )

    def secrets(self) -> dict[str, str]:
        postgres = self.servers.postgres
        return {
            "postgres_url": postgres.url("saegim", user="saegim_app"),
            "keyring_url": postgres.url("keyring"),
            "redis_url": self.servers.valkey.url,
            "master_key": self.master_key,
        }


@dataclass(frozen=True)
class BenchStack:
    """Services and a caller."""

    stores: Stores
    services: Services
    caller: Caller

    async def say(self, message: str, session: str) -> Reply:
        request = ChatRequest(message, session=session)
        opened = await self.services.chat.turns.receive(self.caller, request)
        return await self.services.chat.turns.reply(self.caller.scope, opened.turn.id)

    async def summarised_through(self, session: UUID) -> int:
        view = await self.services.chat.preview.show(self.caller.scope, session)
        return view.state.summarised_through


@contextlib.asynccontextmanager
async def stores() -> AsyncGenerator[Stores]:
    """Starts new servers in a temporary folder."""
    with (
        TemporaryDirectory(prefix="saegim-wm-") as folder,
        start_servers(Path(folder), durable=False) as servers,
    ):
        yield Stores(servers, format_master_key(new_key()))


@contextlib.asynccontextmanager
async def bench_stack(
    at: Stores, answer: Script, summarizer: Script | None = None
) -> AsyncGenerator[BenchStack]:
    """Starts services with their own tenant; without a summarizer the rules summarise."""
    scripts = {ModelRole.LITE: answer}
    if summarizer is not None:
        scripts[ModelRole.SUMMARIZER] = summarizer
    models = ScriptedModels(scripts, timeout_seconds=60)
    fakes = patient(Fakes(models=models, embedder=HashEmbedder()))
    services = build(at.settings(), fakes)
    await services.open()
    try:
        tenant = await services.auth.tenants.create("새김 상사", "ko", HOME_CELL)
        caller = await services.auth.authentication.authenticate(tenant.key, ActAs("alice", None))
        yield BenchStack(at, services, caller)
    finally:
        await services.close()
