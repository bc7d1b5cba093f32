"""The search index of the library on LanceDB; implements `PassageIndex`."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import batched
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from saegim.domain.errors import IndexMissing
from saegim.library.index.lance import maintenance
from saegim.library.index.lance.handles import (
    DEFAULT_LIMITS,
    DOCUMENT,
    PASSAGE,
    TERMS,
    TERMS_INDEX,
    VECTOR,
    Handles,
    IndexLocation,
    LanceLimits,
    OpenIndex,
    Root,
    WrongDimensions,
    among,
    by_query,
    condition,
    cosines,
    hits,
    is_gone,
    load,
    reaching,
    remove_folder,
    schema,
    table_of,
)
from saegim.library.index_ports import IndexHit, IndexRow, IndexSize
from saegim.library.types import SearchFilter

# Extra rows per search: few searches have more ties at the cut.
_SPARE = 16
_MORE = 8
# Up to this many rows are read to resolve ties (4,000 of 100,000 rows: 20 ms).
_MOST = 4_000


async def fetch_with_ties(
    ask: Callable[[int], Awaitable[Sequence[Sequence[IndexHit]]]], count: int
) -> list[list[IndexHit]]:
    """Return the best hits of each search, best first, ties in the order of their ids.

    `ask` returns up to the given number of hits per search, with ties in any order.
    """
    limit = count + _SPARE
    while True:
        results = [
            sorted(hits, key=lambda hit: (-hit.score, hit.passage)) for hits in await ask(limit)
        ]
        cut_off = any(
            len(hits) >= limit and hits[-1].score == hits[count - 1].score for hits in results
        )
        if not cut_off or limit >= _MOST:
            return [hits[:count] for hits in results]
        limit *= _MORE


_IDS_AT_ONCE = 1_000


class LanceIndex:
    """One dataset per tenant and generation, in a folder or an object store.

    Writes of one tenant are serialised within this instance; across processes the caller holds a
    job lock. A write is visible at once in its process and within a second in others. Removed rows
    stay on disk until a purge, and in older versions until the first maintenance `keep_versions`
    later; files of a killed writer are deleted after seven days.
    """

    def __init__(
        self,
        root: str,
        storage_options: Mapping[str, str] | None = None,
        limits: LanceLimits = DEFAULT_LIMITS,
    ) -> None:
        self._root = Root.parse(root)
        self._limits = limits
        self._handles = Handles(self._root, storage_options or {}, limits)
        self._writers: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def warm_up(self) -> None:
        """Import LanceDB and connect, so that the first search does not wait."""
        async with reaching(self._limits.read_seconds):
            await self._handles.connection()

    async def close(self) -> None:
        self._handles.close()

    async def create(self, tenant: UUID, generation: int, dimensions: int) -> None:
        place = IndexLocation(tenant, generation)
        async with self._writing(tenant, self._limits.write_seconds):
            await self._erase(tenant, generation)
            connection = await self._handles.connection()
            table = await connection.create_table(
                place.table, schema=schema(dimensions), location=self._root.of_index(place)
            )
            await maintenance.prepare(table)

    async def put(self, tenant: UUID, generation: int, rows: Sequence[IndexRow]) -> None:
        last = list({row.passage: row for row in rows}.values())
        if not last:
            return

        async def merge(index: OpenIndex) -> None:
            await (
                index.table.merge_insert(PASSAGE)
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .execute(table_of(last, index.dimensions))
            )

        await self._write(tenant, generation, merge, self._limits.write_seconds)

    async def remove(self, tenant: UUID, generation: int, passages: Collection[UUID]) -> None:
        if not passages:
            return

        async def delete(index: OpenIndex) -> None:
            for batch in batched(passages, _IDS_AT_ONCE):
                await index.table.delete(among(PASSAGE, (passage.hex for passage in batch)))

        await self._write(tenant, generation, delete, self._limits.write_seconds)

    async def lexical(
        self,
        tenant: UUID,
        generation: int,
        terms: Sequence[str],
        where: SearchFilter,
        count: int,
        near: Sequence[float] | None = None,
    ) -> list[IndexHit]:
        # A repeated term would count twice.
        text = " ".join(dict.fromkeys(" ".join(terms).split()))
        if not text or not where.collections or count < 1:
            return []

        async def search(index: OpenIndex) -> list[IndexHit]:
            vectors = [] if near is None else [VECTOR]
            query = (
                index.table.query()
                .nearest_to_text(load().query.MatchQuery(text, TERMS))
                .where(condition(where))
                .select([PASSAGE, DOCUMENT, *vectors, "_score"])
            )

            async def ask(limit: int) -> list[list[IndexHit]]:
                found = await query.limit(limit).to_arrow()
                similarities = None if near is None else cosines(found, _fitting(index, near))
                return [hits(found, found.column("_score").to_pylist(), similarities)]

            [best] = await fetch_with_ties(ask, count)
            return best

        return await self._read(tenant, generation, search)

    async def dense(
        self,
        tenant: UUID,
        generation: int,
        vector: Sequence[float],
        where: SearchFilter,
        count: int,
    ) -> list[IndexHit]:
        [found] = await self.dense_of_each(tenant, generation, [vector], where, count)
        return found

    async def dense_of_each(
        self,
        tenant: UUID,
        generation: int,
        vectors: Sequence[Sequence[float]],
        where: SearchFilter,
        count: int,
    ) -> list[list[IndexHit]]:
        if not vectors or not where.collections or count < 1:
            return [[] for _ in vectors]

        async def search(index: OpenIndex) -> list[list[IndexHit]]:
            matching = condition(where)
            query = _nearest(index, vectors).where(matching)
            if await index.about(matching) <= self._limits.exact_rows:
                query = query.bypass_vector_index()
            else:
                query = query.nprobes(self._limits.probes).refine_factor(self._limits.refine)

            async def ask(limit: int) -> list[list[IndexHit]]:
                found = await query.limit(limit).to_arrow()
                return [
                    hits(each, [1.0 - far for far in each.column("_distance").to_pylist()])
                    for each in by_query(found, len(vectors))
                ]

            return await fetch_with_ties(ask, count)

        return await self._read(tenant, generation, search)

    async def passages(self, tenant: UUID, generation: int) -> set[UUID]:
        async def scan(index: OpenIndex) -> set[UUID]:
            found: set[UUID] = set()
            async for batch in await index.table.query().select([PASSAGE]).to_batches():
                found.update(map(UUID, batch.column(PASSAGE).to_pylist()))
            return found

        return await self._read(tenant, generation, scan, self._limits.write_seconds)

    async def size(self, tenant: UUID, generation: int) -> IndexSize:
        async def measure(index: OpenIndex) -> IndexSize:
            terms = await index.table.index_stats(TERMS_INDEX)
            pieces = (await index.table.stats())["fragment_stats"]["num_fragments"]
            return IndexSize(await index.table.count_rows(), terms.num_unindexed_rows, pieces)

        return await self._read(tenant, generation, measure)

    async def optimise(self, tenant: UUID, generation: int) -> None:
        async def tidy(index: OpenIndex) -> None:
            await maintenance.optimise(index.table, self._limits)

        await self._write(tenant, generation, tidy, self._limits.upkeep_seconds)

    async def purge(self, tenant: UUID, generation: int, *, at_once: bool = False) -> None:
        async def erase(index: OpenIndex) -> None:
            await maintenance.purge(index.table, self._limits, at_once=at_once)

        await self._write(tenant, generation, erase, self._limits.upkeep_seconds)

    async def check(self, tenant: UUID, generation: int) -> None:
        async with reaching(self._limits.upkeep_seconds):
            index = await self._handles.open_afresh(IndexLocation(tenant, generation))
            async for _ in await index.table.query().to_batches():
                pass
            text = load().query.MatchQuery("a", TERMS)
            await index.table.query().nearest_to_text(text).limit(1).to_arrow()
            vector = [1.0] + [0.0] * (index.dimensions - 1)
            await _nearest(index, [vector]).limit(1).to_arrow()

    async def drop(self, tenant: UUID, generation: int | None = None) -> None:
        async with self._writing(tenant, self._limits.write_seconds):
            await self._erase(tenant, generation)

    async def _read[T](
        self,
        tenant: UUID,
        generation: int,
        act: Callable[[OpenIndex], Awaitable[T]],
        seconds: float | None = None,
    ) -> T:
        async with reaching(seconds or self._limits.read_seconds):
            return await self._act(IndexLocation(tenant, generation), act)

    async def _write(
        self,
        tenant: UUID,
        generation: int,
        act: Callable[[OpenIndex], Awaitable[None]],
        seconds: float,
    ) -> None:
        place = IndexLocation(tenant, generation)

        async def act_and_settle(index: OpenIndex) -> None:
            await act(index)
            # A handle opened meanwhile would not see this write for a second.
            self._handles.forget(place, besides=index)

        async with self._writing(tenant, seconds):
            await self._act(place, act_and_settle)

    async def _act[T](self, place: IndexLocation, act: Callable[[OpenIndex], Awaitable[T]]) -> T:
        """Run a function on an open index; reopen it once if its files are gone."""
        index = await self._handles.open(place)
        try:
            return await act(index)
        except RuntimeError as fault:
            if not is_gone(fault):
                raise
        self._handles.forget(place)
        index = await self._handles.open(place)
        try:
            return await act(index)
        except RuntimeError as fault:
            if is_gone(fault):
                raise IndexMissing(place.table) from fault
            raise

    @asynccontextmanager
    async def _writing(self, tenant: UUID, seconds: float) -> AsyncGenerator[None]:
        writer = self._writers.setdefault(tenant, asyncio.Lock())
        async with reaching(seconds), writer:
            yield

    async def _erase(self, tenant: UUID, generation: int | None) -> None:
        """Delete one build, or all of a tenant's, in whatever state it is."""
        self._handles.forget_tenant(tenant)
        folder = self._root.of_tenant(tenant)
        place = None if generation is None else IndexLocation(tenant, generation)
        if self._root.is_local:
            deleted = folder if place is None else self._root.of_index(place)
            await asyncio.to_thread(remove_folder, deleted)
            return
        connection = await self._handles.connect(folder)
        if place is None:
            await connection.drop_all_tables()
        else:
            await connection.drop_table(place.table, ignore_missing=True)


def _fitting(index: OpenIndex, vector: Sequence[float]) -> Sequence[float]:
    if len(vector) != index.dimensions:
        raise WrongDimensions(f"a vector of {len(vector)} in an index of {index.dimensions}")
    return vector


def _nearest(index: OpenIndex, vectors: Sequence[Sequence[float]]) -> Any:
    queries = [list(_fitting(index, vector)) for vector in vectors]
    query = index.table.query().nearest_to(queries).distance_type("cosine")
    return query.select([PASSAGE, DOCUMENT, "_distance"])
