"""What a caller sees of a running turn, in order."""

from dataclasses import dataclass
from typing import Literal

from saegim.chat.types import Reply

Phase = Literal["received", "answering"]


@dataclass(frozen=True, slots=True)
class Position:
    """How far a reader is: so many characters of the text of one attempt."""

    attempt: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    phase: Phase
    position: Position


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer; `position` is where the reader stands after it."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class Restart:
    """The text so far is void: another attempt starts from nothing."""

    position: Position


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is settled."""

    reply: Reply
    position: Position


Event = Status | Token | Restart | Done
