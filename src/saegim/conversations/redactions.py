"""What of a turn is struck: words of the transcript that no model is shown any more."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

type Span = tuple[int, int]
type Note = tuple[int, str]
"""What is put into a text, and where."""

ELLIPSIS = "[…]"
"""Stands where words are struck."""


class StatementFate(StrEnum):
    """What became of a statement since it was said."""

    CORRECTED = "corrected"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Redactions:
    """Places in the message and in the reply of a turn, in characters."""

    message: tuple[Span, ...] = ()
    reply: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.message or self.reply)

    def __or__(self, other: "Redactions") -> "Redactions":
        return Redactions(merged(self.message + other.message), merged(self.reply + other.reply))

    def but(self, kept: "Redactions") -> "Redactions":
        """Without the places that are kept."""
        return Redactions(less(self.message, kept.message), less(self.reply, kept.reply))


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same places in order, none of them twice."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif start < end:
            found.append((start, end))
    return tuple(found)


def less(spans: Iterable[Span], kept: Iterable[Span]) -> tuple[Span, ...]:
    """The places that are in none of those kept."""
    left = list(merged(spans))
    for start, end in merged(kept):
        left = [
            part
            for one, other in left
            for part in ((one, min(other, start)), (max(one, end), other))
            if part[0] < part[1]
        ]
    return tuple(left)


def without(text: str, spans: Sequence[Span], notes: Iterable[Note] = ()) -> str:
    """A text with a gap wherever words are struck, and with notes where none are. Of a text that
    says nothing besides, only the gap is left."""
    spans = merged(spans)
    edits = [(start, end, ELLIPSIS) for start, end in spans]
    edits += [
        (at, at, note) for at, note in notes if not any(start < at <= end for start, end in spans)
    ]
    pieces: list[str] = []
    done = 0
    for start, end, put in sorted(edits):
        pieces += text[done:start], put
        done = end
    left = "".join([*pieces, text[done:]])
    return left if says_anything(left) or not spans else ELLIPSIS


def says_anything(text: str) -> bool:
    """Whether a text has any word or number in it."""
    return any(character.isalnum() for character in text)
