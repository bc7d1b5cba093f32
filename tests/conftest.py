import contextlib
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pydantic_ai.models
import pytest

from saegim.db.migrate import ensure_database, migrate
from saegim.encryption import key_store as keyring_store
from saegim.localservers.servers import LocalServers
from tests.stack import Databases, Stack, new_stack

pydantic_ai.models.ALLOW_MODEL_REQUESTS = False

TEMPLATE = "saegim_template"
KEYRING_TEMPLATE = "keyring_template"


@pytest.fixture(scope="session")
def servers() -> Iterator[LocalServers]:
    """Real Postgres and Valkey for the whole run, started by the first test that asks."""
    # Not tmp_path: under root the server's own user has to pass the folders above.
    with (
        tempfile.TemporaryDirectory(prefix="saegim-test-") as folder,
        LocalServers.start(Path(folder), durable=False) as running,
    ):
        yield running


@pytest.fixture(scope="session")
def templates(servers: LocalServers) -> LocalServers:
    """A migrated database and a keyring, to be copied: a copy takes a tenth of a second."""
    return prepare_templates(servers)


def prepare_templates(servers: LocalServers) -> LocalServers:
    """Makes the databases that `copied` copies."""
    admin = servers.postgres.url()
    for name in (TEMPLATE, KEYRING_TEMPLATE):
        ensure_database(admin, name)
    app = servers.postgres.url(TEMPLATE, user="saegim_app")
    migrate(servers.postgres.url(TEMPLATE), app)
    keyring_store.prepare(servers.postgres.url(KEYRING_TEMPLATE))
    return servers


@pytest.fixture(scope="module")
def databases(
    templates: LocalServers,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Databases]:
    """Databases of the test module's own."""
    name = request.module.__name__.rpartition(".")[2][-40:]
    with copied(templates, name, tmp_path_factory.mktemp("index")) as own:
        yield own


@contextlib.contextmanager
def copied(templates: LocalServers, name: str, index: Path) -> Iterator[Databases]:
    """Copies of the templates, dropped in the end."""
    copies = {f"t_{name}": TEMPLATE, f"k_{name}": KEYRING_TEMPLATE}
    with psycopg.connect(templates.postgres.url(), autocommit=True) as connection:
        for copy, template in copies.items():
            connection.execute(f'create database "{copy}" template "{template}"'.encode())
            # Settings of a role in a database are not copied with it.
            connection.execute(
                f'alter role saegim_app in database "{copy}" '
                "set search_path to saegim, public".encode()
            )
        yield Databases(templates, f"t_{name}", f"k_{name}", index)
        for copy in copies:
            connection.execute(f'drop database "{copy}" with (force)'.encode())


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    """All services on real stores, with scripted models and a small embedder."""
    async with new_stack(databases) as running:
        yield running
