"""Checks of production before it serves."""

from collections.abc import Iterator

import psycopg
import pytest
import typer
from pydantic import SecretStr

from saegim.app.settings import Settings
from saegim.cli.language import LOCALE
from saegim.cli.server.preflight import preflight_checks
from saegim.cli.server.processes import migrate
from saegim.db.migrate import ensure_database
from tests.stack import Databases

APP = "fence_app"
KOREAN = {"row-level security": "행 수준 보안"}


@pytest.fixture
def role(databases: Databases) -> Iterator[psycopg.Connection]:
    """A login of the app's kind, and a connection that may change what it is."""
    with psycopg.connect(databases.admin_url, autocommit=True) as owner:
        owner.execute(f"create role {APP} login".encode())
        owner.execute(f"grant saegim_app to {APP}".encode())
        yield owner
        owner.execute("alter table saegim.session owner to postgres")
        owner.execute(f"drop role {APP}".encode())


@pytest.fixture
def settings(databases: Databases) -> Settings:
    url = databases.servers.postgres.url(databases.data, user=APP)
    return databases.settings().model_copy(update={"postgres_url": SecretStr(url)})


@pytest.mark.usefixtures("role")
def test_a_plain_login_may_serve(settings: Settings) -> None:
    preflight_checks(settings)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("alter role fence_app bypassrls", "row-level security"),
        ("alter role fence_app superuser", "row-level security"),
        ("grant postgres to fence_app", "row-level security"),
        ("alter table saegim.session owner to fence_app", "SAEGIM_POSTGRES_ADMIN_URL"),
    ],
)
def test_a_login_that_could_cross_the_fence_may_not(
    role: psycopg.Connection,
    settings: Settings,
    change: str,
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    role.execute(change.encode())
    with pytest.raises(typer.Exit) as ended:
        preflight_checks(settings)
    assert ended.value.exit_code == 1
    shown = capsys.readouterr().err
    assert "SAEGIM_POSTGRES_URL" in shown
    assert (KOREAN.get(reason, reason) if LOCALE == "ko" else reason) in shown


def test_migrate_makes_an_empty_database_ready_to_serve(databases: Databases) -> None:
    server = databases.servers.postgres
    for name in ("fence_data", "fence_keys"):
        ensure_database(server.url(), name)
    settings = databases.settings().model_copy(
        update={
            "postgres_url": SecretStr(server.url("fence_data", user="saegim_app")),
            "postgres_admin_url": SecretStr(server.url("fence_data")),
            "keyring_url": SecretStr(server.url("fence_keys")),
        }
    )
    assert migrate(settings) == migrate(settings)
    preflight_checks(settings)


def test_migrate_names_the_login_it_needs(
    databases: Databases, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = databases.settings().model_copy(update={"postgres_admin_url": None})
    with pytest.raises(typer.Exit):
        migrate(settings)
    assert "SAEGIM_POSTGRES_ADMIN_URL is not set" in capsys.readouterr().err
