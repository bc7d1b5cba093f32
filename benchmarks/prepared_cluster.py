"""Postgres with migrated databases `saegim` and `keyring`, for tests and benchmarks.

If SAEGIM_PREPARED_CLUSTER names a folder, the first caller prepares a cluster there and each new
server starts from a copy of it, which takes a tenth of the processor time. Otherwise each server
creates and migrates its own cluster.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import psycopg

from saegim.db.migrate import ensure_database, migrate
from saegim.encryption import key_store as keyring_store
from saegim.localservers.postgres import LocalPostgres
from saegim.localservers.servers import LocalServers

VARIABLE = "SAEGIM_PREPARED_CLUSTER"
DATA = "saegim"
KEYRING = "keyring"


def start_servers(folder: Path, *, durable: bool = True) -> LocalServers:
    """Starts Postgres and Valkey, and migrates the databases."""
    copy_cluster(folder / "postgres")
    with ExitStack() as on_failure:
        servers = on_failure.enter_context(LocalServers.start(folder, durable=durable))
        migrate_databases(servers.postgres)
        on_failure.pop_all()
    return servers


def start_postgres(
    folder: Path, settings: Mapping[str, str] | None = None, *, durable: bool = True
) -> LocalPostgres:
    """Starts Postgres, and migrates the databases."""
    copy_cluster(folder)
    with ExitStack() as on_failure:
        postgres = on_failure.enter_context(LocalPostgres.start(folder, settings, durable=durable))
        migrate_databases(postgres)
        on_failure.pop_all()
    return postgres


def copy_cluster(folder: Path) -> None:
    """Copies the prepared cluster into the folder of a new server; without one does nothing."""
    prepared, data = os.environ.get(VARIABLE), folder / "data"
    if prepared is None or data.exists():
        return
    source = _prepare(Path(prepared))
    folder.mkdir(parents=True, exist_ok=True)
    # Keeps the owner: under root, Postgres runs as another user.
    subprocess.run(["cp", "-a", str(source), str(data)], check=True)


def migrate_databases(postgres: LocalPostgres) -> None:
    """Creates and migrates the databases, as far as they are not."""
    for name in (DATA, KEYRING):
        ensure_database(postgres.url(), name)
    migrate(postgres.url(DATA), postgres.url(DATA, user="saegim_app"))
    keyring_store.prepare(postgres.url(KEYRING))


def copy_data(postgres: LocalPostgres, name: str) -> None:
    """Creates another migrated database from the migrated one, to which nothing is connected."""
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        statement = f'create database "{name}" template "{DATA}" strategy file_copy'
        connection.execute(statement.encode())
    # Settings of a role in a database are not copied with it.
    migrate(postgres.url(name), postgres.url(name, user="saegim_app"))


def _prepare(folder: Path) -> Path:
    """Returns the data of the prepared cluster, which the first caller creates."""
    cluster, unfinished = folder / "cluster", folder / "unfinished"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not cluster.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            with LocalPostgres.start(unfinished, durable=False) as postgres:
                migrate_databases(postgres)
            unfinished.rename(cluster)
    return cluster / "data"
