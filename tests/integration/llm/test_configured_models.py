import pytest

from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.model_config import ModelConfig, ModelsConfig
from saegim.llm.ports import ModelRole
from saegim.llm.presets import preset
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, TextDelta, TextStep

PROMPT = StepPrompt("s", (Message("user", "안녕?"),), "v")


async def ask(models: ConfiguredModels, role: ModelRole = ModelRole.LITE) -> str:
    step = TextStep("answer", role, StepPath.REPLY)
    events = [event async for event in Steps(models).stream(step, PROMPT, lambda: "fallback", None)]
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.mark.requirement("OP7")
async def test_a_compatible_server_needs_no_key_and_no_variable_of_openai_reaches_it(
    monkeypatch: pytest.MonkeyPatch,
):
    async with BrokenProvider(ProviderMode.REFUSED) as elsewhere, BrokenProvider() as provider:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-environment")
        monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-secret-admin")
        monkeypatch.setenv("OPENAI_BASE_URL", elsewhere.base_url)
        monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
        monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gate: secret\nAuthorization: Bearer secret")
        models = ConfiguredModels(preset("compatible", base_url=provider.base_url, model="m"))

        assert await ask(models) == provider.text
        await models.close()

    (request,) = provider.requests
    assert request.headers["authorization"] == "Bearer no-key"
    assert not any("secret" in value for value in request.headers.values())


async def test_a_given_key_is_sent():
    async with BrokenProvider() as provider:
        config = preset("compatible", base_url=provider.base_url, model="m", api_key="mine")
        models = ConfiguredModels(config)
        await ask(models)
        await models.close()

    assert provider.requests[0].headers["authorization"] == "Bearer mine"


def test_openai_without_a_key_is_refused_even_if_the_environment_has_one(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-environment")

    with pytest.raises(ValueError, match="API_KEY"):
        preset("openai")
    with pytest.raises(ValueError, match="API key"):
        ConfiguredModels(ModelsConfig({ModelRole.LITE: ModelConfig("gpt-5-nano")})).for_role(
            ModelRole.LITE
        )


async def test_each_role_has_its_own_model():
    async with BrokenProvider() as provider:
        named = {ModelRole.LITE: "small", ModelRole.STRONG: "large"}
        models = ConfiguredModels(preset("compatible", base_url=provider.base_url, models=named))
        await ask(models, ModelRole.LITE)
        await ask(models, ModelRole.STRONG)
        assert models.for_role(ModelRole.JUDGE) is None
        assert models.for_role(ModelRole.LITE) is models.for_role(ModelRole.LITE)
        await models.close()

    assert [request.body["model"] for request in provider.requests] == ["small", "large"]


@pytest.mark.parametrize("retries", [0, 1])
async def test_a_failing_provider_is_asked_as_often_as_the_role_says_and_not_more(retries: int):
    async with BrokenProvider(ProviderMode.HTTP_500) as provider:
        config = ModelConfig("m", provider.base_url, retries=retries)
        models = ConfiguredModels(ModelsConfig({ModelRole.LITE: config}))
        assert await ask(models) == "fallback"
        await models.close()

    assert len(provider.requests) == retries + 1


async def test_how_long_a_model_thinks_is_sent_where_it_thinks():
    async with BrokenProvider() as provider:
        models = ConfiguredModels(preset("openai", api_key="k", base_url=provider.base_url))
        await ask(models, ModelRole.LITE)
        await ask(models, ModelRole.STRONG)
        await models.close()

    lite, strong = (request.body for request in provider.requests)
    assert (lite["model"], lite["reasoning_effort"]) == ("gpt-5-mini", "minimal")
    assert strong["model"] == "gpt-5-mini"
    assert "reasoning_effort" not in strong


async def test_an_answer_without_an_end_is_not_taken_for_a_whole_one():
    async with BrokenProvider(text="반만 말하고") as provider:
        provider.finish_reason = None
        models = ConfiguredModels(preset("compatible", base_url=provider.base_url, model="m"))
        step = TextStep("answer", ModelRole.LITE, StepPath.REPLY)
        *_, end = [event async for event in Steps(models).stream(step, PROMPT, lambda: "", None)]
        await models.close()

    assert not isinstance(end, TextDelta)
    assert not end.complete


@pytest.mark.requirement("OP7")
def test_the_presets_of_models():
    assert preset("offline").roles == {}
    assert preset("offline").embedder.kind == "accurate"

    openai = preset("openai", api_key="k")
    small = {ModelRole.SUMMARIZER, ModelRole.ASSESSOR, ModelRole.EXTRACTOR}
    assert {openai.roles[role].model for role in small} == {"gpt-5-nano"}
    assert {openai.roles[role].model for role in set(ModelRole) - small} == {"gpt-5-mini"}
    assert (openai.embedder.model, openai.embedder.dimensions) == ("text-embedding-3-small", 512)

    gemini = preset("gemini", api_key="k")
    assert gemini.roles[ModelRole.EXTRACTOR].model.endswith("flash-lite")
    assert gemini.roles[ModelRole.LITE].model.endswith("flash")
    assert all("googleapis.com" in (role.base_url or "") for role in gemini.roles.values())

    other = preset("openai", api_key="k", models={ModelRole.JUDGE: "gpt-5"})
    assert other.roles[ModelRole.JUDGE].model == "gpt-5"
    assert other.roles[ModelRole.STRONG].model == "gpt-5-mini"


@pytest.mark.parametrize("wrong", [{"model": "m"}, {"base_url": "http://127.0.0.1:1/v1"}, {}])
def test_a_compatible_preset_needs_an_address_and_a_model(wrong: dict[str, str]):
    with pytest.raises(ValueError, match="is not set"):
        preset("compatible", base_url=wrong.get("base_url"), model=wrong.get("model"))


def test_a_key_never_shows_in_a_printed_configuration():
    config = preset("openai", api_key="sk-very-secret")

    assert "sk-very-secret" not in repr(config)
