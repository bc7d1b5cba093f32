"""Vectors for memory, by the embedder that a tenant's index of memory is made with."""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from saegim.domain.errors import ModelUnavailable
from saegim.llm.types import Embedders
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.types import Searchable
from saegim.text import analysis

MOST_KNOWN = 10_000


class MemoryEmbedder:
    def __init__(self, index: PostgresEpisodes, embedders: Embedders) -> None:
        self._index = index
        self._embedders = embedders
        self._last: dict[UUID, str] = {}

    async def searchables(self, tenant: UUID, texts: Sequence[str]) -> list[Searchable]:
        """What recall searches in each text. Raises ModelUnavailable."""
        name = await self._index.embedder(tenant)
        vectors = await self._embedders.named(name).embed(texts, "document")
        return [
            Searchable(vector, analysis.index_terms(text), name)
            for text, vector in zip(texts, vectors, strict=True)
        ]

    def question(self, tenant: UUID, text: str) -> "QuestionVector":
        """A question on its way to being a vector."""
        return QuestionVector(self, tenant, text, self._last.get(tenant))

    async def vector(self, tenant: UUID, text: str, name: str) -> Sequence[float]:
        """The vector of a question; without direction where the embedder does not answer: words
        alone decide then. Raises ModelUnavailable where the settings do not provide it."""
        if len(self._last) >= MOST_KNOWN:
            self._last.clear()
        self._last[tenant] = name
        embedder = self._embedders.named(name)
        try:
            [vector] = await embedder.embed([text], "query")
        except ModelUnavailable:
            return [0.0] * embedder.dimensions
        return vector


def let_go(task: "asyncio.Task[Any]") -> None:
    """Ends a task that nobody waits for; what it failed with is nobody's concern."""
    task.cancel()
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


class QuestionVector:
    """Made at once by the embedder that the tenant had last, while the index is asked which one
    it has now."""

    def __init__(
        self, embedder: MemoryEmbedder, tenant: UUID, text: str, likely: str | None
    ) -> None:
        self._embedder = embedder
        self._tenant = tenant
        self._text = text
        self._likely = likely
        self._begun = None if likely is None else asyncio.create_task(self._make(likely))

    async def by(self, name: str) -> Sequence[float]:
        """The vector by this embedder. Raises ModelUnavailable where the settings lack it."""
        if self._begun is not None and name == self._likely:
            return await self._begun
        return await self._make(name)

    def drop(self) -> None:
        """Lets go of what was begun."""
        if self._begun is not None:
            let_go(self._begun)

    async def _make(self, name: str) -> Sequence[float]:
        return await self._embedder.vector(self._tenant, self._text, name)
