"""Settings that a running `saegim dev` leaves for other commands."""

import stat
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr

from saegim.app.settings import Settings
from saegim.cli.environment import (
    DataFolder,
    load,
    load_for,
    read_private,
    write_private,
    write_running,
)


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SAEGIM_{name.upper()}", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "데이터 폴더")


def left_in(folder: DataFolder) -> Settings:
    """Returns the settings of a `saegim dev` in the folder."""
    folder.path.mkdir()
    settings = Settings(
        data=folder.path,
        port=8123,
        postgres_url=SecretStr("postgresql://app@/saegim?host=/tmp/it's here&port=5432"),
        redis_url=SecretStr("redis://127.0.0.1:1/0"),
        master_key=SecretStr("secret-master"),
        provider="compatible",
        provider_api_key=SecretStr("secret-provider"),
    )
    write_running(folder, settings)
    return settings


def test_another_command_finds_what_dev_left(folder: DataFolder) -> None:
    left = left_in(folder)
    write_private(folder.master_key, "from-the-file\n")
    found = load_for(folder.path)
    assert found.postgres_url == left.postgres_url
    assert found.redis_url == left.redis_url
    assert (found.port, found.data, found.provider) == (8123, folder.path, "compatible")
    assert found.master_key == SecretStr("from-the-file")


def test_no_secret_but_addresses_is_left_and_nobody_else_may_read_it(folder: DataFolder) -> None:
    left_in(folder)
    left = folder.running.read_text("utf-8")
    assert "redis://127.0.0.1:1/0" in left
    assert "secret-master" not in left
    assert "secret-provider" not in left
    assert stat.S_IMODE(folder.running.stat().st_mode) == 0o600


def test_an_environment_that_names_a_postgres_goes_before_the_folder_it_stands_in(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_in(folder)
    monkeypatch.setenv("SAEGIM_DATA", str(folder.path))
    monkeypatch.setenv("SAEGIM_POSTGRES_URL", "postgresql://elsewhere/saegim")
    assert load_for(None).postgres_url == SecretStr("postgresql://elsewhere/saegim")


def test_a_folder_that_is_named_goes_before_the_environment(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = left_in(folder)
    monkeypatch.setenv("SAEGIM_POSTGRES_URL", "postgresql://elsewhere/saegim")
    assert load_for(folder.path).postgres_url == left.postgres_url


def test_where_nothing_runs_no_postgres_is_known(folder: DataFolder) -> None:
    assert load_for(folder.path).postgres_url is None


def test_a_wrong_setting_is_named_without_its_value(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAEGIM_PORT", "sgm_secret")
    with pytest.raises(typer.Exit) as ended:
        load()
    shown = capsys.readouterr().err
    assert ended.value.exit_code == 1
    assert "SAEGIM_PORT" in shown
    assert "sgm_secret" not in shown


@pytest.mark.parametrize("name", ["SAEGIM_PORT", "SAEGIM_METRICS_PORT"])
def test_a_port_made_by_kubernetes_says_what_to_do(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, "tcp://10.0.0.1:80")
    with pytest.raises(typer.Exit):
        load()
    said = " ".join(capsys.readouterr().err.split())
    assert f"{name}: " in said
    assert "enableServiceLinks: false" in said


def test_a_private_file_is_replaced_whole(tmp_path: Path) -> None:
    place = tmp_path / "key"
    place.write_text("old")
    place.chmod(0o644)
    write_private(place, "new\n")
    assert read_private(place) == "new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [place]


def test_a_private_file_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert read_private(tmp_path / "key") is None


def test_the_folder_counts_wherever_the_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = DataFolder(tmp_path / ".saegim")
    folder.path.mkdir()
    write_running(folder, Settings(postgres_url=SecretStr("postgresql://here/saegim")))
    monkeypatch.chdir(folder.path)
    assert load_for(folder.path).data == folder.path


def test_lists_and_objects_come_back_as_they_were(folder: DataFolder) -> None:
    folder.path.mkdir()
    settings = Settings(
        data=folder.path,
        sources_private_networks=["10.0.0.0/8", "127.0.0.1/32"],
        webhooks_private_networks=["10.1.0.0/16"],
        memory_retention_days={"todo": 30},
        tool_keys={"finnhub": SecretStr("of-somebody")},
    )
    write_running(folder, settings)
    found = load_for(folder.path)
    assert found.sources_private_networks == settings.sources_private_networks
    assert found.webhooks_private_networks == settings.webhooks_private_networks
    assert found.memory_retention_days == {"todo": 30}
    assert "of-somebody" not in folder.running.read_text("utf-8")
