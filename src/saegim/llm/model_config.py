"""The configuration of models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from saegim.llm.ports import EVERYTHING, EgressPolicy, ModelRole, TimeLimits

Thinking = Literal["minimal", "low", "medium", "high"]

BundledModel = Literal["accurate", "fast"]

OPENAI_URL = "https://api.openai.com/v1"


def host_of(base_url: str | None) -> str:
    """Return host and port of a URL, which may have a password."""
    return urlsplit(base_url or "").netloc.rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """One model behind an OpenAI-compatible URL; without `base_url`, OpenAI."""

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 30.0
    retries: int = 1
    thinking: Thinking | None = None
    """The effort of a reasoning model; None is the model's default."""
    json_schema: bool = True
    """Whether structured output is requested by JSON schema; otherwise by tool call."""
    limits: TimeLimits | None = None
    """Time limits of a tenant's own model; None uses those of the settings."""
    egress: EgressPolicy = EVERYTHING
    connection: str | None = None
    """The name of the tenant's connection; None for a model of the settings."""
    takes_tools: bool = True
    """False if a test or a refusal found that it takes no tools."""


@dataclass(frozen=True, slots=True)
class EmbedderConfig:
    """An embedder: a bundled one, which needs no network and no key, or a provider's."""

    kind: BundledModel | Literal["compatible"] = "accurate"
    model: str = ""
    dimensions: int = 512
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 30.0
    retries: int = 3
    batch_size: int = 128
    shorten: bool = False
    """Request `dimensions` values; only some models (text-embedding-3, gemini) support it."""


@dataclass(frozen=True, slots=True)
class ModelsConfig:
    """The models by role, and the embedder. A role without a model uses its fallback."""

    roles: Mapping[ModelRole, ModelConfig] = field(default_factory=dict[ModelRole, ModelConfig])
    embedder: EmbedderConfig = EmbedderConfig()
