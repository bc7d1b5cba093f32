"""What a caller sees of a running turn, in order."""

from dataclasses import dataclass
from typing import Literal

from saegim.chat.types import Evidence, Reply

Phase = Literal["received", "routing", "searching", "answering"]


@dataclass(frozen=True, slots=True)
class Position:
    """How far a reader is: so many characters of the text of one attempt."""

    attempt: int = 0
    offset: int = 0


START = Position()


@dataclass(frozen=True, slots=True)
class Status:
    """What the turn is doing."""

    phase: Phase
    position: Position = START


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer; `position` is where the reader stands after it."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """A marker was shown; this is what it points at."""

    evidence: Evidence
    position: Position = START


@dataclass(frozen=True, slots=True)
class MemoriesEvent:
    """What the turn remembers of its user, as it stands in the context."""

    memories: tuple[Evidence, ...]
    position: Position = START


@dataclass(frozen=True, slots=True)
class Restart:
    """The text so far is void: another attempt starts from nothing."""

    position: Position


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is settled."""

    reply: Reply
    position: Position


News = Status | CitationEvent | MemoriesEvent
"""What a reader is told besides the text; one that comes later finds it all in Done."""

Event = News | Token | Restart | Done
