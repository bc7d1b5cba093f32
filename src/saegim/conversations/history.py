"""Read turns with everything that a page shows about them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.types import Attachment, Turn
from saegim.db.cells import Cells, Row
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring


@dataclass(frozen=True, slots=True)
class TurnFeedback:
    thumb: str
    correction: str | None
    for_evaluation: bool


@dataclass(frozen=True, slots=True)
class TurnDetails:
    """A turn with the citations and unavailable components of its trace, its feedback,
    attachments, and the variants at its point, itself included, oldest first.

    Of the variants, `answers` have the message of the turn; `edits` has one for each message, the
    turn itself for its own and the newest for the others.
    """

    turn: Turn
    citations: tuple[Mapping[str, Any], ...] = ()
    degraded: tuple[str, ...] = ()
    proposal: str | None = None
    feedback: TurnFeedback | None = None
    variants: tuple[UUID, ...] = ()
    answers: tuple[UUID, ...] = ()
    edits: tuple[UUID, ...] = ()
    attachments: tuple[Attachment, ...] = ()


class TurnHistory:
    def __init__(self, cells: Cells, keyring: Keyring, turns: PostgresTurns) -> None:
        self._cells = cells
        self._keyring = keyring
        self._turns = turns

    async def find(self, scope: Scope, turn: UUID) -> TurnDetails:
        """Find a turn of the caller. Raises NotFound."""
        [details] = await self.details(scope, [await self._turns.find(scope, turn)])
        return details

    async def page(self, scope: Scope, session: UUID, after: int, count: int) -> list[TurnDetails]:
        """List turns of the branch in use of a session of the caller. Raises NotFound."""
        return await self.details(scope, await self._turns.turns(scope, session, after, count))

    async def page_before(
        self, scope: Scope, session: UUID, before: int, count: int
    ) -> list[TurnDetails]:
        """List the last turns of the branch in use before a number, oldest first. Raises
        NotFound."""
        turns = await self._turns.turns_before(scope, session, before, count)
        return await self.details(scope, turns)

    async def details(self, scope: Scope, turns: Sequence[Turn]) -> list[TurnDetails]:
        """Return turns of one session with what a page shows about them."""
        ids = [turn.id for turn in turns]
        if not ids:
            return []
        first = {turn.id: turn.variant_of or turn.id for turn in turns}
        cell = await self._cells.for_tenant(scope.tenant)
        session = turns[0].session
        rows, variants = await cell.read_together(
            scope.tenant,
            ("turn_details", {"turns": ids}),
            ("turn_variants", {"session": session, "first": list(first.values())}),
        )
        cipher = await self._keyring.user(scope.tenant, scope.user)
        by_turn = {row["turn_id"]: row for row in rows}
        together: dict[UUID, dict[UUID, str]] = defaultdict(dict)
        for row in variants:
            message = cipher.open(row["message"], FieldLocation("turn.message", row["turn_id"]))
            together[row["first_id"]][row["turn_id"]] = message
        return [
            _with_variants(_read(turn, by_turn.get(turn.id), cipher), together[first[turn.id]])
            for turn in turns
        ]


def _with_variants(details: TurnDetails, messages: Mapping[UUID, str]) -> TurnDetails:
    turn = details.turn
    same: dict[str, list[UUID]] = defaultdict(list)
    for variant, message in messages.items():
        same[message].append(variant)
    return replace(
        details,
        variants=tuple(messages),
        answers=tuple(same[turn.message]),
        edits=tuple(turn.id if turn.id in each else each[-1] for each in same.values() if each),
    )


def _read(turn: Turn, row: Row | None, cipher: Cipher) -> TurnDetails:
    if row is None:
        return TurnDetails(turn)
    sealed = row["trace"]
    trace: Mapping[str, Any] = turn_rows.trace_of(sealed, turn.id, cipher) if sealed else {}
    proposed: Mapping[str, Any] = trace.get("proposal") or {}
    return TurnDetails(
        turn,
        citations=tuple(trace.get("citations", ())),
        degraded=tuple(trace.get("degraded", ())),
        proposal=proposed.get("request"),
        feedback=_feedback(row, turn.id, cipher),
        attachments=turn_rows.inputs_of(row["inputs"], turn.id, cipher).attachments,
    )


def _feedback(row: Row, turn: UUID, cipher: Cipher) -> TurnFeedback | None:
    if row["thumb"] is None:
        return None
    sealed = row["correction"]
    place = FieldLocation("feedback.correction", turn)
    correction = None if sealed is None else cipher.open(sealed, place)
    return TurnFeedback(row["thumb"], correction, row["for_evaluation"])
