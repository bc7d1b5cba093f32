"""The job that folds: read, close, think, write; safe to kill anywhere (WM2, WM10)."""

import contextlib
import logging
from uuid import UUID

from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.summary.repository import NewSummary, PostgresSummaries, SummaryInput
from saegim.conversations.summary.summariser import next_batch, summarise
from saegim.conversations.types import SummaryRule
from saegim.domain.errors import OptionalServiceDown
from saegim.jobs.types import Job, JobKind
from saegim.llm.steps import Steps

log = logging.getLogger(__name__)


def summary_job(tenant: UUID, session: UUID) -> Job:
    """The job of a session with turns to fold; its lock keeps one fold after the other."""
    return Job(JobKind.SUMMARISE, tenant, session, lock=f"{JobKind.SUMMARISE}:{tenant}:{session}")


class SummaryJob:
    def __init__(
        self, store: PostgresSummaries, cache: RedisStateCache, steps: Steps, rule: SummaryRule
    ) -> None:
        self._store = store
        self._cache = cache
        self._steps = steps
        self._rule = rule

    async def summarise(self, tenant: UUID, session: UUID) -> int:
        """Folds the oldest turns until too few are left, whatever turn it was queued by.

        Tells how many folds it made. Raises ModelUnavailable, and is then to be queued again."""
        return await self._summarise(tenant, session, self._steps.charged_to(tenant))

    async def summarise_by_rule(self, tenant: UUID, session: UUID) -> int:
        """The same without a model, where the model failed for good: the folds are marked so."""
        return await self._summarise(tenant, session, self._steps.by_rule())

    async def _summarise(self, tenant: UUID, session: UUID, steps: Steps) -> int:
        made = 0
        while True:
            backlog = await self._store.backlog(tenant, session, self._rule.turns)
            batch = next_batch(backlog.turns, self._rule) if backlog else ()
            if backlog is None or not batch:
                return made
            memory, call = await summarise(steps, backlog.memory, batch, self._rule.bounds)
            done = NewSummary(memory, batch[-1].number, call.source)
            if await self._store.save_summary(backlog, done):
                made += 1
                log.info("folded %s through %s by %s", session, done.through, call.source)
                await self._refresh(backlog)

    async def _refresh(self, backlog: SummaryInput) -> None:
        """Puts the new state at hand, so that the next turn does not have to rebuild it."""
        state = await self._store.rebuild(backlog.scope, backlog.session)
        with contextlib.suppress(OptionalServiceDown):
            await self._cache.save(backlog.scope, backlog.session, state)
