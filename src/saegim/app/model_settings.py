"""The models of the environment. Light to import: commands check it before they start."""

from functools import partial

from pydantic import SecretStr

from saegim.app.settings import Settings
from saegim.llm.model_config import EmbedderConfig, ModelsConfig
from saegim.llm.ports import ModelRole, TimeLimits
from saegim.llm.presets import PresetName, preset, provider_of, provider_url
from saegim.llm.providers import HOSTED, PROVIDERS, default_limits


def provider_name(settings: Settings) -> PresetName:
    """Return the provider; a base URL without one is of an OpenAI-compatible server."""
    if settings.provider == "offline" and settings.provider_base_url is not None:
        return "compatible"
    return settings.provider


def models_config(settings: Settings) -> ModelsConfig:
    """Return the model of each role. Raises ValueError that names a missing setting."""
    names = {role: getattr(settings, f"model_{role.value}") for role in ModelRole}
    provider = provider_name(settings)
    make = partial(
        preset,
        provider,
        base_url=settings.provider_base_url,
        api_key=secret(settings.provider_api_key),
        model=settings.model,
        models={role: name for role, name in names.items() if name},
        limits=time_limits(settings),
    )
    if settings.embedder_model is None:
        own = provider_of(provider)
        bundled = own is None or PROVIDERS[own].embedding is None
        return make(embedder=EmbedderConfig(settings.bundled_embedder) if bundled else None)
    model, dimensions = settings.embedder_model, settings.embedder_dimensions
    url, key = settings.provider_base_url, settings.provider_api_key
    return make(embedder=compatible_embedder(model, dimensions, url, key))


def time_limits(settings: Settings) -> TimeLimits:
    """Return the time limits of the settings; those that are not set are the provider's."""
    url = settings.provider_base_url or provider_url(provider_name(settings))
    default = HOSTED if url is None else default_limits(url)
    return TimeLimits(
        default.step if settings.model_step_seconds is None else settings.model_step_seconds,
        settings.model_first_token_seconds or default.first_token,
        settings.model_turn_seconds or default.turn,
        settings.model_background_seconds or default.background,
    )


def compatible_embedder(
    model: str, dimensions: int, url: str | None, key: SecretStr | None
) -> EmbedderConfig:
    return EmbedderConfig(
        kind="compatible",
        model=model,
        dimensions=dimensions,
        base_url=url,
        api_key=secret(key),
        shorten=True,
    )


def secret(value: SecretStr | None) -> str | None:
    return None if value is None else value.get_secret_value()
