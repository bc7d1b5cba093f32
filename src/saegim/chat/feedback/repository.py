"""Thumbs, corrections and unanswered questions in Postgres."""

from datetime import datetime
from uuid import UUID

from saegim.chat.feedback.types import Feedback, SharedFeedback, UnansweredQuestion
from saegim.conversations import turn_rows
from saegim.db.cells import Cells, Row
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.usage.trace import UNANSWERED

CORRECTION = "feedback.correction"


class PostgresFeedback:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def save(self, scope: Scope, turn: UUID, feedback: Feedback) -> None:
        """Store the feedback on the caller's turn, replacing earlier feedback. Raises NotFound."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        correction = feedback.correction
        row = await self._cells.fetch_one(
            scope.tenant,
            "save_feedback",
            **turn_rows.owner(scope),
            turn=turn,
            thumb=feedback.thumb,
            correction=None
            if correction is None
            else cipher.seal(correction, FieldLocation(CORRECTION, turn)),
            for_evaluation=feedback.for_evaluation,
            now=self._clock.now(),
        )
        if row is None:
            raise NotFound("turn")

    async def require_turn(self, scope: Scope, turn: UUID) -> None:
        """Raise NotFound if the turn is not the caller's."""
        owner = turn_rows.owner(scope)
        if await self._cells.fetch_one(scope.tenant, "owns_turn", **owner, turn=turn) is None:
            raise NotFound("turn")

    async def find(self, scope: Scope, turn: UUID) -> Feedback | None:
        owner = turn_rows.owner(scope)
        row = await self._cells.fetch_one(scope.tenant, "find_feedback", **owner, turn=turn)
        return None if row is None else await self._read(row, scope, turn)

    async def unanswered(
        self, tenant: UUID, assistant: UUID, since: datetime, most: int
    ) -> list[UnansweredQuestion]:
        """Return unanswered questions, newest first, without temporary sessions."""
        outcomes = sorted(UNANSWERED)
        values = {"assistant": assistant, "since": since, "outcomes": outcomes, "most": most}
        rows = await self._cells.fetch_all(tenant, "unanswered", **values)
        questions: list[UnansweredQuestion] = []
        for row in rows:
            turn: UUID = row["turn_id"]
            cipher = await self._keyring.user(tenant, row["member_id"])
            questions.append(
                UnansweredQuestion(
                    turn=turn,
                    member=row["member_id"],
                    shared=row["shared"],
                    at=row["occurred_at"],
                    question=cipher.open(row["message"], FieldLocation("turn.message", turn)),
                    outcome=row["outcome"],
                    thumb=row["thumb"],
                    correction=_correction(row["correction"], cipher, turn),
                )
            )
        return questions

    async def for_evaluation(
        self, tenant: UUID, since: datetime, most: int
    ) -> list[SharedFeedback]:
        """Return feedback shared for evaluation, oldest first, without temporary sessions."""
        values = {"since": since, "most": most}
        rows = await self._cells.fetch_all(tenant, "feedback_for_evaluation", **values)
        shared: list[SharedFeedback] = []
        for row in rows:
            scope, turn = Scope(tenant, row["member_id"], row["profile_id"]), row["turn_id"]
            shared.append(SharedFeedback(scope, turn, await self._read(row, scope, turn)))
        return shared

    async def _read(self, row: Row, scope: Scope, turn: UUID) -> Feedback:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        correction = _correction(row["correction"], cipher, turn)
        return Feedback(row["thumb"], correction, row["for_evaluation"])


def _correction(sealed: bytes | None, cipher: Cipher, turn: UUID) -> str | None:
    return None if sealed is None else cipher.open(sealed, FieldLocation(CORRECTION, turn))
