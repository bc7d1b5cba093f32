"""Opens a session's working memory before a turn and keeps it after one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.summary.repository import PostgresSummaries
from saegim.conversations.types import Exchange, SessionVersion, WorkingState
from saegim.domain.errors import OptionalServiceDown
from saegim.domain.scope import Scope

NoteDegraded = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LoadedState:
    """A session's state, and where it came from."""

    state: WorkingState
    source: Literal["cache", "record"]


class WorkingMemory:
    def __init__(self, cache: RedisStateCache, store: PostgresSummaries) -> None:
        self._cache = cache
        self._store = store

    async def open(
        self, scope: Scope, session: UUID, mark: SessionVersion, degraded: NoteDegraded
    ) -> LoadedState:
        """The state at `mark`: from the cache, or rebuilt where that has none or an old one."""
        cached = await self._load(scope, session, degraded)
        if cached is not None and cached.version == mark:
            return LoadedState(cached, "cache")
        return LoadedState(await self._store.rebuild(scope, session), "record")

    async def keep(
        self,
        scope: Scope,
        session: UUID,
        state: WorkingState,
        exchange: Exchange,
        mark: SessionVersion,
        degraded: NoteDegraded,
    ) -> None:
        """Saves the state with a new turn in it. If another turn or a fold came between, the cache
        stays as it is and is found old on the next opening."""
        if mark != SessionVersion(state.completed_turns + 1, state.summary_version):
            return
        try:
            await self._cache.save(scope, session, state.after(exchange, mark.completed_turns))
        except OptionalServiceDown as outage:
            degraded(outage.part)

    async def _load(
        self, scope: Scope, session: UUID, degraded: NoteDegraded
    ) -> WorkingState | None:
        try:
            return await self._cache.load(scope, session)
        except OptionalServiceDown as outage:
            degraded(outage.part)
            return None
