"""Background job that summarises sessions; safe to kill at any point."""

import contextlib
import logging
from dataclasses import dataclass
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
    """Build the summary job of a session; the lock allows one at a time."""
    return Job(JobKind.SUMMARISE, tenant, session, lock=f"{JobKind.SUMMARISE}:{tenant}:{session}")


@dataclass(frozen=True, eq=False)
class SummaryJob:
    store: PostgresSummaries
    cache: RedisStateCache
    steps: Steps
    rule: SummaryRule

    async def summarise(self, tenant: UUID, session: UUID) -> int:
        """Summarise the oldest turns until too few are left; return the number of summaries.

        Raises ModelUnavailable; the job is then retried.
        """
        steps = await self.steps.for_tenant(tenant)
        return await self._summarise(tenant, session, steps.charged_to(tenant))

    async def summarise_by_rule(self, tenant: UUID, session: UUID) -> int:
        """Summarise with the rule-based fallback after the last retry failed."""
        return await self._summarise(tenant, session, self.steps.by_rule())

    async def _summarise(self, tenant: UUID, session: UUID, steps: Steps) -> int:
        made = 0
        while True:
            backlog = await self.store.backlog(tenant, session, self.rule.turns)
            batch = next_batch(backlog.turns, self.rule) if backlog else ()
            if backlog is None or not batch:
                return made
            memory, call = await summarise(steps, backlog.memory, batch, self.rule.bounds)
            done = NewSummary(memory, batch[-1].number, call.source)
            if await self.store.save_summary(backlog, done):
                made += 1
                log.info("summarised %s through %s by %s", session, done.through, call.source)
                await self._refresh(backlog)

    async def _refresh(self, backlog: SummaryInput) -> None:
        """Cache the new state, so that the next turn does not have to rebuild it."""
        state = await self.store.rebuild(backlog.scope, backlog.session)
        with contextlib.suppress(OptionalServiceDown):
            await self.cache.save(backlog.scope, backlog.session, state)
