"""Values of a conversation: turns, working memory, entities, redactions."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.text.tokens import count

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


NO_REDACTIONS = Redactions()


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
    redactions: Redactions = NO_REDACTIONS
    outdated: tuple[tuple[int, StatementFate], ...] = ()

    def exchange(self) -> Exchange:
        """The turn as anybody but the person may see it."""
        message = without(self.message, self.redactions.message)
        reply = without(self.reply or "", self.redactions.reply)
        return Exchange(self.number, message, reply, self.created_at, self.doc_ids)


RECENT_TURNS = 5
# Turns that wait for a fold longer than this leave the state: so many do not fit the context
# anyway, and a summarizer that fails for days must not make a session dear to open.
CONTEXT_TURNS = 40


@dataclass(frozen=True, slots=True)
class Entity:
    """A keyed value that must stay exact, and the turn it was last said in."""

    key: str
    value: str
    turn: int


@dataclass(frozen=True, slots=True)
class SessionVersion:
    """How far a session is: what a state must have been made at to be current."""

    completed_turns: int
    summary_version: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What folded turns came to: the summary and the entities."""

    summary: str = ""
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkingState:
    """Working memory of a session at one version.

    `recent` holds the last five turns and every turn that is not summarised yet.
    """

    completed_turns: int
    summary_version: int = 0
    summarised_through: int = 0
    summary: str = ""
    entities: tuple[Entity, ...] = ()
    recent: tuple[Exchange, ...] = ()

    @property
    def version(self) -> SessionVersion:
        return SessionVersion(self.completed_turns, self.summary_version)

    def after(self, exchange: Exchange, completed_turns: int) -> "WorkingState":
        """The state with `exchange` added; drops summarised turns beyond the last five."""
        turns = context_turns([*self.recent, exchange], self.summarised_through)
        return replace(self, completed_turns=completed_turns, recent=turns)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a summary may be, and how many entities there may be."""

    sentences: int = 20
    tokens: int = 500
    entities: int = 25


@dataclass(frozen=True, slots=True)
class SummaryRule:
    """When turns are folded: so many of them, or so many tokens, how many in one call, and the
    bounds of what they come to."""

    turns: int = 6
    tokens: int = 1_500
    batch: int = 5
    bounds: Bounds = Bounds()

    def due(self, turns: int, tokens: int) -> bool:
        return turns >= self.turns or tokens > self.tokens


def context_turns(turns: Iterable[Exchange], summarised_through: int) -> tuple[Exchange, ...]:
    """The turns that a state holds: the last five and all unfolded ones, in order."""
    ordered = sorted(turns, key=lambda turn: turn.number)
    last = ordered[-RECENT_TURNS:]
    unfolded = [turn for turn in ordered[:-RECENT_TURNS] if turn.number > summarised_through]
    return tuple([*unfolded, *last][-CONTEXT_TURNS:])


def tokens_of(turn: Exchange) -> int:
    references = count(", ".join(turn.refs)) if turn.refs else 0
    return count(turn.message) + count(turn.reply) + references


MOST_ENTITIES = 25
KEY_CHARACTERS = 40
VALUE_CHARACTERS = 100

_DETERMINER = re.compile(
    r"(?:(?:the|an?|my|our|your|his|her|their|its|this|that|current|new|updated|latest|latter)\s"
    r"|(?:우리|저희|제|내|나의|저의|그|이|저|현재|지금|새|새로운|바뀐|변경된|최신)\s)+",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[\s_\-./]+")


def push_entity(
    entities: Sequence[Entity], new: Iterable[Entity], most: int = MOST_ENTITIES
) -> tuple[Entity, ...]:
    """The same key is removed and pushed to the end; over `most`, the front is dropped."""
    kept = {same_key(entity.key): entity for entity in entities}
    for entity in new:
        kept.pop(same_key(entity.key), None)
        kept[same_key(entity.key)] = entity
    return tuple(kept.values())[-most:]


def tidy_entity(key: str, value: str, turn: int) -> Entity | None:
    """An entity on one line; None where there is no key or value, or the value is a text."""
    key, value = _one_line(key), _one_line(value)
    if not key or not value or len(value) > VALUE_CHARACTERS:
        return None
    return Entity(key[:KEY_CHARACTERS].rstrip(), value, turn)


def same_key(key: str) -> str:
    """What spellings of a key have in common: 우리 예산 and 예산, Top_Service and top service."""
    folded = unicodedata.normalize("NFC", key).casefold().strip()
    bare = _DETERMINER.sub("", folded, count=1) if _DETERMINER.match(folded) else folded
    return _SEPARATOR.sub(" ", bare).strip() or folded


def render_entities(entities: Iterable[Entity]) -> str:
    """One line for each, as a model is shown them."""
    return "\n".join(f"{entity.key}: {entity.value}" for entity in entities)


def fit_entities(entities: Sequence[Entity], limit: int) -> tuple[Entity, ...]:
    """The newest entities that fit_entities so many tokens, in their order."""
    first = 0
    while first < len(entities) and count(render_entities(entities[first:])) > limit:
        first += 1
    return tuple(entities[first:])


def entities_as_json(entities: Iterable[Entity]) -> list[dict[str, Any]]:
    """The array as it is stored and shown: `{"key", "value", "turn"}` each."""
    return [asdict(entity) for entity in entities]


def entities_from_json(stored: Iterable[Mapping[str, Any]]) -> tuple[Entity, ...]:
    return tuple(Entity(each["key"], each["value"], each["turn"]) for each in stored)


def _one_line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
