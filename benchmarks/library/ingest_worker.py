"""A worker process that logs every text it embeds: `python -m benchmarks.library.ingest_worker`.

Tests kill it. A line of the log is the hash of a stored passage.
"""

import argparse
import asyncio
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.patience import patient
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.jobs.types import WorkerTimes
from saegim.library.import_plan import PIPELINE
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import Embedder, EmbedKind, SimilarityScale
from saegim.worker.main import work

# Detects dead workers sooner than in production, so that a run takes minutes.
TIMES = WorkerTimes(
    connect_seconds=30.0, heartbeat_seconds=0.5, stalled_seconds=3.0, sweep_seconds=0.5
)


class NotedEmbedder:
    """An embedder that logs its input before it answers."""

    def __init__(self, inner: Embedder, log: Path) -> None:
        self._inner = inner
        self._log = log

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def scale(self) -> SimilarityScale:
        return self._inner.scale

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        lines = "".join(f"{noted(text)}\n" for text in texts)
        with self._log.open("a") as log:
            log.write(lines)
        return await self._inner.embed(texts, kind)


def noted(text: str) -> str:
    return sha256(PIPELINE + text.encode()).hexdigest()


def chosen_embedder(name: str) -> BundledEmbedder | HashEmbedder:
    return HashEmbedder(512) if name == "hash" else BundledEmbedder()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--embedder", choices=("hash", "bundled"), default="bundled")
    asked = parser.parse_args()
    embedder = NotedEmbedder(chosen_embedder(asked.embedder), asked.log)
    services = build(Settings(), patient(Fakes(embedder=embedder)))
    asyncio.run(work(services, TIMES))


if __name__ == "__main__":
    main()
