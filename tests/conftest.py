import contextlib
import gc
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import psycopg
import pydantic_ai.models
import pytest
from hypothesis import settings

from benchmarks import prepared_cluster
from saegim.api.app import create_app
from saegim.app import gc_tuning
from saegim.app.container import Services
from saegim.db.cells import HOME_CELL
from saegim.localservers.servers import LocalServers
from tests.stack import Databases, Stack, new_stack, open_services

# Until all tests are collected: imports make objects that stay.
gc.disable()
pydantic_ai.models.ALLOW_MODEL_REQUESTS = False
# A busy machine is no failure: an example may take as long as it takes.
settings.register_profile("saegim", deadline=None)
settings.load_profile("saegim")

# The files that take longest, longest first: a run with several workers ends when the last of them
# does. Tests of the same file stay in their order.
# Starts of whole programs are not first: they would compete with the faults of test_chaos.
LONGEST = (
    "acceptance/test_chaos.py",
    "web/test_library.py",
    "web/test_memory.py",
    "web/test_chat.py",
    "integration/isolation/test_plans.py",
    "acceptance/dev/test_dev.py",
    "acceptance/dev/test_quick_start.py",
    "web/test_settings.py",
    "acceptance/test_example_tenant.py",
    "integration/sources/test_web_sources.py",
    "integration/chat/test_answers.py",
    "acceptance/test_working_memory.py",
    "web/test_widget.py",
    "web/test_chat_quality.py",
    "web/test_setup_in_browser.py",
    "web/test_operations.py",
    "acceptance/test_api.py",
    "acceptance/test_erasure.py",
    "acceptance/test_library_benchmarks.py",
    "acceptance/dev/test_servers_of_ones_own.py",
    "acceptance/dev/test_offline.py",
    "acceptance/test_responsive.py",
    "acceptance/test_trace.py",
    "acceptance/test_authorisation.py",
    "web/test_memory_library_quality.py",
    "web/test_plain_pages.py",
    "integration/governance/tenant_move/test_moves.py",
    "integration/governance/reembedding/test_reembed.py",
    "integration/isolation/test_canary.py",
    "integration/library/parsing/test_hostile.py",
    "integration/channels/discord/test_answers.py",
    "integration/chat/test_anything.py",
    "integration/chat/test_injection.py",
    "integration/conversations/test_lost_cache.py",
    "integration/memory/test_replay.py",
    "integration/chat/test_outages.py",
    "integration/chat/test_degraded.py",
    "integration/jobs/test_takeover.py",
    "integration/jobs/test_fairness.py",
    "integration/client/test_npm_package.py",
    "integration/library/test_languages.py",
    "web/test_answers.py",
    "web/test_switch.py",
    "integration/sources/test_source_commands.py",
    "integration/cli/test_terminal.py",
)
TEMPLATES = (prepared_cluster.DATA, prepared_cluster.KEYRING)


def pytest_configure(config: pytest.Config) -> None:
    """Lets all workers of a run share one prepared cluster, which the first that needs it makes."""
    if prepared_cluster.VARIABLE not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="saegim-prepared-")
        config.add_cleanup(folder.cleanup)
        environment = pytest.MonkeyPatch()
        environment.setenv(prepared_cluster.VARIABLE, folder.name)
        config.add_cleanup(environment.undo)


def pytest_collection_finish() -> None:
    """Leaves all that was imported out of later collections of garbage."""
    gc.enable()
    gc_tuning.freeze_startup_objects()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the tests of the longest files first."""
    here = Path(__file__).parent
    place = {here / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(LONGEST)))


@pytest.fixture(scope="session")
def servers() -> Iterator[LocalServers]:
    """Real Postgres and Valkey for the whole run, started by the first test that asks."""
    # Not tmp_path: under root the server's own user has to pass the folders above.
    with tempfile.TemporaryDirectory(prefix="saegim-test-") as folder:
        prepared_cluster.copy_cluster(Path(folder) / "postgres")
        with LocalServers.start(Path(folder), durable=False) as running:
            yield running


@pytest.fixture(scope="session")
def templates(servers: LocalServers) -> LocalServers:
    """A migrated database and a keyring, to be copied: a copy takes a tenth of a second."""
    prepared_cluster.migrate_databases(servers.postgres)
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
def copied(
    templates: LocalServers,
    name: str,
    index: Path,
    sources: tuple[str, str] = TEMPLATES,
) -> Iterator[Databases]:
    """Copies of the templates, or of other databases, dropped in the end."""
    databases = copy_databases(templates, name, index, sources)
    yield databases
    with psycopg.connect(templates.postgres.url(), autocommit=True) as connection:
        for copy in (databases.data, databases.keyring):
            connection.execute(f'drop database "{copy}" with (force)'.encode())


def copy_databases(
    servers: LocalServers, name: str, index: Path, sources: tuple[str, str]
) -> Databases:
    """Copies databases to which nothing is connected."""
    copies = (f"t_{name}", f"k_{name}")
    with psycopg.connect(servers.postgres.url(), autocommit=True) as connection:
        for copy, source in zip(copies, sources, strict=True):
            # Files are copied in half the processor time that copying through the log takes.
            connection.execute(
                f'create database "{copy}" template "{source}" strategy file_copy'.encode()
            )
            # Settings of a role in a database are not copied with it.
            connection.execute(
                f'alter role saegim_app in database "{copy}" '
                "set search_path to saegim, public".encode()
            )
    return Databases(servers, *copies, index)


@pytest.fixture(scope="module")
async def shared_services(databases: Databases) -> AsyncIterator[Services]:
    """All services on real stores, with scripted models and a small embedder, for a module."""
    async with open_services(databases) as services:
        yield services


@pytest.fixture
async def stack(databases: Databases, shared_services: Services) -> AsyncIterator[Stack]:
    """A tenant and an app of the test's own on the module's services."""
    services = shared_services
    tenant = await services.auth.tenants.create("새김 상사", "ko", HOME_CELL)
    transport = httpx2.ASGITransport(app=create_app(services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as http:
        yield Stack(services, tenant, databases, http)


@pytest.fixture
async def own_stack(databases: Databases) -> AsyncIterator[Stack]:
    """Services of the test's own, for what a process counts or remembers."""
    async with new_stack(databases) as running:
        yield running
