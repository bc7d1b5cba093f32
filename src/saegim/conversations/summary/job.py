"""The job that folds: read, close, think, write; safe to kill anywhere (WM2, WM10)."""

import contextlib
import logging
from uuid import UUID

from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.summary.repository import Backlog, Fold, PostgresFolds
from saegim.conversations.summary.summariser import fold, next_batch
from saegim.conversations.types import FoldRule
from saegim.domain.errors import Degraded
from saegim.jobs.types import Job, JobKind
from saegim.llm.steps import Steps

log = logging.getLogger(__name__)


def fold_job(tenant: UUID, session: UUID) -> Job:
    """The job of a session with turns to fold; its lock keeps one fold after the other."""
    return Job(JobKind.FOLD, tenant, session, lock=f"{JobKind.FOLD}:{tenant}:{session}")


class Folding:
    def __init__(
        self, store: PostgresFolds, cache: RedisStateCache, steps: Steps, rule: FoldRule
    ) -> None:
        self._store = store
        self._cache = cache
        self._steps = steps
        self._rule = rule

    async def fold(self, tenant: UUID, session: UUID) -> int:
        """Folds the oldest turns until too few are left, whatever turn it was queued by.

        Tells how many folds it made. Raises ModelUnavailable, and is then to be queued again."""
        return await self._fold(tenant, session, self._steps.charged_to(tenant))

    async def fold_by_rule(self, tenant: UUID, session: UUID) -> int:
        """The same without a model, where the model failed for good: the folds are marked so."""
        return await self._fold(tenant, session, self._steps.by_rule())

    async def _fold(self, tenant: UUID, session: UUID, steps: Steps) -> int:
        made = 0
        while True:
            backlog = await self._store.backlog(tenant, session, self._rule.turns)
            batch = next_batch(backlog.turns, self._rule) if backlog else ()
            if backlog is None or not batch:
                return made
            memory, call = await fold(steps, backlog.memory, batch, self._rule.bounds)
            done = Fold(memory, batch[-1].number, call.source)
            if await self._store.save_fold(backlog, done):
                made += 1
                log.info("folded %s through %s by %s", session, done.through, call.source)
                await self._refresh(backlog)

    async def _refresh(self, backlog: Backlog) -> None:
        """Puts the new state at hand, so that the next turn does not have to rebuild it."""
        state = await self._store.rebuild(backlog.scope, backlog.session)
        with contextlib.suppress(Degraded):
            await self._cache.save(backlog.scope, backlog.session, state)
