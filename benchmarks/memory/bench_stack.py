"""Services on their own stores, with the bundled embedder."""

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.db.cells import HOME_CELL
from saegim.db.migrate import ensure_database, migrate
from saegim.domain.ids import Clock
from saegim.encryption import key_store as keyring_store
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.localservers.servers import LocalServers


@dataclass(frozen=True)
class BenchStack:
    """Services with a tenant, and the owner's URL of the database."""

    services: Services
    key: str
    admin_url: str


@contextlib.asynccontextmanager
async def bench_stack(clock: Clock) -> AsyncGenerator[BenchStack]:
    """Starts new servers in a temporary folder."""
    with (
        TemporaryDirectory(prefix="saegim-memory-") as folder,
        LocalServers.start(Path(folder), durable=False) as servers,
    ):
        postgres = servers.postgres
        for name in ("saegim", "keyring"):
            ensure_database(postgres.url(), name)
        app = postgres.url("saegim", user="saegim_app")
        migrate(postgres.url("saegim"), app)
        keyring_store.prepare(postgres.url("keyring"))
        settings = Settings(
            postgres_url=SecretStr(app),
            keyring_url=SecretStr(postgres.url("keyring")),
            redis_url=SecretStr(servers.valkey.url),
            master_key=SecretStr(format_master_key(new_key())),
            index_url=f"{folder}/index",
        )
        services = build(settings, Fakes(clock=clock))
        await services.open()
        await services.warm_up()
        try:
            tenant = await services.auth.tenants.create("새김", "en", HOME_CELL)
            yield BenchStack(services, tenant.key, postgres.url("saegim"))
        finally:
            await services.close()
