"""Services on their own stores, with a library that is filled through the import job."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from pydantic import SecretStr

from benchmarks.doubles.patience import patient
from benchmarks.idle import is_idle, until_idle
from benchmarks.prepared_cluster import start_servers
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.auth.types import ActAs
from saegim.db.cells import HOME_CELL
from saegim.domain.errors import StoreUnavailable
from saegim.domain.scope import Caller
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.library.types import Ingest
from saegim.llm.ports import Embedder
from saegim.localservers.servers import LocalServers

PART_BYTES = 1 << 20
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Stores:
    """Postgres, Valkey and a folder of indexes, with their addresses."""

    servers: LocalServers
    folder: Path
    master_key: str

    @property
    def index(self) -> Path:
        return self.folder / "index"

    def environment(self) -> dict[str, str]:
        """Returns the settings of a process that uses these stores."""
        postgres = self.servers.postgres
        return {
            "SAEGIM_POSTGRES_URL": postgres.url("saegim", user="saegim_app"),
            "SAEGIM_POSTGRES_ADMIN_URL": postgres.url("saegim"),
            "SAEGIM_KEYRING_URL": postgres.url("keyring"),
            "SAEGIM_REDIS_URL": self.servers.valkey.url,
            "SAEGIM_MASTER_KEY": self.master_key,
            "SAEGIM_INDEX_URL": str(self.index),
        }

    def settings(self) -> Settings:
        named = {
            name.removeprefix("SAEGIM_").lower(): value
            for name, value in self.environment().items()
        }
        index = named.pop("index_url")
        secrets = {name: SecretStr(value) for name, value in named.items()}
        return Settings.model_validate({**secrets, "index_url": index})


@dataclass(frozen=True)
class BenchStack:
    """Services, a tenant, and a caller with all rights."""

    stores: Stores
    services: Services
    caller: Caller

    @property
    def tenant(self) -> UUID:
        return self.caller.scope.tenant

    async def send(self, files: Mapping[str, str]) -> Ingest:
        """Sends files by name, for a worker to import."""
        ingests = self.services.library.ingests
        ingest = await ingests.open(self.caller, "default", "guide")
        for name, text in files.items():
            file = await ingests.add_file(self.caller, ingest.id, name)
            content = text.encode()
            for part, start in enumerate(range(0, len(content), PART_BYTES)):
                await ingests.add_part(self.caller, file, part, content[start : start + PART_BYTES])
            await ingests.enqueue(self.caller, file)
        return ingest

    async def finished(self, ingest: UUID) -> Ingest:
        """Waits for the end of an import, including the index."""
        while True:
            # A poll may time out on a busy machine.
            with contextlib.suppress(StoreUnavailable):
                found = await self.services.library.ingests.find(self.caller, ingest)
                if found.over and await is_idle(self.services):
                    return found
            await asyncio.sleep(POLL_SECONDS)


async def import_texts(services: Services, name: str, texts: Mapping[str, str]) -> str:
    """Creates a tenant with documents, by a worker that runs, and returns its key."""
    return await import_files(services, name, {each: text.encode() for each, text in texts.items()})


async def import_files(services: Services, name: str, files: Mapping[str, bytes]) -> str:
    """Creates a tenant with files of less than a part each, and returns its key."""
    tenant = await services.auth.tenants.create(name, "ko", HOME_CELL)
    caller = await services.auth.authentication.authenticate(tenant.key, ActAs("editor", None))
    ingests = services.library.ingests
    ingest = await ingests.open(caller, "default", "guide")
    for title, content in files.items():
        file = await ingests.add_file(caller, ingest.id, title)
        await ingests.add_part(caller, file, 0, content)
        await ingests.enqueue(caller, file)
    await until_idle(services)
    assert (await ingests.find(caller, ingest.id)).over, "its jobs are done"
    return tenant.key


@contextlib.asynccontextmanager
async def stores(durable: bool = True) -> AsyncGenerator[Stores]:
    """Starts new servers in a temporary folder."""
    with (
        TemporaryDirectory(prefix="saegim-library-") as folder,
        start_servers(Path(folder), durable=durable) as servers,
    ):
        yield Stores(servers, Path(folder), format_master_key(new_key()))


@contextlib.asynccontextmanager
async def bench_stack(at: Stores, embedder: Embedder | None = None) -> AsyncGenerator[BenchStack]:
    """Starts services with their own tenant, and the bundled embedder by default."""
    services = build(at.settings(), patient(Fakes(embedder=embedder)))
    await services.open()
    await services.warm_up()
    try:
        yield await new_bench_stack(at, services)
    finally:
        await services.close()


async def new_bench_stack(at: Stores, services: Services, name: str = "새김 상사") -> BenchStack:
    """Creates another tenant of the same services."""
    tenant = await services.auth.tenants.create(name, "ko", HOME_CELL)
    caller = await services.auth.authentication.authenticate(tenant.key, ActAs("alice", None))
    return BenchStack(at, services, caller)
