"""Feedback on answers, and the questions that had none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from saegim.chat.feedback.clusters import clustered
from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.types import Feedback, UnansweredReport
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller, Scope
from saegim.text.masking_pool import MaskWorkers
from saegim.usage.repository import PostgresUsage

# Questions this old can still be marked as answered.
MOST_DAYS = 3650


@dataclass(frozen=True, eq=False)
class FeedbackService:
    store: PostgresFeedback
    masking: MaskWorkers
    clock: Clock
    usage: PostgresUsage

    async def give(self, scope: Scope, turn: UUID, feedback: Feedback) -> Feedback:
        """Store a thumb and a correction; the correction is masked like a message."""
        if feedback.correction is not None:
            await self.store.require_turn(scope, turn)
            [masked] = await self.masking.mask([feedback.correction])
            feedback = replace(feedback, correction=masked.text)
        await self.store.save(scope, turn, feedback)
        return feedback

    async def find(self, scope: Scope, turn: UUID) -> Feedback | None:
        return await self.store.find(scope, turn)

    async def unanswered(self, caller: Caller, days: int, most: int) -> UnansweredReport:
        """Return the assistant's unanswered and badly rated questions.

        Only shared questions are in words; the others are clusters of several people. Raises
        PermissionDenied for members.
        """
        require(caller, Permission.EDIT_ASSISTANTS)
        since, tenant = self.clock.now() - timedelta(days=days), caller.scope.tenant
        found = await self.store.unanswered(tenant, caller.assistant, since, most)
        shared = tuple(each for each in found if each.shared)
        others = [each for each in found if not each.shared]
        total = await self.usage.count_unanswered(tenant, caller.assistant, since)
        return UnansweredReport(shared, clustered(others), total)

    async def mark_answered(
        self, caller: Caller, turn: UUID | None, terms: Sequence[str], most: int
    ) -> None:
        """Take a question, or the cluster with these terms, off the list."""
        require(caller, Permission.EDIT_ASSISTANTS)
        turns = [] if turn is None else [turn]
        if terms:
            clusters = (await self.unanswered(caller, MOST_DAYS, most)).clusters
            chosen = [each for each in clusters if list(each.terms) == list(terms)]
            turns += [turn for cluster in chosen for turn in cluster.turns]
        if turns:
            await self.usage.mark_answered(caller.scope.tenant, caller.assistant, turns)
