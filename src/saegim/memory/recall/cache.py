"""Memories of the people who asked last, held in the process."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta

from saegim.db.cells import Cell
from saegim.domain.errors import StoreUnavailable
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.memory.recall.cache_arrays import CachedMemory
from saegim.memory.recall.query_vectors import IndexMark, everything, mark_of

# Whoever asks nothing for so long is let go of.
IDLE = timedelta(minutes=10)
# Nobody takes more than this share of the room.
_SHARE = 0.5
# How many who asked once are known.
_MOST_ASKED = 10_000


@dataclass(frozen=True, slots=True)
class CacheKey:
    """A person's memory in a cell."""

    cell: str
    scope: Scope


class RecallCache:
    """Within a number of bytes. Each is loaded while nobody waits for it, one after the other."""

    def __init__(self, most_bytes: int, clock: Clock) -> None:
        self._most = most_bytes
        self._clock = clock
        self._loading: dict[CacheKey, asyncio.Task[None]] = {}
        self._looking: asyncio.TimerHandle | None = None
        self._alone = asyncio.Lock()
        self._entries: OrderedDict[CacheKey, tuple[CachedMemory, float]] = OrderedDict()
        self._asked: OrderedDict[CacheKey, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """How many bytes are held."""
        return sum(entry.size for entry, _ in self._entries.values())

    def of(self, cell: Cell, scope: Scope) -> CachedMemory | None:
        """What is held of somebody who asks now."""
        self._evict_idle()
        cache_key = CacheKey(cell.name, scope)
        if (found := self._entries.pop(cache_key, None)) is None:
            return None
        self._entries[cache_key] = (found[0], self._now())
        return found[0]

    def answered(self, cell: Cell, scope: Scope, mark: IndexMark) -> None:
        """Somebody was answered by SQL. One who asks again is worth being held, if there is room:
        most who ask are in the middle of a conversation."""
        cache_key, now = CacheKey(cell.name, scope), self._now()
        before = self._asked.pop(cache_key, 0.0)
        self._asked[cache_key] = max(now, before)
        if len(self._asked) > _MOST_ASKED:
            self._asked.popitem(last=False)
        again = now - IDLE.total_seconds() < before <= now
        if again and mark.bytes <= _SHARE * self._most:
            self.load(cell, scope)

    def load(self, cell: Cell, scope: Scope) -> None:
        """Begins to load somebody's memory, unless it is begun."""
        cache_key = CacheKey(cell.name, scope)
        if cache_key not in self._loading:
            task = asyncio.create_task(self._load(cell, scope))
            self._loading[cache_key] = task
            task.add_done_callback(lambda _: self._loading.pop(cache_key))

    def drop(self, cell: Cell, scope: Scope) -> None:
        self._entries.pop(CacheKey(cell.name, scope), None)

    async def close(self) -> None:
        """Lets go of all, and ends what is being loaded."""
        if self._looking is not None:
            self._looking.cancel()
        self._entries.clear()
        loading = list(self._loading.values())
        for task in loading:
            task.cancel()
        await asyncio.gather(*loading, return_exceptions=True)

    async def _load(self, cell: Cell, scope: Scope) -> None:
        async with self._alone:
            try:
                [[found]] = await cell.read_together(scope.tenant, everything(scope))
            except StoreUnavailable:
                return
            memory = await asyncio.to_thread(CachedMemory.sent, mark_of(found), found)
        cache_key = CacheKey(cell.name, scope)
        if memory.is_all:
            self._keep(cache_key, memory)
        else:
            # Written meanwhile, or counted wrongly: then it would be loaded for every question.
            self._asked[cache_key] = self._now() + IDLE.total_seconds()

    def _keep(self, cache_key: CacheKey, memory: CachedMemory) -> None:
        """Those who asked least lately make room."""
        self._entries[cache_key] = (memory, self._now())
        while len(self._entries) > 1 and self.size > self._most:
            self._entries.popitem(last=False)
        self._look_later()

    def _look_later(self) -> None:
        """Whoever is idle is let go of though nobody asks anything."""
        if self._looking is None:
            loop = asyncio.get_running_loop()
            self._looking = loop.call_later(IDLE.total_seconds(), self._look)

    def _look(self) -> None:
        self._looking = None
        self._evict_idle()
        if self._entries:
            self._look_later()

    def _evict_idle(self) -> None:
        before = self._now() - IDLE.total_seconds()
        while self._entries:
            first = next(iter(self._entries))
            if self._entries[first][1] >= before:
                return
            del self._entries[first]

    def _now(self) -> float:
        return self._clock.now().timestamp()
