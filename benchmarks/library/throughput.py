"""Measure import throughput against the bare embedder."""

import time
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.idle import working
from benchmarks.library import corpus
from benchmarks.library.bench_stack import bench_stack, stores
from saegim.library.types import in_context
from saegim.llm.bundled_embedders import BundledEmbedder

PER_FILE = 1_000
SAMPLE = 500


def files(sentences: list[str], passages: int, seed: int = 5) -> dict[str, str]:
    """Returns files of many short sections, each a passage of two sentences."""
    chance = Random(seed)
    # A line that starts like a heading would become one.
    sentences = [each for each in sentences if not each.lstrip().startswith("#")]
    made: dict[str, str] = {}
    for start in range(0, passages, PER_FILE):
        count = min(PER_FILE, passages - start)
        sections = [
            f"## {start + number}\n\n{' '.join(chance.choices(sentences, k=2))}"
            for number in range(count)
        ]
        name = f"part-{start // PER_FILE:03d}"
        made[f"{name}.md"] = "\n\n".join([f"# {name}", *sections])
    return made


async def bare(embedder: BundledEmbedder, texts: list[str]) -> float:
    """Returns texts per second."""
    began = time.perf_counter()
    await embedder.embed(texts, "document")
    return len(texts) / (time.perf_counter() - began)


async def measure(root: Path, passages: int = 4_000) -> dict[str, float]:
    """Measures the import through job, database and index, between two runs of the bare
    embedder."""
    sentences = corpus.pool(root)
    sent = files(sentences, passages)
    bodies = [part.split("\n\n", 1) for text in sent.values() for part in text.split("\n\n## ")[1:]]
    texts = [in_context(body, (number,), "part-000") for number, body in bodies[:SAMPLE]]
    embedder = BundledEmbedder()
    await embedder.warm_up()
    rates = [await bare(embedder, texts)]
    async with stores() as at, bench_stack(at) as home:
        began = time.perf_counter()
        async with working(home.services):
            done = await home.finished((await home.send(sent)).id)
        took = time.perf_counter() - began
        rates.append(await bare(embedder, texts))
    await embedder.close()
    stored = sum(file.embedded for file in done.files)
    if stored != passages:
        raise RuntimeError(f"{stored} of {passages} passages came in")
    return {
        "ingest.passages_per_second": passages / took,
        "embedder.texts_per_second": median(rates),
        "ingest.throughput_ratio": passages / took / median(rates),
    }
