"""Measure search time as the library grows: `python -m benchmarks.library.search`.

Tenants of 10,000, 100,000 and 1,000,000 passages beside 1,000 small ones, in one cell. `search_all`
through the service is compared with the same queries to LanceDB and Postgres, with the vector
precomputed. Writes `benchmarks/results/search.json` and the chart; exit code 1 if a bound is
exceeded. `--sizes` and `--tenants` make it small; then it writes only with `--keep`.
"""

import argparse
import asyncio
import sys
import time
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

from benchmarks import results
from benchmarks.library import chart, corpus, searching, table, throughput
from benchmarks.library.bench_stack import BenchStack, bench_stack, new_bench_stack, stores
from benchmarks.library.loading import Library, Text, fill, multiply
from benchmarks.library.sets import folder
from benchmarks.page import publish
from saegim.domain.scope import Caller

SIZES = (10_000, 100_000, 1_000_000)
SMALL_TENANTS, SMALL_SIZE = 1_000, 20
REAL = 100_000
QUESTIONS = 230
CHART = results.ROOT / "docs" / "images" / "search.svg"
CEILINGS = {
    "search_all.p50_ratio.1m": 1.4,
    "search_all.p95_ms.1m": 250.0,
}
FLOORS = {"vector_recall10.100k": 0.97, "ingest.throughput_ratio": 0.60}


def named(size: int) -> str:
    """Formats a size as 10k, 100k or 1m."""
    return f"{size // 1_000_000}m" if size >= 1_000_000 else f"{size // 1_000}k"


async def measure(
    root: Path, sizes: list[int], tenants: int, cache: Path | None, embedded: int
) -> dict[str, float]:
    """Returns all figures by name."""
    sentences = corpus.pool(root)
    text = Text.of(sentences, max(sizes))
    real = corpus.embed(corpus.passages(sentences, embedded), cache)
    asked = corpus.questions(sentences, QUESTIONS)
    vectors = corpus.embed(asked, cache)
    figures: dict[str, float] = {}
    async with stores(durable=False) as at, bench_stack(at) as home:
        small = await fill(home, text, real, SMALL_SIZE)
        copies = [uuid4() for _ in range(tenants)]
        multiply(small, copies)
        for size in sizes:
            library = await _filled(home, text, real, size)
            times = await searching.compare(library, asked, vectors)
            figures |= _shown(times.figures(named(size)))
            if size <= len(real):
                recall = await searching.vector_recall(library, real, vectors)
                figures |= _shown({f"vector_recall10.{named(size)}": recall})
        figures |= _shown(await searched_once_each(small, copies, asked))
    figures |= _growth(figures, sizes)
    return figures


async def _filled(home: BenchStack, text: Text, real: corpus.Vectors, size: int) -> Library:
    began = time.perf_counter()
    own = await new_bench_stack(home.stores, home.services, f"{size:,}")
    library = await fill(own, text, real, size)
    print(f"loaded {size:,} in {time.perf_counter() - began:.0f} s", flush=True)
    return library


async def searched_once_each(
    small: Library, copies: list[UUID], asked: list[str]
) -> dict[str, float]:
    """Returns memory and open files while every small tenant is searched, and the time of a
    search."""
    services, caller = small.bench_stack.services, small.bench_stack.caller
    before = searching.resident_megabytes()
    took: list[float] = []
    for number, tenant in enumerate(copies):
        began = time.perf_counter()
        await services.library.search.search_all(_as(caller, tenant), asked[number % len(asked)])
        took.append((time.perf_counter() - began) * 1000)
    return {
        "tenants.open": float(len(copies)),
        "tenants.first_search_p50_ms": sorted(took)[len(took) // 2],
        "tenants.memory_mb": searching.resident_megabytes(),
        "tenants.memory_growth_mb": searching.resident_megabytes() - before,
        "tenants.open_files": float(searching.open_files()),
    }


def _as(caller: Caller, tenant: UUID) -> Caller:
    return replace(caller, scope=replace(caller.scope, tenant=tenant))


def _growth(figures: dict[str, float], sizes: list[int]) -> dict[str, float]:
    first, last = named(min(sizes)), named(max(sizes))
    grown = figures[f"search_all.p50_ms.{last}"] / figures[f"search_all.p50_ms.{first}"]
    return _shown({f"growth.{first}_{last}": grown})


def _shown(figures: dict[str, float]) -> dict[str, float]:
    for name, value in figures.items():
        print(f"{name:34} {value:.3f}", flush=True)
    return figures


def broken_promises(figures: dict[str, float]) -> list[str]:
    """Returns the figures outside of their bounds."""
    high = [
        f"{n} {figures[n]:.3f} > {most}" for n, most in CEILINGS.items() if figures.get(n, 0) > most
    ]
    low = [
        f"{n} {figures[n]:.3f} < {least}"
        for n, least in FLOORS.items()
        if figures.get(n, 1) < least
    ]
    return high + low


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--tenants", type=int, default=SMALL_TENANTS)
    parser.add_argument("--embedded", type=int, default=REAL, help="passages with real vectors")
    parser.add_argument("--keep", action="store_true", help="write the figures of these sizes")
    parser.add_argument("--cache", type=Path, help="folder for cached embeddings")
    asked = parser.parse_args()
    root = folder()
    if root is None:
        print("SAEGIM_BENCH_DATA is not a folder with the data sets: docs/reference/benchmarks.md")
        return 1
    figures = asyncio.run(measure(root, asked.sizes, asked.tenants, asked.cache, asked.embedded))
    if asked.sizes == list(SIZES):
        figures |= _shown(asyncio.run(throughput.measure(root)))
        print(results.write("search", figures, {"real_embeddings": REAL, "questions": QUESTIONS}))
        names = [named(size) for size in SIZES]
        CHART.write_text(chart.draw(figures, names), "utf-8")
        publish("search", table.search(figures, names))
    elif asked.keep:
        kept = {name: value for name, value in figures.items() if name.startswith("search_all.")}
        results.merge("search", kept, {"real_embeddings": asked.embedded, "questions": QUESTIONS})
    broken = broken_promises(figures)
    for promise in broken:
        print(f"failed: {promise}", file=sys.stderr)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
