"""Thumbs, corrections and unanswered questions in Postgres: implements `FeedbackStore`."""

from datetime import datetime
from uuid import UUID

from saegim.adapters.keyring.cipher import Cipher, Place
from saegim.adapters.keyring.keyring import Keyring
from saegim.adapters.postgres import turn_rows
from saegim.adapters.postgres.cells import Cells, fetch_all, fetch_one
from saegim.chat.feedback import Feedback, Unanswered
from saegim.domain.clock import Clock
from saegim.domain.errors import NotFound
from saegim.domain.scope import Scope
from saegim.usage.interaction import UNANSWERED

CORRECTION = "feedback.correction"


class PostgresFeedback:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def save(self, scope: Scope, turn: UUID, feedback: Feedback) -> None:
        cipher = await self._keyring.user(scope.tenant, scope.user)
        said = feedback.correction
        cell = await self._cells.for_tenant(scope.tenant)
        async with cell.transaction(scope.tenant) as connection:
            row = await fetch_one(
                connection,
                "save_feedback",
                **turn_rows.owned(scope),
                turn=turn,
                thumb=feedback.thumb,
                correction=None if said is None else cipher.seal(said, Place(CORRECTION, turn)),
                now=self._clock.now(),
            )
        if row is None:
            raise NotFound("turn")

    async def find(self, scope: Scope, turn: UUID) -> Feedback | None:
        cell = await self._cells.for_tenant(scope.tenant)
        async with cell.transaction(scope.tenant) as connection:
            row = await fetch_one(connection, "find_feedback", **turn_rows.owned(scope), turn=turn)
        if row is None:
            return None
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return Feedback(row["thumb"], _correction(row["correction"], cipher, turn))

    async def unanswered(
        self, tenant: UUID, assistant: UUID, since: datetime, most: int
    ) -> list[Unanswered]:
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(
                connection,
                "unanswered",
                tenant=tenant,
                assistant=assistant,
                since=since,
                outcomes=sorted(UNANSWERED),
                most=most,
            )
        found: list[Unanswered] = []
        for row in rows:
            turn: UUID = row["turn_id"]
            cipher = await self._keyring.user(tenant, row["member_id"])
            found.append(
                Unanswered(
                    turn=turn,
                    at=row["occurred_at"],
                    question=cipher.open(row["message"], Place("turn.message", turn)),
                    outcome=row["outcome"],
                    thumb=row["thumb"],
                    correction=_correction(row["correction"], cipher, turn),
                )
            )
        return found


def _correction(sealed: bytes | None, cipher: Cipher, turn: UUID) -> str | None:
    return None if sealed is None else cipher.open(sealed, Place(CORRECTION, turn))
