"""Events of a streamed turn, in order."""

from dataclasses import dataclass
from uuid import UUID

from httpx2 import ServerSentEvent
from pydantic import BaseModel, TypeAdapter

from saegim.client.errors import SaegimProblem, StreamInterrupted
from saegim.client.types import ChatReply, Citation

# Errors that end a stream but not its turn.
UNAVAILABLE = frozenset({"unavailable", "store_unavailable", "model_unavailable", "degraded"})


@dataclass(frozen=True, slots=True)
class TurnOpened:
    """The message is stored; the turn continues even if the client disconnects."""

    turn_id: UUID
    session_id: UUID


@dataclass(frozen=True, slots=True)
class Status:
    """The phase of the turn."""

    phase: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """The source of a marker in the answer."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class MemoriesEvent:
    """Memories that the turn uses."""

    memories: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Restart:
    """The text so far is invalid; the answer starts again."""


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is finished; the last event."""

    reply: ChatReply


Event = TurnOpened | Status | Token | CitationEvent | MemoriesEvent | Restart | Done


_PLAIN: dict[str, TypeAdapter[Event]] = {
    "status": TypeAdapter(Status),
    "token": TypeAdapter(Token),
    "memory": TypeAdapter(MemoriesEvent),
    "restart": TypeAdapter(Restart),
}


class _Error(BaseModel):
    code: str
    title: str


def read(sent: ServerSentEvent) -> Event | None:
    """Return the event, or None for an unknown one. Raises the error that the server sent."""
    match sent.event:
        case "status" | "token" | "memory" | "restart":
            return _PLAIN[sent.event].validate_json(sent.data)
        case "citation":
            return CitationEvent(Citation.model_validate_json(sent.data))
        case "done":
            return Done(ChatReply.model_validate_json(sent.data))
        case "error":
            error = _Error.model_validate_json(sent.data)
            problem = SaegimProblem(error.code, error.title)
            raise StreamInterrupted(problem) if error.code in UNAVAILABLE else problem
        case _:
            return None
