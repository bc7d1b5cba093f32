"""Working memory before and after a turn, and the settlement of turns with what follows from it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal
from uuid import UUID

from saegim.conversations.repository import PostgresTurns
from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.summary.job import summary_job
from saegim.conversations.summary.repository import PostgresSummaries
from saegim.conversations.types import (
    Exchange,
    Lease,
    Outcome,
    SessionVersion,
    SummaryRule,
    Turn,
    TurnEffects,
    TurnState,
    WorkingState,
)
from saegim.db.cells import Connection
from saegim.domain.errors import OptionalServiceDown
from saegim.domain.scope import Scope
from saegim.jobs.types import Job
from saegim.usage.trace import UNANSWERED
from saegim.webhooks.outbox import WebhookEvent

NoteDegraded = Callable[[str], None]


class WorkingMemory:
    def __init__(self, cache: RedisStateCache, store: PostgresSummaries) -> None:
        self._cache = cache
        self._store = store

    async def open(
        self, scope: Scope, session: UUID, mark: SessionVersion, degraded: NoteDegraded
    ) -> tuple[WorkingState, Literal["cache", "record"]]:
        """Return the state at version `mark`, cached or rebuilt from the record, and its source."""
        cached = await self._load(scope, session, degraded)
        if cached is not None and cached.version == mark:
            return cached, "cache"
        return await self._store.rebuild(scope, session), "record"

    async def keep(
        self,
        scope: Scope,
        session: UUID,
        state: WorkingState,
        exchange: Exchange,
        mark: SessionVersion,
        degraded: NoteDegraded,
    ) -> None:
        """Cache the state with a new turn, unless another turn or summary was saved since."""
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


class Settlement:
    def __init__(self, store: PostgresTurns, summaries: SummaryRule) -> None:
        self._store = store
        self._summaries = summaries

    async def settle(
        self,
        turn: Turn,
        lease: Lease,
        outcome: Outcome,
        jobs: Sequence[Job],
        apply: Callable[[Connection], Awaitable[None]] | None = None,
        summaries: SummaryRule | None = None,
    ) -> SessionVersion | None:
        """Record the outcome with its jobs, events and summary job in one transaction.

        `apply` makes other changes in it, unless the turn failed. `summaries` replaces the rule
        when a summary is due. Returns the new version of the session; None if the lease was lost.
        """
        rule = summaries or self._summaries

        def summary_if_due(turns: int, tokens: int) -> Job | None:
            due = outcome.state is not TurnState.FAILED and rule.due(turns, tokens)
            return summary_job(turn.scope.tenant, turn.session) if due else None

        effects = TurnEffects(tuple(jobs), tuple(events_of(outcome)), summary_if_due, apply)
        return await self._store.settle(turn, lease, outcome, effects)

    async def withdraw(self, turn: Turn, lease: Lease) -> bool:
        """Delete a turn that waits for its client; False if the lease was lost."""
        return await self._store.withdraw(turn, lease)


def events_of(outcome: Outcome) -> list[WebhookEvent]:
    """Return the webhook events of a settled turn."""
    label = outcome.interaction.outcome if outcome.interaction else outcome.state.value
    done = [WebhookEvent.TURN_DONE] if outcome.state is TurnState.DONE else []
    handed_off = [WebhookEvent.HANDED_OFF] if outcome.trace.get("handed_off") else []
    unanswered = [WebhookEvent.TURN_UNANSWERED] if label in UNANSWERED else []
    return [*done, *handed_off, *unanswered]
