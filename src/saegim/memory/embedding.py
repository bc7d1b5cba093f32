"""Embed texts and questions with the embedder of a tenant's memory index."""

import asyncio
import re
from collections.abc import Iterable, Sequence, Set
from typing import Any
from uuid import UUID

from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import SimilarityScale
from saegim.llm.types import Embedders
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.types import Searchable, Statement, text_of
from saegim.text import analysis, stemming

MOST_KNOWN = 10_000


class MemoryEmbedder:
    def __init__(self, index: PostgresEpisodes, embedders: Embedders) -> None:
        self._index = index
        self._embedders = embedders
        self._last: dict[UUID, str] = {}

    async def searchables(self, tenant: UUID, texts: Sequence[str]) -> list[Searchable]:
        """Return the search data of each text. Raises ModelUnavailable."""
        name = await self._index.embedder(tenant)
        vectors = await self._embedders.named(name).embed(texts, "document")
        return [
            Searchable(vector, analysis.index_terms(text), name)
            for text, vector in zip(texts, vectors, strict=True)
        ]

    async def searchables_of(
        self, tenant: UUID, statements: Iterable[Statement]
    ) -> list[Searchable]:
        """Return the search data of each statement. Raises ModelUnavailable."""
        texts = [text_of(each.content, each.topic) for each in statements]
        return await self.searchables(tenant, texts)

    def question(self, tenant: UUID, text: str) -> "QuestionVector":
        """Start to embed a question with the last embedder of the tenant."""
        return QuestionVector(self, tenant, text, self._last.get(tenant))

    async def vector(self, tenant: UUID, text: str, name: str) -> Sequence[float]:
        """Embed a question; a zero vector if the embedder is unavailable.

        Raises ModelUnavailable if the embedder is not configured.
        """
        if len(self._last) >= MOST_KNOWN:
            self._last.clear()
        self._last[tenant] = name
        embedder = self._embedders.named(name)
        try:
            [vector] = await embedder.embed([text], "query")
        except ModelUnavailable:
            return [0.0] * embedder.dimensions
        return vector

    def scale(self, name: str) -> SimilarityScale:
        return self._embedders.named(name).scale


def cancel_quietly(task: "asyncio.Task[Any]") -> None:
    """Cancel a task and ignore its exception."""
    task.cancel()
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


_WORD = re.compile(r"[^\W_]+(?:['’]s\b)?")


def leave_out(text: str, words: Set[str]) -> str:
    """Return the text without these words and their particles; all of it if none is left."""

    def kept(match: re.Match[str]) -> str:
        word = re.sub(r"['’]s$", "", analysis.fold(match.group()))
        return "" if word in words or stemming.korean(word).written in words else match.group()

    left = " ".join(_WORD.sub(kept, text).split())
    return left if _WORD.search(left) else text


class QuestionVector:
    """The vector of a question, started with the likely embedder before the index names it."""

    def __init__(
        self, embedder: MemoryEmbedder, tenant: UUID, text: str, likely: str | None
    ) -> None:
        self._embedder = embedder
        self._tenant = tenant
        self._text = text
        self._likely = likely
        self.scale = SimilarityScale()
        """Of the embedder that the index named."""
        self._started = None if likely is None else asyncio.create_task(self._make(likely))

    async def by(self, name: str, without: Set[str] = frozenset()) -> Sequence[float]:
        """Return the vector of this embedder, of the question without some case-folded words.

        Raises ModelUnavailable if the embedder is not configured.
        """
        self.scale = self._embedder.scale(name)
        if without:
            return await self._embedder.vector(self._tenant, leave_out(self._text, without), name)
        if self._started is not None and name == self._likely:
            return await self._started
        return await self._make(name)

    def drop(self) -> None:
        """Cancel the started embedding."""
        if self._started is not None:
            cancel_quietly(self._started)

    async def _make(self, name: str) -> Sequence[float]:
        return await self._embedder.vector(self._tenant, self._text, name)
