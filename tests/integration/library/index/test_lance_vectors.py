from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import numpy as np

from benchmarks.doubles.patience import PATIENT_INDEX
from saegim.library.index.lance.handles import IndexLocation
from saegim.library.index.lance.index import LanceIndex
from saegim.library.index_ports import IndexRow
from saegim.library.types import SearchFilter
from tests.contract.passage_rows import ANYWHERE, OTHER_COLLECTION, passage_id, row

DIMENSIONS = 32
LIMITS = replace(PATIENT_INDEX, vector_index_rows=1_000, exact_rows=50, probes=12)


def clustered(count: int, first: int = 0) -> list[IndexRow]:
    """Vectors around a hundred topics, as sentences are; one in fifty in the other collection."""
    chance = np.random.default_rng(first)
    topics = np.random.default_rng(1).normal(size=(100, DIMENSIONS))
    vectors = topics[chance.integers(0, 100, count)] + chance.normal(size=(count, DIMENSIONS)) * 0.6
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [
        row(
            first + n,
            "a",
            vector=vector,
            **({"collection": OTHER_COLLECTION} if n % 50 == 0 else {}),
        )
        for n, vector in enumerate(vectors.tolist())
    ]


async def vector_indexes(index: LanceIndex, tenant: UUID) -> list[str]:
    opened = await index._handles.open(IndexLocation(tenant, 1))
    names = [each.name for each in await opened.table.list_indices()]
    return [name for name in names if name.startswith("vector_")]


def exact(rows: Sequence[IndexRow], vector: Sequence[float]) -> list[UUID]:
    scores = np.array([each.vector for each in rows]) @ np.array(vector)
    return [rows[place].passage for place in np.argsort(-scores)[:10]]


async def test_a_large_index_finds_nearly_all_that_exact_search_finds(tmp_path: Path) -> None:
    index, tenant = LanceIndex(str(tmp_path), limits=LIMITS), uuid4()
    rows = clustered(1_500)
    await index.create(tenant, 1, DIMENSIONS)
    await index.put(tenant, 1, rows[:900])
    await index.optimise(tenant, 1)
    assert await vector_indexes(index, tenant) == []
    await index.put(tenant, 1, rows[900:])
    await index.optimise(tenant, 1)
    assert await vector_indexes(index, tenant) == ["vector_1500"]

    later = clustered(100, first=5_000)
    await index.put(tenant, 1, later)
    everything = [*rows, *later]
    kept = 0
    for query in clustered(30, first=9_000):
        hits = await index.dense(tenant, 1, query.vector, ANYWHERE, 10)
        kept += len({hit.passage for hit in hits} & set(exact(everything, query.vector)))
        [*_, again] = await index.dense_of_each(
            tenant, 1, [rows[0].vector, query.vector], ANYWHERE, 10
        )
        assert again == hits
    assert kept / 300 >= 0.97


async def test_a_filter_that_leaves_few_is_searched_exactly(tmp_path: Path) -> None:
    index, tenant = LanceIndex(str(tmp_path), limits=LIMITS), uuid4()
    rows = clustered(1_500)
    await index.create(tenant, 1, DIMENSIONS)
    await index.put(tenant, 1, rows)
    await index.optimise(tenant, 1)
    elsewhere = SearchFilter(frozenset({OTHER_COLLECTION}))
    few = [each for each in rows if each.collection == OTHER_COLLECTION]
    for query in clustered(20, first=9_000):
        hits = await index.dense(tenant, 1, query.vector, elsewhere, 10)
        assert [hit.passage for hit in hits] == exact(few, query.vector)


async def test_a_vector_index_is_trained_again_when_the_index_has_grown(tmp_path: Path) -> None:
    index, tenant = LanceIndex(str(tmp_path), limits=LIMITS), uuid4()
    await index.create(tenant, 1, DIMENSIONS)
    await index.put(tenant, 1, clustered(1_000))
    await index.optimise(tenant, 1)
    await index.put(tenant, 1, clustered(1_000, first=1_000))
    await index.optimise(tenant, 1)
    assert await vector_indexes(index, tenant) == ["vector_1000"]
    await index.put(tenant, 1, clustered(2_000, first=2_000))
    await index.optimise(tenant, 1)
    assert await vector_indexes(index, tenant) == ["vector_4000"]
    await index.remove(tenant, 1, {passage_id(7)})
    await index.purge(tenant, 1)
    assert await vector_indexes(index, tenant) == ["vector_4000"]
    assert (await index.size(tenant, 1)).rows == 3_999
