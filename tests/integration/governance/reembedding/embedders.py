"""Embedders and clocks for moves to another embedder."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

from benchmarks.doubles.embedders import HashEmbedder
from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import EmbedKind

OLD, NEW = HashEmbedder(64).name, HashEmbedder(32).name


class Failing(HashEmbedder):
    """Fails after so many texts, until it is repaired."""

    def __init__(self, dimensions: int = 32, texts: int = 64) -> None:
        super().__init__(dimensions)
        self.left: int | None = texts

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        if self.left is not None:
            if self.left < len(texts):
                raise ModelUnavailable("down")
            self.left -= len(texts)
        return await super().embed(texts, kind)


class Interrupted(HashEmbedder):
    """Lets something happen once, while it embeds a document."""

    def __init__(self, dimensions: int = 64) -> None:
        super().__init__(dimensions)
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        vectors = await super().embed(texts, kind)
        meanwhile, self.meanwhile = self.meanwhile, None
        if kind == "document" and meanwhile is not None:
            await meanwhile()
        return vectors


class Ahead:
    """A clock that can be put forward."""

    def __init__(self) -> None:
        self.by = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.by


def documents(texts: HashEmbedder) -> list[str]:
    """Returns the embedded documents, in order."""
    return [text for text, kind in texts.embedded if kind == "document"]
