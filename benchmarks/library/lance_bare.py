"""Measure the overhead of the search index over LanceDB: `python -m benchmarks.library.lance_bare
[ROWS]`.

Writes in batches, then runs the same searches through our index class and through LanceDB.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from statistics import median
from uuid import UUID, uuid4

import numpy as np

from saegim.library.index.lance.handles import IndexLocation, Root, condition, load
from saegim.library.index.lance.index import LanceIndex
from saegim.library.index_ports import IndexRow
from saegim.library.types import SearchFilter

DIMENSIONS = 512
BATCHES = (256, 512, 1024)
SEARCHES = 40
COUNT = 50
COLLECTION = UUID(int=1)
WHERE = SearchFilter(frozenset({COLLECTION}))


def rows(count: int, seed: int) -> list[IndexRow]:
    """Returns passages of a hundred terms of uneven frequency, with vectors around four hundred
    topics."""
    chance = np.random.default_rng(seed)
    topics = np.random.default_rng(0).normal(size=(400, DIMENSIONS))
    vectors = topics[chance.integers(0, 400, count)] + chance.normal(size=(count, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [
        IndexRow(
            passage=UUID(bytes=chance.bytes(16)),
            document=uuid4(),
            collection=COLLECTION,
            type="guide",
            terms=" ".join(f"w{word % 50_000}" for word in chance.zipf(1.3, size=100)),
            vector=vector,
            has_steps=number % 2 == 0,
            has_conditions=False,
            has_table=False,
            language="ko",
        )
        for number, vector in enumerate(vectors.tolist())
    ]


async def write(index: LanceIndex, tenant: UUID, total: int) -> None:
    await index.create(tenant, 1, DIMENSIONS)
    written = 0
    while written < total:
        for size in BATCHES:
            batch = rows(size, written)
            began = time.perf_counter()
            await index.put(tenant, 1, batch)
            spent = time.perf_counter() - began
            written += size
            if written <= sum(BATCHES) or written >= total:
                print(f"put of {size:5} at {written:7} rows: {size / spent:8,.0f} rows/s")
    began = time.perf_counter()
    await index.optimise(tenant, 1)
    print(f"optimise: {time.perf_counter() - began:.1f} s, {await index.size(tenant, 1)}")


async def p50(search: Callable[[int], Awaitable[object]]) -> float:
    """Returns the median after one warm-up round."""
    times: list[float] = []
    for number in range(SEARCHES):
        await search(number)
    for number in range(SEARCHES):
        began = time.perf_counter()
        await search(number)
        times.append((time.perf_counter() - began) * 1000)
    return median(times)


async def bare(table: object, terms: str | None, vector: Sequence[float]) -> object:
    query = table.query()  # type: ignore[attr-defined]  # untyped upstream
    if terms is not None:
        query = query.nearest_to_text(load().query.MatchQuery(terms, "terms"))
        query = query.select(["passage_id", "document_id", "_score"])
    else:
        query = query.nearest_to(vector).distance_type("cosine").nprobes(50).refine_factor(3)
        query = query.select(["passage_id", "document_id", "_distance"])
    return await query.where(condition(WHERE)).limit(COUNT).to_arrow()


async def main(total: int) -> None:
    with tempfile.TemporaryDirectory(prefix="saegim-bench-") as folder:
        index, tenant = LanceIndex(folder), uuid4()
        await index.warm_up()
        await write(index, tenant, total)
        place = Root.parse(folder).of_index(IndexLocation(tenant, 1))
        table = await (await load().lancedb.connect_async(folder)).open_table("g1", location=place)
        asked = [each.vector for each in rows(SEARCHES, 1_000_003)]
        terms = [[f"w{n * 7}", f"w{n + 40}", "w333"] for n in range(SEARCHES)]
        figures = {
            "lexical": await p50(lambda n: index.lexical(tenant, 1, terms[n], WHERE, COUNT)),
            "lexical, bare": await p50(lambda n: bare(table, " ".join(terms[n]), asked[n])),
            "dense": await p50(lambda n: index.dense(tenant, 1, asked[n], WHERE, COUNT)),
            "dense, bare": await p50(lambda n: bare(table, None, asked[n])),
        }
        for name, milliseconds in figures.items():
            print(f"{name:14} p50 {milliseconds:6.1f} ms")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
