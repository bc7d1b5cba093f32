"""The servers under `saegim dev`: our own, or those that the settings name."""

from contextlib import ExitStack
from dataclasses import dataclass

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
    """Where everything is. `maintenance_url` is a database to be in while others are made."""

    settings: Settings
    maintenance_url: str
    new_databases: tuple[str, ...]


def start_servers(settings: Settings, folder: DataFolder, parts: ExitStack) -> Servers:
    """Starts what the settings do not name; it is stopped with `parts`."""
    servers = (
        _own_postgres(settings, folder, parts)
        if settings.postgres_url is None
        else _given_postgres(settings, settings.postgres_url)
    )
    if settings.redis_url is not None:
        return servers
    with timed(f"Valkey ({folder.path / 'valkey'})"):
        valkey = parts.enter_context(LocalValkey.start(folder.path / "valkey"))
    named = servers.settings.model_copy(update={"redis_url": SecretStr(valkey.url)})
    return Servers(named, servers.maintenance_url, servers.new_databases)


def _own_postgres(settings: Settings, folder: DataFolder, parts: ExitStack) -> Servers:
    place = folder.path / "postgres"
    first = "" if place.exists() else _(", first run")
    with timed(f"PostgreSQL ({place}){first}"):
        server = parts.enter_context(LocalPostgres.start(place))
    urls = {
        "postgres_url": SecretStr(server.url(DATABASE, APP_ROLE)),
        "postgres_admin_url": SecretStr(server.url(DATABASE)),
        "keyring_url": settings.keyring_url or SecretStr(server.url(KEYRING)),
    }
    made = (DATABASE,) if settings.keyring_url else (DATABASE, KEYRING)
    return Servers(settings.model_copy(update=urls), server.url(), made)


def _given_postgres(settings: Settings, url: SecretStr) -> Servers:
    admin = (settings.postgres_admin_url or url).get_secret_value()
    keyring = settings.keyring_url or SecretStr(make_conninfo(admin, dbname=KEYRING))
    urls = {"postgres_admin_url": SecretStr(admin), "keyring_url": keyring}
    made = () if settings.keyring_url else (KEYRING,)
    return Servers(settings.model_copy(update=urls), admin, made)
