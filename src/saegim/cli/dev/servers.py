"""The servers of `saegim dev`: started locally, unless the settings name others."""

from contextlib import ExitStack
from dataclasses import dataclass, replace

from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from saegim.app.settings import Settings
from saegim.cli.console import timed
from saegim.cli.environment import DataFolder
from saegim.cli.language import _
from saegim.localservers.postgres import LocalPostgres
from saegim.localservers.valkey import LocalValkey

DATABASE = "saegim"
KEYRING = "saegim_keyring"
APP_ROLE = "saegim_app"


@dataclass(frozen=True, slots=True)
class Servers:
    """Settings with the URLs of the servers. `maintenance_url` is the database to connect to while
    the new ones are created."""

    settings: Settings
    maintenance_url: str
    new_databases: tuple[str, ...]


def start_servers(settings: Settings, folder: DataFolder, stack: ExitStack) -> Servers:
    """Start the servers that the settings do not name; the stack stops them."""
    servers = (
        _local_postgres(settings, folder, stack)
        if settings.postgres_url is None
        else _configured_postgres(settings, settings.postgres_url)
    )
    if settings.redis_url is not None:
        return servers
    with timed(f"Valkey ({folder.path / 'valkey'})"):
        valkey = stack.enter_context(LocalValkey.start(folder.path / "valkey"))
    completed = servers.settings.model_copy(update={"redis_url": SecretStr(valkey.url)})
    return replace(servers, settings=completed)


def _local_postgres(settings: Settings, folder: DataFolder, stack: ExitStack) -> Servers:
    path = folder.path / "postgres"
    first = "" if path.exists() else _(", first run")
    with timed(f"PostgreSQL ({path}){first}"):
        server = stack.enter_context(LocalPostgres.start(path))
    urls = {
        "postgres_url": SecretStr(server.url(DATABASE, APP_ROLE)),
        "postgres_admin_url": SecretStr(server.url(DATABASE)),
        "keyring_url": settings.keyring_url or SecretStr(server.url(KEYRING)),
    }
    new = (DATABASE,) if settings.keyring_url else (DATABASE, KEYRING)
    return Servers(settings.model_copy(update=urls), server.url(), new)


def _configured_postgres(settings: Settings, url: SecretStr) -> Servers:
    admin = (settings.postgres_admin_url or url).get_secret_value()
    keyring = settings.keyring_url or SecretStr(make_conninfo(admin, dbname=KEYRING))
    urls = {"postgres_admin_url": SecretStr(admin), "keyring_url": keyring}
    new = () if settings.keyring_url else (KEYRING,)
    return Servers(settings.model_copy(update=urls), admin, new)
