"""Opens a session's working memory before a turn and keeps it after one."""

from collections.abc import Callable
from uuid import UUID

from saegim.domain.errors import Degraded
from saegim.domain.scope import Scope
from saegim.domain.turn import Exchange
from saegim.working_memory.ports import StateCache, Transcript
from saegim.working_memory.types import RECENT_TURNS, WorkingState

NoteDegraded = Callable[[str], None]


class WorkingMemory:
    def __init__(self, cache: StateCache, transcript: Transcript) -> None:
        self._cache = cache
        self._transcript = transcript

    async def open(
        self, scope: Scope, session: UUID, recorded: int, degraded: NoteDegraded
    ) -> WorkingState:
        """The state after `recorded` turns: from the cache, or rebuilt where that is old."""
        cached = await self._load(scope, session, degraded)
        if cached is not None and cached.recorded == recorded:
            return cached
        recent = await self._transcript.recent(scope, session, RECENT_TURNS)
        return WorkingState(recorded, recent)

    async def keep(
        self,
        scope: Scope,
        session: UUID,
        state: WorkingState,
        exchange: Exchange,
        recorded: int,
        degraded: NoteDegraded,
    ) -> None:
        """Saves the state with a new turn in it. If another turn came between, the cache stays
        as it is and is found old on the next opening."""
        if recorded != state.recorded + 1:
            return
        try:
            await self._cache.save(scope, session, state.after(exchange, recorded))
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
