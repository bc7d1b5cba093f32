"""Which embedders the settings provide, and to whom the provider's key goes."""

from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from saegim.app.container import build
from saegim.app.settings import FurtherEmbedder, Settings
from saegim.domain.errors import ModelUnavailable

STORES: dict[str, Any] = {
    "postgres_url": SecretStr("postgresql://app@localhost/saegim"),
    "keyring_url": SecretStr("postgresql://keys@localhost/keyring"),
    "redis_url": SecretStr("redis://localhost"),
    "master_key": SecretStr("A" * 43 + "="),
}
BUNDLED = ("multilingual-e5-small/384", "use-multilingual-3/512")


def settings(**more: Any) -> Settings:
    return Settings(**{**STORES, **more})


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SAEGIM_{name.upper()}", raising=False)


def test_the_bundled_embedders_are_there_beside_any_other() -> None:
    offline = build(settings())
    bought = build(settings(provider="openai", provider_api_key=SecretStr("sk-1")))
    small = build(settings(resource_preset="low"))
    assert offline.llm.embedders.names == BUNDLED
    assert offline.llm.embedder.name == "multilingual-e5-small/384"
    assert small.llm.embedder.name == "use-multilingual-3/512"
    assert small.llm.embedders.names == BUNDLED
    assert bought.llm.embedder.name == "text-embedding-3-small/512"
    assert bought.llm.embedders.names == (BUNDLED[0], "text-embedding-3-small/512", BUNDLED[1])


def test_further_embedders_come_from_a_json_array(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "SAEGIM_EMBEDDERS",
        '[{"model": "bge-m3", "dimensions": 1024, "base_url": "http://localhost:1/v1"}]',
    )
    services = build(settings())
    assert services.llm.embedders.names == ("bge-m3/1024", *BUNDLED)
    assert services.llm.embedders.first.name == BUNDLED[0]
    with pytest.raises(ModelUnavailable, match="nothing/1"):
        services.llm.embedders.named("nothing/1")


def test_a_further_embedder_that_makes_no_sense_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAEGIM_EMBEDDERS", '[{"model": "bge-m3", "dimension": 1024}]')
    with pytest.raises(ValidationError, match="dimension"):
        Settings()


def test_a_model_without_an_address_needs_a_provider() -> None:
    with pytest.raises(ValueError, match="API key"):
        build(settings(embedders=(FurtherEmbedder(model="text-embedding-3-large"),)))


def test_keys_of_embedders_are_not_shown() -> None:
    further = FurtherEmbedder(model="m", api_key=SecretStr("sk-secret"))
    assert "sk-secret" not in repr(settings(embedders=(further,)))
