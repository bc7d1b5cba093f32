"""Which models to use, as plain values; presets and settings make them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from saegim.llm.ports import ModelRole

Thinking = Literal["minimal", "low", "medium", "high"]

OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """One model behind an OpenAI-compatible address; without `base_url` it is OpenAI's own."""

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 30.0
    retries: int = 1
    thinking: Thinking | None = None
    """How long a reasoning model thinks; None leaves it to the model."""


@dataclass(frozen=True, slots=True)
class EmbedderConfig:
    """Which embedder. `bundled` comes with the release and needs no network and no key."""

    kind: Literal["bundled", "compatible"] = "bundled"
    model: str = "use-multilingual-3"
    dimensions: int = 512
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 30.0
    retries: int = 3
    batch_size: int = 128
    shorten: bool = False
    """Ask for `dimensions` values; only some models (text-embedding-3, gemini) can do that."""


@dataclass(frozen=True, slots=True)
class ModelsConfig:
    """A model for each role that has one, and the embedder. No model means that its twin works."""

    roles: Mapping[ModelRole, ModelConfig] = field(default_factory=dict[ModelRole, ModelConfig])
    embedder: EmbedderConfig = EmbedderConfig()
