"""The model presets of requirement OP7."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from saegim.llm.model_config import (
    OPENAI_URL,
    EmbedderConfig,
    ModelConfig,
    ModelsConfig,
    Thinking,
)
from saegim.llm.ports import ModelRole

PresetName = Literal["offline", "openai", "gemini", "compatible"]

GEMINI_URL = "https://generativelanguage.googleapis.com/v1beta/openai"


@dataclass(frozen=True, slots=True)
class _Provider:
    """What a provider calls its models, and where it is."""

    base_url: str
    small: str
    large: str
    embedding: str
    quick: Thinking | None
    """How long the models that somebody waits for think."""


_PROVIDERS = {
    "openai": _Provider(
        OPENAI_URL, "gpt-5-nano", "gpt-5-mini", "text-embedding-3-small", quick="minimal"
    ),
    "gemini": _Provider(
        GEMINI_URL, "gemini-3.5-flash-lite", "gemini-3.5-flash", "gemini-embedding-001", quick=None
    ),
}
_LARGE = {ModelRole.STRONG, ModelRole.JUDGE}
_QUICK = {ModelRole.LITE, ModelRole.ASSESSOR}
_SECONDS_AND_RETRIES = {
    ModelRole.LITE: (15.0, 1),
    ModelRole.STRONG: (30.0, 1),
    ModelRole.ASSESSOR: (15.0, 1),
    ModelRole.SUMMARIZER: (60.0, 2),
    ModelRole.EXTRACTOR: (60.0, 2),
    ModelRole.JUDGE: (60.0, 2),
}


def provider_url(name: PresetName) -> str | None:
    """Where a preset's provider is; None where the settings name it."""
    return _PROVIDERS[name].base_url if name in _PROVIDERS else None


def preset(
    name: PresetName,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
    models: Mapping[ModelRole, str] | None = None,
    embedder: EmbedderConfig | None = None,
) -> ModelsConfig:
    """A preset, with other models than its own: `model` for all roles, `models` for single ones."""
    chosen = {**(dict.fromkeys(ModelRole, model) if model else {}), **(models or {})}
    match name:
        case "offline":
            return ModelsConfig(embedder=embedder or EmbedderConfig())
        case "compatible":
            if base_url is None or not chosen:
                raise ValueError("preset compatible needs a base URL and a model name")
            roles = {role: _role(role, chosen[role], base_url, api_key) for role in chosen}
            return ModelsConfig(roles, embedder or EmbedderConfig())
        case "openai" | "gemini":
            if api_key is None:
                raise ValueError(f"preset {name} needs an API key")
            return _provided(_PROVIDERS[name], base_url, api_key, chosen, embedder)


def _provided(
    provider: _Provider,
    base_url: str | None,
    api_key: str,
    chosen: Mapping[ModelRole, str],
    embedder: EmbedderConfig | None,
) -> ModelsConfig:
    url = base_url or provider.base_url
    own = {role: provider.large if role in _LARGE else provider.small for role in ModelRole}
    roles = {
        role: _role(role, model, url, api_key, provider.quick if role in _QUICK else None)
        for role, model in {**own, **chosen}.items()
    }
    bought = EmbedderConfig(
        kind="compatible", model=provider.embedding, base_url=url, api_key=api_key, shorten=True
    )
    return ModelsConfig(roles, embedder or bought)


def _role(
    role: ModelRole,
    model: str,
    base_url: str,
    api_key: str | None,
    thinking: Thinking | None = None,
) -> ModelConfig:
    seconds, retries = _SECONDS_AND_RETRIES[role]
    return ModelConfig(model, base_url, api_key, seconds, retries, thinking)
