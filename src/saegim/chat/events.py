"""Events of a running turn, as a client receives them."""

from dataclasses import dataclass
from typing import Literal

from saegim.chat.types import Evidence, Reply

Phase = Literal["received", "routing", "searching", "answering"]


@dataclass(frozen=True, slots=True)
class Position:
    """How far a reader is: the attempt and the number of characters read."""

    attempt: int = 0
    offset: int = 0


START = Position()


@dataclass(frozen=True, slots=True)
class Status:
    phase: Phase
    position: Position = START


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer; `position` is the reader's position after it."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """The evidence behind a marker that was just sent."""

    evidence: Evidence
    position: Position = START


@dataclass(frozen=True, slots=True)
class MemoriesEvent:
    """The user's memories in the context of the turn."""

    memories: tuple[Evidence, ...]
    position: Position = START


@dataclass(frozen=True, slots=True)
class Restart:
    """Discard the text so far: another attempt starts from the beginning."""

    position: Position


@dataclass(frozen=True, slots=True)
class Done:
    reply: Reply
    position: Position


News = Status | CitationEvent | MemoriesEvent
"""Events besides the text. A reader that joins late gets all of it in Done."""

Event = News | Token | Restart | Done
