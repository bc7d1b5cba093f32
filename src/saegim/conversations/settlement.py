"""What a settled turn leads to: jobs, webhook events, and a summary once one is due."""

from collections.abc import Sequence

from saegim.conversations.repository import PostgresTurns
from saegim.conversations.stored_turns import Lease, Outcome, SummaryBacklog, TurnEffects
from saegim.conversations.summary.job import summary_job
from saegim.conversations.types import SessionVersion, SummaryRule, Turn, TurnState
from saegim.jobs.types import Job
from saegim.usage.trace import UNANSWERED
from saegim.webhooks.events import WebhookEvent


class Settlement:
    """Settles turns."""

    def __init__(self, store: PostgresTurns, summaries: SummaryRule) -> None:
        self._store = store
        self._summaries = summaries

    async def settle(
        self, turn: Turn, lease: Lease, outcome: Outcome, jobs: Sequence[Job]
    ) -> SessionVersion | None:
        """Records the outcome and everything that follows from it in one transaction.

        Returns how far the session is now; None if the lease was lost.
        """

        def summary_if_due(waiting: SummaryBacklog) -> Job | None:
            if outcome.state is TurnState.FAILED:
                return None
            due = self._summaries.due(waiting.turns, waiting.tokens)
            return summary_job(turn.scope.tenant, turn.session) if due else None

        effects = TurnEffects(tuple(jobs), tuple(events_of(outcome)), summary_if_due)
        return await self._store.settle(turn, lease, outcome, effects)


def events_of(outcome: Outcome) -> list[WebhookEvent]:
    """The webhook events that a settled turn raises."""
    counted = outcome.interaction.outcome if outcome.interaction else outcome.state.value
    done = [WebhookEvent.TURN_DONE] if outcome.state is TurnState.DONE else []
    return [*done, WebhookEvent.TURN_UNANSWERED] if counted in UNANSWERED else done
