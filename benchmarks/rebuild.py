"""Compare ways to build a large index: `python -m benchmarks.rebuild [ROWS]`.

The same rows in batches of several sizes, with and without compaction whenever the index has
doubled; each in its own index, followed by the same searches.
"""

import asyncio
import sys
import tempfile
import time
from dataclasses import dataclass
from uuid import UUID, uuid4

import numpy as np

from benchmarks import results
from saegim.library.index.lance.index import LanceIndex
from saegim.library.index.sync import BUILD_BATCH
from saegim.library.index_ports import IndexRow
from saegim.library.types import SearchFilter

DIMENSIONS = 512
ROWS = 50_000
MADE = 2_000
FIRST_OPTIMISE = 8_192
COLLECTION = UUID(int=1)
WHERE = SearchFilter(frozenset({COLLECTION}))
QUESTION = ("w3", "w70", "w900")


@dataclass(frozen=True, slots=True)
class Way:
    """A way to build: rows per batch, and whether to compact when the index has doubled."""

    name: str
    batch: int
    doubling: bool


@dataclass(frozen=True, slots=True)
class Spent:
    """Wall time, and processor time, which other load does not change."""

    seconds: float
    processor: float


WAYS = (
    Way("before", 512, doubling=False),
    Way("as_built", BUILD_BATCH, doubling=False),
    Way("doubling", BUILD_BATCH, doubling=True),
)


def rows(count: int, first: int) -> list[IndexRow]:
    """Returns passages of a hundred terms of uneven frequency, ordered by id."""
    chance = np.random.default_rng(first)
    vectors = chance.normal(size=(count, DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [
        IndexRow(
            passage=UUID(int=first + number + 1),
            document=UUID(int=(first + number) // 20 + 1),
            collection=COLLECTION,
            type="guide",
            terms=" ".join(f"w{word % 50_000}" for word in chance.zipf(1.3, size=100)),
            vector=vectors[number],  # pyright: ignore[reportArgumentType] - an array is a sequence of numbers
            has_steps=False,
            has_conditions=False,
            has_table=False,
            language="ko",
        )
        for number in range(count)
    ]


async def build(index: LanceIndex, tenant: UUID, way: Way, everything: list[IndexRow]) -> Spent:
    """Builds an index; returns the time without generating the rows."""
    await index.create(tenant, 1, DIMENSIONS)
    wall, work, optimised = time.perf_counter(), time.process_time(), 0
    for start in range(0, len(everything), way.batch):
        await index.put(tenant, 1, everything[start : start + way.batch])
        written = start + way.batch
        if way.doubling and written >= max(FIRST_OPTIMISE, 2 * optimised):
            await index.optimise(tenant, 1)
            optimised = written
    await index.optimise(tenant, 1)
    return Spent(time.perf_counter() - wall, time.process_time() - work)


async def main(total: int) -> None:
    figures: dict[str, float] = {}
    found: list[object] = []
    everything = [row for start in range(0, total, MADE) for row in rows(MADE, start)][:total]
    with tempfile.TemporaryDirectory(prefix="saegim-rebuild-") as folder:
        index = LanceIndex(folder)
        await index.warm_up()
        for way in WAYS:
            tenant = uuid4()
            spent = await build(index, tenant, way, everything)
            figures[f"{way.name}.rows_per_second"] = total / spent.seconds
            figures[f"{way.name}.processor_seconds"] = spent.processor
            print(f"{way.name:16} {spent.seconds:7.1f} s, {spent.processor:.1f} of the processor")
            found.append(await index.lexical(tenant, 1, QUESTION, WHERE, 10))
            await index.drop(tenant)
        await index.close()
    if any(each != found[0] for each in found):
        sys.exit("the same rows, built in another way, are found otherwise")
    before, now = (figures[f"{name}.processor_seconds"] for name in ("before", "as_built"))
    figures["processor_ratio"] = now / before
    print(f"processor, now against before: {now / before:.2f}")
    configuration = {"rows": total, "dimensions": DIMENSIONS, "batch": BUILD_BATCH}
    results.write("rebuild", figures, configuration)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS))
