"""Model presets by provider."""

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
    base_url: str
    small: str
    large: str
    embedding: str
    quick: Thinking | None
    """The reasoning effort of models on the reply path."""


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
    """Return the URL of a preset's provider; None if the settings must name it."""
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
    """Return a preset; `model` replaces the models of all roles, `models` those of single ones."""
    names = {**(dict.fromkeys(ModelRole, model) if model else {}), **(models or {})}
    match name:
        case "offline":
            return ModelsConfig(embedder=embedder or EmbedderConfig())
        case "compatible":
            if base_url is None or not names:
                raise ValueError("preset compatible needs a base URL and a model name")
            roles = {role: _role(role, names[role], base_url, api_key) for role in names}
            return ModelsConfig(roles, embedder or EmbedderConfig())
        case "openai" | "gemini":
            if api_key is None:
                raise ValueError(f"preset {name} needs an API key")
            provider = _PROVIDERS[name]
            url = base_url or provider.base_url
            own = {role: provider.large if role in _LARGE else provider.small for role in ModelRole}
            roles = {
                role: _role(role, model, url, api_key, provider.quick if role in _QUICK else None)
                for role, model in {**own, **names}.items()
            }
            own_embedder = EmbedderConfig(
                "compatible", provider.embedding, base_url=url, api_key=api_key, shorten=True
            )
            return ModelsConfig(roles, embedder or own_embedder)


def _role(
    role: ModelRole,
    model: str,
    base_url: str,
    api_key: str | None,
    thinking: Thinking | None = None,
) -> ModelConfig:
    seconds, retries = _SECONDS_AND_RETRIES[role]
    return ModelConfig(model, base_url, api_key, seconds, retries, thinking)
