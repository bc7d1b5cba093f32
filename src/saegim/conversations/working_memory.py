"""Opens a session's working memory before a turn and keeps it after one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.summary.repository import PostgresFolds
from saegim.conversations.types import Exchange, Mark, WorkingState
from saegim.domain.errors import Degraded
from saegim.domain.scope import Scope

NoteDegraded = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A session's state, and where it came from."""

    state: WorkingState
    source: Literal["cache", "record"]


class WorkingMemory:
    def __init__(self, cache: RedisStateCache, store: PostgresFolds) -> None:
        self._cache = cache
        self._store = store

    async def open(self, scope: Scope, session: UUID, mark: Mark, degraded: NoteDegraded) -> Opened:
        """The state at `mark`: from the cache, or rebuilt where that has none or an old one."""
        cached = await self._load(scope, session, degraded)
        if cached is not None and Mark(cached.recorded, cached.folds) == mark:
            return Opened(cached, "cache")
        return Opened(await self._store.rebuild(scope, session), "record")

    async def keep(
        self,
        scope: Scope,
        session: UUID,
        state: WorkingState,
        exchange: Exchange,
        mark: Mark,
        degraded: NoteDegraded,
    ) -> None:
        """Saves the state with a new turn in it. If another turn or a fold came between, the cache
        stays as it is and is found old on the next opening."""
        if mark != Mark(state.recorded + 1, state.folds):
            return
        try:
            await self._cache.save(scope, session, state.after(exchange, mark.recorded))
        except Degraded as outage:
            degraded(outage.part)

    async def _load(
        self, scope: Scope, session: UUID, degraded: NoteDegraded
    ) -> WorkingState | None:
        try:
            return await self._cache.load(scope, session)
        except Degraded as outage:
            degraded(outage.part)
            return None
