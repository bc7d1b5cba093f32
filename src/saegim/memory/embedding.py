"""Vectors for memory, by the embedder that a tenant's index of memory is made with."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from saegim.domain.errors import ModelUnavailable
from saegim.memory.types import Searchable
from saegim.search import analyse
from saegim.steps.embedders import Embedders


class MemoryIndex(Protocol):
    """Tells what a tenant's index of memory is made with."""

    async def embedder(self, tenant: UUID) -> str:
        """The name of its embedder."""
        ...


class MemoryEmbedder:
    def __init__(self, index: MemoryIndex, embedders: Embedders) -> None:
        self._index = index
        self._embedders = embedders

    async def searchables(self, tenant: UUID, texts: Sequence[str]) -> list[Searchable]:
        """What recall searches in each text. Raises ModelUnavailable."""
        name = await self._index.embedder(tenant)
        vectors = await self._embedders.named(name).embed(texts, "document")
        return [
            Searchable(vector, analyse.index_terms(text), name)
            for text, vector in zip(texts, vectors, strict=True)
        ]

    async def question(self, tenant: UUID, text: str) -> Sequence[float]:
        """The vector of a question; without direction where the embedder does not answer: words
        alone decide then. Raises ModelUnavailable where the settings do not provide it."""
        embedder = self._embedders.named(await self._index.embedder(tenant))
        try:
            [vector] = await embedder.embed([text], "query")
        except ModelUnavailable:
            return [0.0] * embedder.dimensions
        return vector
