"""Models of the environment, by provider."""

from collections.abc import Mapping
from typing import Literal

from saegim.llm.model_config import EmbedderConfig, ModelsConfig
from saegim.llm.ports import ModelRole, TimeLimits
from saegim.llm.providers import (
    PROVIDERS,
    ProviderName,
    default_limits,
    default_model,
    role_config,
)

PresetName = Literal["offline", "openai", "anthropic", "gemini", "ollama", "compatible"]


def provider_of(name: PresetName) -> ProviderName | None:
    """Return the provider of a preset; None without a model."""
    if name == "offline":
        return None
    return "openai-compatible" if name == "compatible" else name


def provider_url(name: PresetName) -> str | None:
    """Return the URL of a preset's provider; None if the settings must name it."""
    provider = provider_of(name)
    return None if provider is None else PROVIDERS[provider].base_url


def preset(  # noqa: PLR0913 - optional keywords
    name: PresetName,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
    models: Mapping[ModelRole, str] | None = None,
    embedder: EmbedderConfig | None = None,
    limits: TimeLimits | None = None,
) -> ModelsConfig:
    """Return a preset; `model` replaces the models of all roles, `models` those of single ones.

    Raises ValueError that names the missing setting.
    """
    provider_name = provider_of(name)
    if provider_name is None:
        return ModelsConfig(embedder=embedder or EmbedderConfig())
    provider = PROVIDERS[provider_name]
    url = base_url or provider.base_url
    if url is None:
        raise ValueError(f"SAEGIM_PROVIDER_BASE_URL is not set; SAEGIM_PROVIDER={name} needs it")
    if provider.needs_key and api_key is None:
        raise ValueError(f"SAEGIM_PROVIDER_API_KEY is not set; SAEGIM_PROVIDER={name} needs it")
    own = {role: default_model(provider_name, role) for role in ModelRole}
    chosen = {**own, **(dict.fromkeys(ModelRole, model) if model else {}), **(models or {})}
    names = {role: each for role, each in chosen.items() if each}
    if not names:
        raise ValueError(f"SAEGIM_MODEL is not set; SAEGIM_PROVIDER={name} needs it")
    limits = limits or default_limits(url)
    roles = {
        role: role_config(provider_name, role, each, url, api_key, limits)
        for role, each in names.items()
    }
    if embedder is None and provider.embedding is not None:
        embedder = EmbedderConfig(
            "compatible", provider.embedding, base_url=url, api_key=api_key, shorten=True
        )
    return ModelsConfig(roles, embedder or EmbedderConfig())
