"""`saegim doctor` on real stores, some of which are not as they should be."""

import asyncio
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr

from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.patience import patient
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.cli.dev.data import prepare
from saegim.cli.dev.servers import Servers
from saegim.cli.doctor.checks import check
from saegim.cli.environment import DataFolder
from saegim.cli.findings import Level
from saegim.db.cells import HOME_CELL
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from tests.stack import Databases

NOBODY_HERE = SecretStr("redis://127.0.0.1:1/0")


@pytest.fixture(scope="module")
def settings(databases: Databases) -> Settings:
    """Stores with a tenant and a user, indexed with the bundled embedder."""
    asyncio.run(add_tenant(databases.settings(), Fakes()))
    return databases.settings()


async def add_tenant(settings: Settings, fakes: Fakes) -> None:
    services = build(settings, patient(fakes))
    await services.open()
    made = await services.auth.tenants.create("의사", "ko", HOME_CELL)
    await services.auth.tenants.create_key(made.tenant.id, made.assistant.id, "key", user="김 의사")
    await services.close()


def look(settings: Settings, **changed: object) -> dict[str, list[Level]]:
    found: dict[str, list[Level]] = {}
    for finding in check(settings.model_copy(update=changed), dev=False, fakes=patient(Fakes())):
        found.setdefault(finding.part, []).append(finding.level)
    return found


def test_stores_that_are_well(settings: Settings) -> None:
    found = look(settings)
    assert found["postgres"] == found["pgvector"] == found["migrations"] == ["ok"]
    assert found["isolation"] == found["redis"] == found["jobs"] == ["ok"]
    assert set(found["embedder"]) == {"ok"}
    # On one server with the data, and nobody at work.
    assert found["keyring"] == found["worker"] == ["warning"]


def test_a_keyring_beside_the_data_is_ok_in_development(settings: Settings) -> None:
    found = check(settings, dev=True, fakes=patient(Fakes()))
    assert [each.level for each in found if each.part == "keyring"] == ["ok"]


def test_a_login_above_the_fence_is_broken(settings: Settings) -> None:
    assert look(settings, postgres_url=settings.postgres_admin_url)["isolation"] == ["broken"]


def test_a_master_key_of_another_keyring_is_broken(settings: Settings) -> None:
    key = SecretStr(format_master_key(new_key()))
    assert look(settings, master_key=key)["keyring"] == ["broken"]


def test_a_missing_secret_is_named(settings: Settings) -> None:
    (finding,) = [
        finding
        for finding in check(settings.model_copy(update={"keyring_url": None}), dev=False)
        if finding.level == "broken"
    ]
    assert finding.text == "SAEGIM_KEYRING_URL is not set"


def test_redis_away_is_a_warning(settings: Settings) -> None:
    assert look(settings, redis_url=NOBODY_HERE)["redis"] == ["warning"]


def test_without_the_owners_login_indexes_are_not_compared(settings: Settings) -> None:
    assert look(settings, postgres_admin_url=None)["embedder"] == ["ok"]
    assert look(settings, postgres_admin_url=settings.postgres_url)["embedder"] == ["warning"]


def test_an_index_of_another_embedder_is_broken(databases: Databases) -> None:
    settings = databases.settings()
    asyncio.run(add_tenant(settings, Fakes(embedder=HashEmbedder())))
    assert "broken" in look(settings)["embedder"]


def test_dev_does_not_go_on_with_a_new_master_key_for_an_old_keyring(
    settings: Settings, tmp_path: Path
) -> None:
    lost = settings.model_copy(update={"master_key": None})
    assert settings.postgres_admin_url is not None
    servers = Servers(lost, settings.postgres_admin_url.get_secret_value(), ())
    folder = DataFolder(tmp_path)
    with pytest.raises(typer.Exit):
        prepare(servers, folder)
    assert not folder.master_key.exists()
    assert settings.master_key is not None
    folder.master_key.write_text(settings.master_key.get_secret_value())
    assert prepare(servers, folder).master_key == settings.master_key
