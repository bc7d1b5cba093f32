"""Databases, schema and master key of `saegim dev`, made on the first start and kept."""

import asyncio

import psycopg
from pydantic import SecretStr

from saegim.app.settings import Settings
from saegim.cli.console import fail, timed
from saegim.cli.dev.servers import Servers
from saegim.cli.environment import DataFolder, read_private, write_private
from saegim.cli.language import _
from saegim.db.revision import newest_revision, stored_revision
from saegim.encryption import key_store as keyring_store
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key, parse_master_key
from saegim.encryption.keyring_health import look
from saegim.encryption.master_key import EnvironmentMaster


def prepare(servers: Servers, folder: DataFolder) -> Settings:
    """Brings the databases up to date; settings with which everything can be built."""
    settings = servers.settings
    admin, app, keyring = (
        settings.postgres_admin_url,
        settings.postgres_url,
        settings.keyring_url,
    )
    assert admin, "servers name their databases"
    assert app
    assert keyring
    with timed(_("databases and schema")):
        try:
            _migrate(servers, admin.get_secret_value(), app.get_secret_value())
            keyring_store.prepare(keyring.get_secret_value())
        except psycopg.Error as error:
            fail(_("Could not set up the databases: {reason}", reason=str(error).strip()))
        key = _master_key(settings, folder, keyring.get_secret_value())
    return settings.model_copy(update={"master_key": SecretStr(key)})


def _migrate(servers: Servers, admin_url: str, app_url: str) -> None:
    if (stored_revision(admin_url) or "") >= newest_revision():
        return
    # A second of imports, which most starts can do without.
    from saegim.db.migrate import (  # noqa: PLC0415
        ensure_database,
        migrate,
    )

    for name in servers.new_databases:
        ensure_database(servers.maintenance_url, name)
    migrate(admin_url, app_url)


def _master_key(settings: Settings, folder: DataFolder, keyring_url: str) -> str:
    """The settings' key, the folder's, or a new one; never one that does not fit the keyring."""
    place = folder.master_key
    given = settings.master_key.get_secret_value() if settings.master_key else None
    kept = given or read_private(place)
    key = kept or format_master_key(new_key())
    try:
        found = asyncio.run(look(keyring_url, EnvironmentMaster(parse_master_key(key))))
    except ValueError as error:
        fail(_("Invalid setting: {found}", found=error))
    if found.opens is False:
        fail(
            _(
                "The master key does not match the keyring. Put the original key back into "
                "{path}. Without it, stored data cannot be decrypted.",
                path=place,
            )
        )
    if kept is None:
        write_private(place, f"{key}\n")
    return key
