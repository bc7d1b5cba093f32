"""A fake embedder."""

from collections.abc import Sequence
from hashlib import blake2b
from math import sqrt
from unicodedata import normalize

from saegim.llm.ports import EmbedKind, SimilarityScale


def hashed_vector(text: str, dimensions: int) -> list[float]:
    """Return a deterministic unit vector of the bigrams; similar texts have similar vectors."""
    vector = [0.0] * dimensions
    padded = f" {normalize('NFKC', text).casefold()} "
    for start in range(len(padded) - 1):
        digest = blake2b(padded[start : start + 2].encode(), digest_size=8).digest()
        value = int.from_bytes(digest)
        vector[value % dimensions] += 1.0 if value >> 63 else -1.0
    length = sqrt(sum(part * part for part in vector))
    if length == 0.0:
        return [1.0] + [0.0] * (dimensions - 1)
    return [part / length for part in vector]


class HashEmbedder:
    """A fast, deterministic embedder by wording."""

    def __init__(self, dimensions: int = 64) -> None:
        self._dimensions = dimensions
        self.embedded: list[tuple[str, EmbedKind]] = []

    @property
    def name(self) -> str:
        return f"hash/{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def scale(self) -> SimilarityScale:
        # Texts that share half of their words have about 0.4.
        return SimilarityScale(0.0, 0.4)

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        self.embedded.extend((text, kind) for text in texts)
        return [hashed_vector(text, self._dimensions) for text in texts]
