"""Read from the audit trail what turns changed in memory, and which of it was taken back.

The reason of an event names its turn. "asked in turn A": A made the change. "asked in turn A,
undone in turn B": B took back a change of A. "asked in turn A, undone": a user did so on a page,
or a variant of A did, which cannot be taken back itself.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from saegim.memory.types import Action, AuditEvent

_UUID = r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
_REASON = re.compile(rf"asked in turn {_UUID}(?:(, undone)(?: in turn {_UUID})?)?")


def asked_in(turn: UUID) -> str:
    """Return the reason of what a turn changes."""
    return f"asked in turn {turn}"


def undone(turn: UUID, by: UUID | None) -> str:
    """Return the reason of taking back the changes of a turn."""
    return f"{asked_in(turn)}, undone{f' in turn {by}' if by else ''}"


class TurnTrail:
    """Changes of turns that are in force. `without`: turns to regard as taken back."""

    def __init__(self, events: Iterable[AuditEvent], without: Collection[UUID] = ()) -> None:
        self._taken_back = set(without)
        self._changes: dict[UUID, dict[UUID, Action]] = {}
        self._own: dict[UUID, None] = {}
        by_id = {event.id: event for event in events}
        changed_later: dict[UUID, UUID | None] = {}
        # The newest first: what takes a change back is read before it.
        for event in sorted(by_id.values(), key=lambda event: event.id, reverse=True):
            found = _REASON.fullmatch(event.reason)
            if found is None:
                changed_later.setdefault(event.subject, None)
                continue
            asked, by = UUID(found[1]), UUID(found[3]) if found[3] else None
            turn = by if found[2] else asked
            if turn is None:
                self._taken_back.add(asked)
            elif turn not in self._taken_back:
                self._read(event, turn, asked, changed_later)

    def _read(
        self, event: AuditEvent, turn: UUID, asked: UUID, changed_later: dict[UUID, UUID | None]
    ) -> None:
        # The oldest event of a turn tells how it found the subject.
        if turn != asked:
            self._taken_back.add(asked)
            self._changes.setdefault(turn, {})[event.subject] = event.action
        elif changed_later.setdefault(event.subject, turn) == turn:
            self._changes.setdefault(turn, {})[event.subject] = event.action
            self._own.setdefault(turn)

    def changes_of(self, turn: UUID) -> Mapping[UUID, Action]:
        """Return what a turn did first to each record, or turn, that it changed."""
        return self._changes.get(turn, {})

    @property
    def undoable(self) -> list[UUID]:
        """Return the turns with changes in force that are not only an undo, the last first."""
        return list(self._own)
