from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.domain.scope import Scope


class TurnState(StrEnum):
    """received → running (lease) → done | incomplete | failed."""

    RECEIVED = "received"
    RUNNING = "running"
    DONE = "done"
    INCOMPLETE = "incomplete"
    FAILED = "failed"

    @property
    def settled(self) -> bool:
        return self in (TurnState.DONE, TurnState.INCOMPLETE, TurnState.FAILED)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was said in one turn, as working memory and episodes carry it.

    `doc_ids` are the outside ids of the documents that the reply used, best first.
    """

    number: int
    message: str
    reply: str
    at: datetime
    doc_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One message with its reply."""

    id: UUID
    scope: Scope
    session: UUID
    assistant: UUID
    number: int
    state: TurnState
    message: str
    reply: str | None
    attempt: int
    created_at: datetime
    settled_at: datetime | None = None
    error: str | None = None
    doc_ids: tuple[str, ...] = ()

    def exchange(self) -> Exchange:
        said = (self.message, self.reply or "")
        return Exchange(self.number, *said, self.created_at, self.doc_ids)
