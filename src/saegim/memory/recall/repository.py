"""Reads for recall, through an in-process cache of each user's memory vectors."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np

from saegim.conversations import turn_rows
from saegim.db.cells import Cell, Cells, QueryCall, Row
from saegim.domain.errors import StoreUnavailable
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher
from saegim.encryption.keyring import Keyring
from saegim.memory import record_rows
from saegim.memory.recall.cache_arrays import CachedMemory
from saegim.memory.recall.query_vectors import (
    IndexMark,
    QueryTerms,
    QueryVectors,
    TermCountQuery,
    TermCounts,
    episode_columns,
    everything,
    floats,
    index_owner,
    mark_of,
    record_columns,
)
from saegim.memory.recall.types import (
    CandidateTexts,
    EpisodeScores,
    RecallQuestion,
    RecordScores,
    Scan,
    ScanFilter,
    TranscriptTurn,
    VectorBy,
)
from saegim.memory.redaction import as_recalled, message_as_recalled
from saegim.memory.synthesis.repository import read_derived
from saegim.memory.synthesis.types import DerivedKind
from saegim.memory.turn_features import SPEAKER
from saegim.memory.types import MemoryType
from saegim.text.rank_fusion import dense_literal

# Entries unused for this long are evicted.
IDLE = timedelta(minutes=10)
# Largest share of the cache for one user.
_SHARE = 0.5
# How many users with one question are remembered.
_MOST_ASKED = 10_000


@dataclass(frozen=True, slots=True)
class CacheKey:
    cell: str
    scope: Scope


class RecallCache:
    """LRU cache with a size in bytes; entries are loaded in the background, one at a time."""

    def __init__(self, most_bytes: int, clock: Clock) -> None:
        self._most = most_bytes
        self._clock = clock
        self._loading: dict[CacheKey, asyncio.Task[None]] = {}
        self._eviction: asyncio.TimerHandle | None = None
        self._load_lock = asyncio.Lock()
        self._entries: OrderedDict[CacheKey, tuple[CachedMemory, float]] = OrderedDict()
        self._asked: OrderedDict[CacheKey, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """Size of all entries in bytes."""
        return sum(entry.size for entry, _ in self._entries.values())

    def of(self, cell: Cell, scope: Scope) -> CachedMemory | None:
        """Return the entry of a user, as the most recently used."""
        self._evict_idle()
        cache_key = CacheKey(cell.name, scope)
        if (entry := self._entries.pop(cache_key, None)) is None:
            return None
        self._entries[cache_key] = (entry[0], self._now())
        return entry[0]

    def answered(self, cell: Cell, scope: Scope, mark: IndexMark) -> None:
        """Record an answer by SQL; load the memory on the second question within IDLE."""
        cache_key, now = CacheKey(cell.name, scope), self._now()
        before = self._asked.pop(cache_key, 0.0)
        self._asked[cache_key] = max(now, before)
        if len(self._asked) > _MOST_ASKED:
            self._asked.popitem(last=False)
        again = now - IDLE.total_seconds() < before <= now
        if again and mark.bytes <= _SHARE * self._most:
            self.load(cell, scope)

    def load(self, cell: Cell, scope: Scope) -> None:
        """Start to load the memory of a user, unless started."""
        cache_key = CacheKey(cell.name, scope)
        if cache_key not in self._loading:
            task = asyncio.create_task(self._load(cell, scope))
            self._loading[cache_key] = task
            task.add_done_callback(lambda _: self._loading.pop(cache_key))

    def drop(self, cell: Cell, scope: Scope) -> None:
        self._entries.pop(CacheKey(cell.name, scope), None)

    async def close(self) -> None:
        """Drop all entries and cancel loading."""
        if self._eviction is not None:
            self._eviction.cancel()
        self._entries.clear()
        loading = list(self._loading.values())
        for task in loading:
            task.cancel()
        await asyncio.gather(*loading, return_exceptions=True)

    async def _load(self, cell: Cell, scope: Scope) -> None:
        async with self._load_lock:
            try:
                [[rows]] = await cell.read_together(scope.tenant, everything(scope))
            except StoreUnavailable:
                return
            memory = await asyncio.to_thread(CachedMemory.sent, mark_of(rows), rows)
        cache_key = CacheKey(cell.name, scope)
        if memory.is_all:
            self._keep(cache_key, memory)
        else:
            # Incomplete: do not try again for every question.
            self._asked[cache_key] = self._now() + IDLE.total_seconds()

    def _keep(self, cache_key: CacheKey, memory: CachedMemory) -> None:
        """Add an entry and evict the least recently used ones."""
        self._entries[cache_key] = (memory, self._now())
        while len(self._entries) > 1 and self.size > self._most:
            self._entries.popitem(last=False)
        self._schedule_eviction()

    def _schedule_eviction(self) -> None:
        if self._eviction is None:
            loop = asyncio.get_running_loop()
            self._eviction = loop.call_later(IDLE.total_seconds(), self._evict)

    def _evict(self) -> None:
        self._eviction = None
        self._evict_idle()
        if self._entries:
            self._schedule_eviction()

    def _evict_idle(self) -> None:
        before = self._now() - IDLE.total_seconds()
        while self._entries:
            first = next(iter(self._entries))
            if self._entries[first][1] >= before:
                return
            del self._entries[first]

    def _now(self) -> float:
        return self._clock.now().timestamp()


EVER = (datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC))
INSTANT = timedelta(microseconds=1)
# More rows are scored in a thread, so as not to block the event loop.
_MANY_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class _RecallQuery:
    cell: Cell
    scope: Scope
    cipher: Cipher
    counting: TermCountQuery
    vector: VectorBy
    narrowing: ScanFilter

    async def vectors(self, counted: TermCounts) -> QueryVectors:
        vector = await self.vector(counted.embedder)
        if not (speakers := counted.speakers):
            return counted.vectors(vector)
        words = frozenset(name.removeprefix(SPEAKER) for name in speakers)
        return counted.vectors(vector, await self.vector(counted.embedder, words))

    def scan(
        self,
        records: RecordScores,
        episodes: EpisodeScores,
        kept: Sequence[Row],
        profile: Sequence[Row],
    ) -> Scan:
        return Scan(
            records,
            episodes,
            tuple(record_rows.read(row, self.cipher) for row in kept),
            tuple(read_derived(row, self.cipher) for row in profile),
        )

    @property
    def subjects(self) -> list[UUID]:
        """Ids owner consent is needed."""
        session = self.narrowing.session
        return [self.scope.tenant, self.scope.user, *([session] if session else [])]


class PostgresRecall:
    """Answers by SQL or from the cache, with the same result but for the mean of many turns."""

    def __init__(self, cells: Cells, keyring: Keyring, cached: RecallCache) -> None:
        self._cells = cells
        self._keyring = keyring
        self._cache = cached

    async def scan(
        self, scope: Scope, question: RecallQuestion, vector: VectorBy, narrowing: ScanFilter
    ) -> Scan | None:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        words = QueryTerms(question.terms, question.context, question.names)
        cell = await self._cells.for_tenant(scope.tenant)
        query = _RecallQuery(
            cell, scope, cipher, TermCountQuery(scope, cipher, words), vector, narrowing
        )
        if (cached := self._cache.of(cell, scope)) is not None:
            return await self._scan_cached(query, cached)
        return await self._scan_rows(query)

    async def _scan_cached(self, query: _RecallQuery, cached: CachedMemory) -> Scan | None:
        """Fetch the rows written since; if the cache cannot be updated, answer by SQL."""
        cell, scope, narrowing = query.cell, query.scope, query.narrowing
        since = {"since": cached.mark.horizon, "subjects": query.subjects}
        [changes], kept, profile = await cell.read_together(
            scope.tenant,
            ("memory_since", query.counting.values | since),
            *_kept_queries(scope, narrowing),
        )
        if not changes["allowed"]:
            return None
        counted = query.counting.counted_since(changes)
        vectors = await query.vectors(counted)
        # No await until scoring: a concurrent refresh could install an older snapshot.
        if not cached.follow(counted.mark, changes):
            self._cache.drop(cell, scope)
            return await self._scan_rows(query)
        scoring = cached.scoring(vectors, narrowing)
        if cached.needs_compaction:
            self._cache.load(cell, scope)
        scores = await asyncio.to_thread(scoring) if cached.rows > _MANY_ROWS else scoring()
        return query.scan(*scores, kept, profile)

    async def _scan_rows(self, query: _RecallQuery) -> Scan | None:
        cell, scope = query.cell, query.scope
        consents, counts, [turns] = await cell.read_together(
            scope.tenant,
            ("find_consents", {"subjects": query.subjects}),
            query.counting.query,
            ("mean_of_turns", index_owner(scope)),
        )
        if not all(row["recall"] for row in consents):
            return None
        counted = query.counting.counted(counts)
        vectors = await query.vectors(counted)
        queries = scans(scope, vectors, query.narrowing, turns["mean"])
        records, episodes, kept, profile = await look(cell, scope, queries)
        self._cache.answered(cell, scope, counted.mark)
        scores = _records(records[0], vectors), _episodes(episodes[0], vectors)
        return query.scan(*scores, kept, profile)

    async def open(
        self, scope: Scope, records: Sequence[UUID], episodes: Sequence[UUID]
    ) -> CandidateTexts:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        owner = turn_rows.owner(scope)
        cell = await self._cells.for_tenant(scope.tenant)
        found_records, digests, found_turns = await cell.read_together(
            scope.tenant,
            ("find_memories", owner | {"memories": list(records)}),
            ("find_digests", owner | {"memories": list(records)}),
            ("turns_of_episodes", owner | {"episodes": list(episodes)}),
        )
        turns: dict[UUID, TranscriptTurn] = {}
        for row in found_turns:
            turn = turn_rows.read(row, cipher)
            text = as_recalled(turn)
            if text:
                turns[row["episode_id"]] = TranscriptTurn(
                    turn.id,
                    turn.session,
                    turn.number,
                    text,
                    turn.created_at,
                    message_as_recalled(turn),
                )
        read = [record_rows.read(row, cipher) for row in found_records]
        sources = {row["digest_id"]: frozenset[UUID](row["sources"]) for row in digests}
        return CandidateTexts({record.id: record for record in read}, turns, sources)


async def look(cell: Cell, scope: Scope, queries: Sequence[QueryCall]) -> list[list[Row]]:
    """Run the scans; that of episodes runs on its own connection in parallel."""
    of_records, of_episodes, *of_kept = queries
    (records, *kept), [episodes] = await asyncio.gather(
        cell.read_together(scope.tenant, of_records, *of_kept),
        cell.read_together(scope.tenant, of_episodes),
    )
    return [records, episodes, *kept]


def scans(
    scope: Scope,
    vectors: QueryVectors,
    narrowing: ScanFilter,
    mean: Sequence[float] | None = None,
) -> tuple[QueryCall, ...]:
    """Return the queries that scan records and episodes, and read what is in every context.

    `mean` is the mean vector of the turns; None without turns.
    """
    # Rounded here, as the cache does: Postgres would round the text of the numbers.
    means = np.array(mean or [0.0] * len(vectors.plain_vector), np.float32).astype(np.float16)
    values = turn_rows.owner(scope) | {
        "index_version": vectors.index_version,
        "embedding": vectors.embedding,
        "as_of": narrowing.as_of,
        "said_from": narrowing.said_from or EVER[0],
        # SQL `between` includes both ends; ours excludes the last.
        "said_until": narrowing.said_until - INSTANT if narrowing.said_until else EVER[1],
    }
    types = sorted(narrowing.types or MemoryType)
    return (
        ("scan_memories", values | {"terms": vectors.records.terms.literal(), "types": types}),
        (
            "scan_episodes",
            values
            | {
                "terms": vectors.episodes.terms.literal(),
                "plain": vectors.plain_embedding,
                "mean": dense_literal(means.tolist()),
            },
        ),
        *_kept_queries(scope, narrowing),
    )


def _kept_queries(scope: Scope, narrowing: ScanFilter) -> tuple[QueryCall, QueryCall]:
    """Return the queries that read core and pinned records, and the profile."""
    owner = turn_rows.owner(scope)
    return (
        ("all_memories", owner | {"as_of": narrowing.as_of}),
        ("list_derived", owner | {"kinds": [DerivedKind.PROFILE]}),
    )


def _records(row: Row, vectors: QueryVectors) -> RecordScores:
    return RecordScores(
        **record_columns(row),
        lexical=floats(row["lexical"]),
        dense=floats(row["dense"]),
        most=vectors.records.most,
    )


def _episodes(row: Row, vectors: QueryVectors) -> EpisodeScores:
    return EpisodeScores(
        **episode_columns(row),
        window=floats(row["window"]),
        own=floats(row["own"]),
        message=floats(row["message"]),
        dense=floats(row["dense"]),
        own_dense=floats(row["own_dense"]),
        common=floats(row["common"]),
        most=vectors.episodes.most,
        speakers=vectors.speakers,
    )
