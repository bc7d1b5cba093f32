from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from saegim.conversations.redactions import Outdated, Struck, without
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


NOTHING_STRUCK = Struck()


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was said in one turn, as working memory and episodes carry it.

    `doc_ids` are the outside ids of the documents that the reply used, best first; `refs` their
    titles, where a client brought them.
    """

    number: int
    message: str
    reply: str
    at: datetime
    doc_ids: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One message with its reply, as they stand in the transcript.

    `struck` are the words of what the person had forgotten; `outdated` the ends of statements of
    the message that were corrected or replaced since.
    """

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
    struck: Struck = NOTHING_STRUCK
    outdated: tuple[tuple[int, Outdated], ...] = ()

    def exchange(self) -> Exchange:
        """The turn as anybody but the person may see it."""
        message = without(self.message, self.struck.message)
        reply = without(self.reply or "", self.struck.reply)
        return Exchange(self.number, message, reply, self.created_at, self.doc_ids)
