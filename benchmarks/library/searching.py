"""Time searches through the service and through the bare engines, alternately."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Self
from uuid import UUID

import numpy as np
import psycopg

from benchmarks.library import corpus
from benchmarks.library.loading import GENERATION, Library
from saegim.db.pool import query
from saegim.library.index.lance.handles import (
    DEFAULT_LIMITS,
    DOCUMENT,
    PASSAGE,
    TERMS,
    IndexLocation,
    Root,
    among,
    condition,
    load,
)
from saegim.library.ranking import PER_ARM
from saegim.library.service import FAQ
from saegim.library.types import SearchFilter
from saegim.text.analysis import query_terms

WARM_UP = 30
# The service requests a few more results, to resolve ties.
ASKED = PER_ARM + 16
RECALLED = 10


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of the same searches both ways."""

    service: Sequence[float]
    bare: Sequence[float]

    def figures(self, name: str) -> dict[str, float]:
        return {
            f"search_all.p50_ms.{name}": median(self.service),
            f"search_all.p95_ms.{name}": quantiles(self.service, n=20)[-1],
            f"bare.p50_ms.{name}": median(self.bare),
            f"bare.p95_ms.{name}": quantiles(self.bare, n=20)[-1],
            f"search_all.p50_ratio.{name}": median(self.service) / median(self.bare),
        }


async def compare(library: Library, asked: Sequence[str], vectors: corpus.Vectors) -> Times:
    """Runs every question both ways alternately, so that other load affects both."""
    search_all = library.bench_stack.services.library.search.search_all
    caller = library.bench_stack.caller
    service: list[float] = []
    bare: list[float] = []
    async with await Bare.open(library) as engines:
        for number, question in enumerate(asked):
            terms, vector = " ".join(query_terms(question)), vectors[number].tolist()
            took = await _timed(lambda q=question: search_all(caller, q))
            directly = await _timed(lambda t=terms, v=vector: engines.search(t, v))
            if number >= WARM_UP:
                service.append(took)
                bare.append(directly)
    return Times(service, bare)


async def _timed(search: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await search()
    return (time.perf_counter() - began) * 1000


@dataclass(frozen=True, slots=True)
class Bare:
    """LanceDB and Postgres only: no embedding, access check, counting or ranking."""

    table: Any
    connection: psycopg.AsyncConnection[Any]
    library: Library
    sides: Mapping[str, bool]

    @classmethod
    async def open(cls, library: Library) -> Self:
        bench_stack, place = (
            library.bench_stack,
            IndexLocation(library.bench_stack.tenant, GENERATION),
        )
        root = Root.parse(str(bench_stack.stores.index))
        lancedb = load().lancedb
        session = lancedb.Session(
            index_cache_size_bytes=DEFAULT_LIMITS.index_cache_bytes,
            metadata_cache_size_bytes=DEFAULT_LIMITS.metadata_cache_bytes,
        )
        lance = await lancedb.connect_async(root.url, session=session)
        table = await lance.open_table(place.table, location=root.of_index(place))
        url = bench_stack.stores.servers.postgres.url("saegim", user="saegim_app")
        connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
        await connection.execute("select set_config('app.tenant', %s, false)", (str(place.tenant),))
        collections = frozenset({library.collection})
        filters = (
            SearchFilter(collections, types=frozenset({FAQ})),
            SearchFilter(collections, without_types=frozenset({FAQ})),
        )
        # Decided once whether a filter is small enough for an exact search.
        sides = {
            where: await table.count_rows(where) <= DEFAULT_LIMITS.exact_rows
            for where in map(condition, filters)
        }
        return cls(table, connection, library, sides)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.connection.close()

    async def search(self, terms: str, vector: Sequence[float]) -> list[Any]:
        found = await asyncio.gather(
            *(self._side(terms, vector, where, exact) for where, exact in self.sides.items())
        )
        passages = [UUID(passage) for side in found for passage in side]
        values = {
            "tenant": self.library.bench_stack.tenant,
            "passages": passages,
            "collections": [self.library.collection],
        }
        cursor = await self.connection.execute(query("passage_locations"), values)
        return await cursor.fetchall()

    async def _side(self, terms: str, vector: Sequence[float], where: str, exact: bool) -> set[str]:
        match = load().query.MatchQuery(terms, TERMS)
        lexical = self.table.query().nearest_to_text(match).where(where)
        lexical = lexical.select([PASSAGE, DOCUMENT, "_score"]).limit(ASKED)
        dense = self._nearest(vector).where(where).limit(ASKED)
        if exact:
            dense = dense.bypass_vector_index()
        else:
            dense = dense.nprobes(DEFAULT_LIMITS.probes).refine_factor(DEFAULT_LIMITS.refine)
        by_words, by_meaning = await asyncio.gather(lexical.to_arrow(), dense.to_arrow())
        words = set(by_words.column(PASSAGE).to_pylist()[:PER_ARM])
        meaning = set(by_meaning.column(PASSAGE).to_pylist()[:PER_ARM])
        left_out = words - meaning
        if left_out:
            excluded = among(PASSAGE, left_out)
            nearest = self._nearest(vector).where(excluded).limit(len(left_out))
            await nearest.bypass_vector_index().to_arrow()
        return words | meaning

    def _nearest(self, vector: Sequence[float]) -> Any:
        nearest = self.table.query().nearest_to(vector).distance_type("cosine")
        return nearest.select([PASSAGE, DOCUMENT, "_distance"])


async def vector_recall(library: Library, real: corpus.Vectors, asked: corpus.Vectors) -> float:
    """Returns the share of the ten nearest vectors that the index finds."""
    index, where = (
        library.bench_stack.services.library.index,
        SearchFilter(frozenset({library.collection})),
    )
    numbers = {library.passage(number): number for number in range(library.size)}
    kept: list[float] = []
    for vector in asked:
        exact = np.argpartition(-(real[: library.size] @ vector), RECALLED)[:RECALLED]
        hits = await index.dense(
            library.bench_stack.tenant, GENERATION, vector.tolist(), where, RECALLED
        )
        found = {numbers[hit.passage] for hit in hits}
        kept.append(len(found & set(exact.tolist())) / RECALLED)
    return float(np.mean(kept))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
