"""External servers: `saegim dev` uses them, and production requires row-level security."""

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr

from saegim.cli.server.preflight import preflight_checks
from saegim.localservers.valkey import find_free_port
from tests.acceptance.dev.home import Home
from tests.stack import MASTER_KEY, Databases


@pytest.fixture(scope="module")
def given(databases: Databases) -> dict[str, str]:
    """Settings of an operator with their own servers."""
    return {
        "SAEGIM_POSTGRES_URL": databases.app_url,
        "SAEGIM_POSTGRES_ADMIN_URL": databases.admin_url,
        "SAEGIM_KEYRING_URL": databases.servers.postgres.url(databases.keyring),
        "SAEGIM_REDIS_URL": databases.servers.valkey.url,
        "SAEGIM_MASTER_KEY": MASTER_KEY,
    }


@pytest.fixture
def home(given: dict[str, str]) -> Iterator[Home]:
    with tempfile.TemporaryDirectory(prefix="saegim-test-") as folder:
        home = Home(Path(folder), find_free_port(), given)
        yield home
        home.stop()


def test_dev_uses_the_servers_it_is_given_and_starts_none(home: Home) -> None:
    home.start()
    assert home.say("안녕하세요")["state"] == "done"
    assert home.stop(signal.SIGTERM) == 0
    made = {path.name for path in home.data.iterdir()}
    assert made >= {"api.log", "demo.key", "worker.log"}
    assert not made & {"postgres", "valkey"}


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("master_key", "SAEGIM_MASTER_KEY is not set"),
        ("postgres_url", "can bypass row-level security"),
    ],
)
def test_production_does_not_start_on_wrong_settings(
    databases: Databases, capsys: pytest.CaptureFixture[str], setting: str, reason: str
) -> None:
    wrong = {"master_key": None, "postgres_url": SecretStr(databases.admin_url)}[setting]
    settings = databases.settings().model_copy(update={setting: wrong})
    with pytest.raises(typer.Exit) as ended:
        preflight_checks(settings)
    assert ended.value.exit_code == 1
    assert reason in " ".join(capsys.readouterr().err.split())


def test_serve_answers_and_stops_when_told(home: Home) -> None:
    home.start("serve")
    reply = home.request("GET", "/health/ready")
    assert reply["ready"] is True
    assert home.stop(signal.SIGTERM) == 0
