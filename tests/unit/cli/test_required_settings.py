import pytest
from pydantic import SecretStr

from saegim.app.container import build
from saegim.app.from_settings import MissingSetting
from saegim.app.settings import Settings

COMPLETE = {
    "postgres_url": "postgresql://app@localhost/saegim",
    "keyring_url": "postgresql://keys@localhost/keyring",
    "redis_url": "redis://localhost",
    "master_key": "A" * 43 + "=",
}


def settings(**changed: str | None) -> Settings:
    values = {name: value for name, value in (COMPLETE | changed).items() if value is not None}
    return Settings(**{name: SecretStr(value) for name, value in values.items()})  # pyright: ignore[reportArgumentType] - secrets by name


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SAEGIM_{name.upper()}", raising=False)


@pytest.mark.requirement("OP4")
@pytest.mark.parametrize("name", COMPLETE)
def test_nothing_is_built_without_a_secret_and_the_message_names_it(name: str) -> None:
    assert build(settings())
    with pytest.raises(MissingSetting, match=f"SAEGIM_{name.upper()} is not set"):
        build(settings(**{name: None}))


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAEGIM_MASTER_KEY", "")
    monkeypatch.setenv("SAEGIM_PORT", "")
    assert Settings().master_key is None
    assert Settings().port == 8000


@pytest.mark.parametrize("key", ["not base64!", "c2hvcnQ="])
def test_a_master_key_that_is_none_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(MissingSetting, match="SAEGIM_MASTER_KEY") as caught:
        build(settings(master_key=key))
    assert key not in str(caught.value)
