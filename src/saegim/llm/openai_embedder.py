"""Embedding models behind any OpenAI-compatible `/embeddings`."""

import asyncio
from collections.abc import Sequence
from itertools import batched

from pydantic_ai.embeddings import EmbeddingSettings
from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior
from pydantic_ai.providers.openai import OpenAIProvider

from saegim.domain.errors import ModelUnavailable
from saegim.llm.calls import reading_answer
from saegim.llm.faults import fault_of, pause_before_retry
from saegim.llm.model_config import EmbedderConfig
from saegim.llm.openai_client import openai_client
from saegim.llm.ports import EmbedKind, SimilarityScale, unit


class CompatibleEmbedder:
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

    @property
    def scale(self) -> SimilarityScale:
        return SimilarityScale()

    async def warm_up(self) -> None:
        """Do nothing: there is no model to load."""

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        vectors: list[list[float]] = []
        for batch in batched(texts, self._config.batch_size):
            vectors.extend(await self._embed(list(batch), kind))
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
        return [unit(vector, self.dimensions, self.name) for vector in result.embeddings]
