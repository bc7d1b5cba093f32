"""The table of providers, and what a preset of the environment lacks."""

import pytest

from saegim.app.from_settings import turn_times
from saegim.app.model_settings import models_config, provider_name, time_limits
from saegim.app.settings import Settings
from saegim.chat.types import TurnTimes
from saegim.llm.ports import ModelRole
from saegim.llm.presets import PresetName, preset
from saegim.llm.providers import HOSTED, LOCAL, PROVIDERS, default_limits, role_config


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:11434/v1",
        "http://localhost:8080/v1",
        "http://192.168.0.7/v1",
        "http://ollama:11434/v1",
        "http://[::1]:11434/v1",
        "http://gpu.local/v1",
    ],
)
def test_local_servers_get_longer_time_limits(url: str) -> None:
    assert default_limits(url) == LOCAL


@pytest.mark.parametrize("url", ["https://api.openai.com/v1", "https://8.8.8.8/v1"])
def test_hosted_providers_get_short_time_limits(url: str) -> None:
    assert default_limits(url) == HOSTED


@pytest.mark.parametrize(
    ("role", "seconds"),
    [
        (ModelRole.ASSESSOR, 15.0),
        (ModelRole.LITE, 30.0),
        (ModelRole.STRONG, 30.0),
        (ModelRole.EXTRACTOR, 60.0),
    ],
)
def test_timeout_of_a_role(role: ModelRole, seconds: float) -> None:
    config = role_config("openai", role, "m", "https://api.openai.com/v1", "k", HOSTED)
    assert config.timeout_seconds == seconds


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini"])
def test_answers_come_from_the_large_class_and_background_from_the_small(
    name: PresetName,
) -> None:
    models = {role: config.model for role, config in preset(name, api_key="k").roles.items()}
    provider = PROVIDERS[name]  # pyright: ignore[reportArgumentType] - also a provider
    answering = {models[role] for role in (ModelRole.LITE, ModelRole.STRONG, ModelRole.JUDGE)}
    assert answering == {provider.large}
    assert {models[ModelRole.EXTRACTOR], models[ModelRole.SUMMARIZER]} == {provider.small}
    assert provider.small != provider.large


def test_only_default_models_that_somebody_waits_for_think_little() -> None:
    roles = preset("openai", api_key="k").roles
    quick = {role for role, config in roles.items() if config.thinking == "minimal"}
    assert quick == {ModelRole.LITE, ModelRole.ASSESSOR}
    own = preset("openai", api_key="k", model="gpt-4.1").roles[ModelRole.LITE]
    assert own.thinking is None, "another model may refuse the option"


def test_anthropic_gets_structured_output_by_tool_call() -> None:
    config = preset("anthropic", api_key="k").roles[ModelRole.LITE]
    assert (config.base_url, config.json_schema) == (PROVIDERS["anthropic"].base_url, False)


@pytest.mark.requirement("OP7")
@pytest.mark.parametrize(
    ("name", "given", "missing"),
    [
        ("openai", {}, "SAEGIM_PROVIDER_API_KEY"),
        ("anthropic", {}, "SAEGIM_PROVIDER_API_KEY"),
        ("gemini", {}, "SAEGIM_PROVIDER_API_KEY"),
        ("ollama", {}, "SAEGIM_MODEL"),
        ("compatible", {"model": "m"}, "SAEGIM_PROVIDER_BASE_URL"),
        ("compatible", {"base_url": "http://127.0.0.1:1/v1"}, "SAEGIM_MODEL"),
    ],
)
def test_error_names_the_missing_setting(
    name: PresetName, given: dict[str, str], missing: str
) -> None:
    with pytest.raises(ValueError, match=f"{missing} is not set"):
        preset(name, base_url=given.get("base_url"), model=given.get("model"))


def test_base_url_alone_is_a_compatible_server() -> None:
    settings = Settings(provider_base_url="http://127.0.0.1:1/v1", model="m")
    assert provider_name(settings) == "compatible"
    assert models_config(settings).roles[ModelRole.STRONG].model == "m"


def test_a_local_model_is_asked_once_unless_a_step_gets_time() -> None:
    local, fast = (
        Settings(provider="ollama", model="m", model_step_seconds=seconds) for seconds in (None, 6)
    )
    assert [turn_times(each).asks_once for each in (local, fast)] == [True, False]
    assert turn_times(local).step > 0, "searches need time, too"
    assert TurnTimes().at_least(LOCAL).asks_once
    assert not TurnTimes.of(LOCAL).at_least(HOSTED).asks_once
    for settings, review in ((local, LOCAL.turn), (fast, LOCAL.turn / 2)):
        roles = models_config(settings).roles
        assert roles[ModelRole.LITE].timeout_seconds == LOCAL.turn, "it answers"
        assert roles[ModelRole.ASSESSOR].timeout_seconds == review


def test_settings_replace_time_limits() -> None:
    local = Settings(provider="ollama", model="m", model_turn_seconds=900)
    assert (time_limits(local).turn, time_limits(local).step) == (900, LOCAL.step)
    assert models_config(local).roles[ModelRole.STRONG].timeout_seconds == 900
