"""What a streamed turn tells, in order."""

from dataclasses import dataclass
from uuid import UUID

from httpx2 import ServerSentEvent
from pydantic import BaseModel

from saegim.client.errors import SaegimProblem, StreamInterrupted
from saegim.client.types import ChatReply, Citation

# What ends a stream but not its turn.
UNAVAILABLE = frozenset({"unavailable", "store_unavailable", "model_unavailable", "degraded"})


@dataclass(frozen=True, slots=True)
class TurnOpened:
    """The message is stored: from here on the turn goes on whether we listen or not."""

    turn_id: UUID
    session_id: UUID


@dataclass(frozen=True, slots=True)
class Status:
    """What the turn is doing."""

    phase: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """A marker was shown; this is what it points at."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class MemoriesEvent:
    """What the turn remembers of its user."""

    memories: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Restart:
    """The text so far is void: the answer starts again."""


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is settled; nothing follows."""

    reply: ChatReply


Event = TurnOpened | Status | Token | CitationEvent | MemoriesEvent | Restart | Done


class _Status(BaseModel):
    phase: str


class _Token(BaseModel):
    text: str


class _Memories(BaseModel):
    memories: tuple[Citation, ...]


class _Error(BaseModel):
    code: str
    title: str


def read(sent: ServerSentEvent) -> Event | None:
    """An event of ours; None for one that a newer server may send. Raises what the server says."""
    match sent.event:
        case "status":
            return Status(_Status.model_validate_json(sent.data).phase)
        case "token":
            return Token(_Token.model_validate_json(sent.data).text)
        case "citation":
            return CitationEvent(Citation.model_validate_json(sent.data))
        case "memory":
            return MemoriesEvent(_Memories.model_validate_json(sent.data).memories)
        case "restart":
            return Restart()
        case "done":
            return Done(ChatReply.model_validate_json(sent.data))
        case "error":
            error = _Error.model_validate_json(sent.data)
            problem = SaegimProblem(error.code, error.title)
            raise StreamInterrupted(problem) if error.code in UNAVAILABLE else problem
        case _:
            return None
