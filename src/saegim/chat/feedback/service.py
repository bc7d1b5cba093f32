"""Feedback on answers, and the questions that had none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from saegim.auth.grants import GRANTS, Grants
from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.types import Feedback, UnansweredQuestion
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission
from saegim.domain.scope import Caller, Scope
from saegim.text.masking_pool import MaskWorkers


@dataclass(frozen=True, eq=False)
class FeedbackService:
    store: PostgresFeedback
    masking: MaskWorkers
    clock: Clock
    grants: Grants = GRANTS

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

    async def unanswered(
        self, caller: Caller, reason: str, days: int, most: int
    ) -> Sequence[UnansweredQuestion]:
        """Return the assistant's unanswered and badly rated questions, verbatim.

        Raises Forbidden for members, and Invalid without a reason.
        """
        self.grants.read_others(caller, Permission.EDIT_ASSISTANTS, reason)
        since = self.clock.now() - timedelta(days=days)
        return await self.store.unanswered(caller.scope.tenant, caller.assistant, since, most)
