"""Databases, schema and master key of `saegim dev`, created on the first start."""

import asyncio

import psycopg
from pydantic import SecretStr

from saegim.app.settings import Settings
from saegim.cli.console import fail, timed
from saegim.cli.dev.servers import Servers
from saegim.cli.environment import DataFolder, fail_invalid, read_private, write_private
from saegim.cli.language import _
from saegim.db.revision import newest_revision, stored_revision
from saegim.encryption import key_store as keyring_store
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key, look, parse_master_key
from saegim.encryption.master_key import EnvironmentMaster


def prepare(servers: Servers, folder: DataFolder) -> Settings:
    """Migrate the databases and return complete settings."""
    settings = servers.settings
    assert settings.postgres_admin_url
    assert settings.postgres_url
    assert settings.keyring_url
    admin, app, keyring = (
        url.get_secret_value()
        for url in (settings.postgres_admin_url, settings.postgres_url, settings.keyring_url)
    )
    with timed(_("databases and schema")):
        try:
            _migrate(servers, admin, app)
            keyring_store.prepare(keyring)
        except psycopg.Error as error:
            fail("Could not set up the databases: {reason}", reason=str(error).strip())
        key = _master_key(settings, folder, keyring)
    return settings.model_copy(update={"master_key": SecretStr(key)})


def _migrate(servers: Servers, admin_url: str, app_url: str) -> None:
    if (stored_revision(admin_url) or "") >= newest_revision():
        return
    # A second of imports, which most starts do not need.
    from saegim.db.migrate import ensure_database, migrate  # noqa: PLC0415

    for name in servers.new_databases:
        ensure_database(servers.maintenance_url, name)
    migrate(admin_url, app_url)


def _master_key(settings: Settings, folder: DataFolder, keyring_url: str) -> str:
    """Return the key of the settings, of the folder, or a new one; exit if it does not match the
    keyring."""
    configured = settings.master_key.get_secret_value() if settings.master_key else None
    existing = configured or read_private(folder.master_key)
    key = existing or format_master_key(new_key())
    try:
        keyring = asyncio.run(look(keyring_url, EnvironmentMaster(parse_master_key(key))))
    except ValueError as error:
        fail_invalid(error)
    if keyring.opens is False:
        fail(
            "The master key does not match the keyring. Put the original key back into "
            "{path}. Without it, stored data cannot be decrypted.",
            path=folder.master_key,
        )
    if existing is None:
        write_private(folder.master_key, f"{key}\n")
    return key
