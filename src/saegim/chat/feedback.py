"""What people say of answers, and which questions had none (OP9)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, Protocol
from uuid import UUID

from saegim.access.grants import GRANTS, Grants
from saegim.access.policy import Permission
from saegim.domain.clock import Clock
from saegim.domain.scope import Caller, Scope
from saegim.search.masking import Masking

Thumb = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """A thumb, and what the answer should have been.

    `for_evaluation` is the person's leave to make a case of the turn and of what was said before
    it; without it nobody does. It is taken back by giving feedback again."""

    thumb: Thumb
    correction: str | None = None
    for_evaluation: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """Feedback that is given for evaluation, and whose turn it is about."""

    scope: Scope
    turn: UUID
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that had no answer, or a bad one."""

    turn: UUID
    at: datetime
    question: str
    outcome: str
    thumb: Thumb | None
    correction: str | None


class FeedbackStore(Protocol):
    """Keeps what people say of answers."""

    async def save(self, scope: Scope, turn: UUID, feedback: Feedback) -> None:
        """Stores the feedback on a turn of the caller's; the last one holds. Raises NotFound."""
        ...

    async def require_turn(self, scope: Scope, turn: UUID) -> None:
        """Raises NotFound where the turn is not the caller's."""
        ...

    async def find(self, scope: Scope, turn: UUID) -> Feedback | None:
        """The feedback on a turn of the caller's, if there is any."""
        ...

    async def unanswered(
        self, tenant: UUID, assistant: UUID, since: datetime, most: int
    ) -> Sequence[Unanswered]:
        """Questions of an assistant's users, newest first; none of temporary sessions."""
        ...

    async def for_evaluation(self, tenant: UUID, since: datetime, most: int) -> Sequence[Given]:
        """What a tenant's people gave for evaluation, oldest first; nothing of temporary
        sessions."""
        ...


class Opinions:
    def __init__(
        self, store: FeedbackStore, masking: Masking, clock: Clock, grants: Grants = GRANTS
    ) -> None:
        self._store = store
        self._masking = masking
        self._clock = clock
        self._grants = grants

    async def give(self, scope: Scope, turn: UUID, feedback: Feedback) -> Feedback:
        """Keeps a thumb and a correction, masked as every message is."""
        if feedback.correction is not None:
            await self._store.require_turn(scope, turn)
            [masked] = await self._masking.mask([feedback.correction])
            feedback = replace(feedback, correction=masked.text)
        await self._store.save(scope, turn, feedback)
        return feedback

    async def find(self, scope: Scope, turn: UUID) -> Feedback | None:
        return await self._store.find(scope, turn)

    async def unanswered(
        self, caller: Caller, reason: str, days: int, most: int
    ) -> Sequence[Unanswered]:
        """The assistant's unanswered and badly rated questions, in the words of those who asked.
        Raises Forbidden for members, and Invalid without a reason."""
        self._grants.read_others(caller, Permission.EDIT_ASSISTANTS, reason)
        since = self._clock.now() - timedelta(days=days)
        return await self._store.unanswered(caller.scope.tenant, caller.assistant, since, most)
