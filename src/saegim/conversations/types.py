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
"""An offset in a text and the note to insert there."""
type Effect = Mapping[str, Any]
"""What a turn did besides replying, as JSON: `{"kind": "remembered", "ref": "M12", "id": …}`."""

ELLIPSIS = "[…]"
"""Replaces redacted words."""


class StatementFate(StrEnum):
    """How a later statement changed this one."""

    CORRECTED = "corrected"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Redactions:
    """Character spans in the message and the reply of a turn."""

    message: tuple[Span, ...] = ()
    reply: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.message or self.reply)

    def __or__(self, other: "Redactions") -> "Redactions":
        return Redactions(merged(self.message + other.message), merged(self.reply + other.reply))

    def but(self, other: "Redactions") -> "Redactions":
        return Redactions(less(self.message, other.message), less(self.reply, other.reply))


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Sort the spans and join overlapping ones."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif start < end:
            joined.append((start, end))
    return tuple(joined)


def less(spans: Iterable[Span], excluded: Iterable[Span]) -> tuple[Span, ...]:
    """Subtract the excluded spans."""
    rest = list(merged(spans))
    for start, end in merged(excluded):
        rest = [
            part
            for first, last in rest
            for part in ((first, min(last, start)), (max(first, end), last))
            if part[0] < part[1]
        ]
    return tuple(rest)


def without(text: str, spans: Sequence[Span], notes: Iterable[Note] = ()) -> str:
    """Replace spans by an ellipsis and insert notes outside of them.

    If no word remains, the result is the ellipsis alone.
    """
    spans = merged(spans)
    edits = [(start, end, ELLIPSIS) for start, end in spans]
    edits += [
        (at, at, note) for at, note in notes if not any(start < at <= end for start, end in spans)
    ]
    pieces: list[str] = []
    done = 0
    for start, end, insertion in sorted(edits):
        pieces += text[done:start], insertion
        done = end
    rest = "".join([*pieces, text[done:]])
    return rest if says_anything(rest) or not spans else ELLIPSIS


def says_anything(text: str) -> bool:
    """Return whether the text contains a word or number."""
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
    """Message and reply of a turn, for working memory and episodes.

    `doc_ids` are the external ids of the documents that the reply used, best first; `refs` their
    titles, if a client sent them. `by_rule`: no model wrote the reply; it quotes and adds nothing.
    `effects` are what the turn did besides replying.
    """

    number: int
    message: str
    reply: str
    at: datetime
    doc_ids: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    by_rule: bool = False
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One message with its reply.

    `redactions` are the words of forgotten records; `outdated` the ends of statements of the
    message that were corrected or replaced later. `by_rule`: no model wrote the reply. `parent` is
    the turn before it in its branch, unknown for turns of older releases; `variant_of` the first
    turn at the same point, and `continues` the turn whose reply it continues.
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
    by_rule: bool = False
    parent: UUID | None = None
    variant_of: UUID | None = None
    continues: UUID | None = None
    in_use: bool = True
    effects: tuple[Effect, ...] = ()

    def exchange(self) -> Exchange:
        """Return the turn without redacted words."""
        message = without(self.message, self.redactions.message)
        reply = without(self.reply or "", self.redactions.reply)
        return Exchange(
            self.number,
            message,
            reply,
            self.created_at,
            self.doc_ids,
            by_rule=self.by_rule,
            effects=self.effects,
        )


RECENT_TURNS = 5
# Turns that stay in the state after they were summarised: prompts keep five to fourteen of them.
KEPT_TURNS = 15
# Bounds the state if the summariser fails for days; more turns do not fit the context anyway.
CONTEXT_TURNS = 40


@dataclass(frozen=True, slots=True)
class Entity:
    """A keyed value that must stay exact, and the last turn that states it."""

    key: str
    value: str
    turn: int


@dataclass(frozen=True, slots=True)
class SessionVersion:
    """Version of a session; a cached state of another version is stale."""

    completed_turns: int
    summary_version: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Summary and entities of summarised turns."""

    summary: str = ""
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkingState:
    """Working memory of a session; `recent` are the last fifteen and all unsummarised turns."""

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
        """Add `exchange` and drop summarised turns beyond the last fifteen."""
        turns = context_turns([*self.recent, exchange], self.summarised_through)
        return replace(self, completed_turns=completed_turns, recent=turns)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Upper bounds of a summary."""

    sentences: int = 20
    tokens: int = 500
    entities: int = 25


@dataclass(frozen=True, slots=True)
class SummaryRule:
    """When turns are summarised (turns or tokens), how many in one call, and the bounds."""

    turns: int = 6
    tokens: int = 1_500
    batch: int = 5
    bounds: Bounds = Bounds()

    def due(self, turns: int, tokens: int) -> bool:
        return turns >= self.turns or tokens > self.tokens


# The whole conversation, until it has so many tokens; the state holds forty turns.
ROOMY_RULE = SummaryRule(turns=CONTEXT_TURNS - 5, tokens=12_000)


def context_turns(turns: Iterable[Exchange], summarised_through: int) -> tuple[Exchange, ...]:
    """Return the last fifteen and all unsummarised turns, in order."""
    ordered = sorted(turns, key=lambda turn: turn.number)
    last = ordered[-KEPT_TURNS:]
    waiting = [turn for turn in ordered[:-KEPT_TURNS] if turn.number > summarised_through]
    return tuple([*waiting, *last][-CONTEXT_TURNS:])


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
    """Append new entities, replacing those with the same key; keep the last `most`."""
    by_key = {same_key(entity.key): entity for entity in entities}
    for entity in new:
        by_key.pop(same_key(entity.key), None)
        by_key[same_key(entity.key)] = entity
    return tuple(by_key.values())[-most:]


def tidy_entity(key: str, value: str, turn: int) -> Entity | None:
    """Build an entity on one line; None without key or value, or if the value is too long."""
    key, value = _one_line(key), _one_line(value)
    if not key or not value or len(value) > VALUE_CHARACTERS:
        return None
    return Entity(key[:KEY_CHARACTERS].rstrip(), value, turn)


def same_key(key: str) -> str:
    """Normalise the spelling of a key: 우리 예산 is 예산, Top_Service is top service."""
    folded = unicodedata.normalize("NFC", key).casefold().strip()
    bare = _DETERMINER.sub("", folded, count=1) if _DETERMINER.match(folded) else folded
    return _SEPARATOR.sub(" ", bare).strip() or folded


def render_entities(entities: Iterable[Entity]) -> str:
    """Render one line per entity for a prompt."""
    return "\n".join(f"{entity.key}: {entity.value}" for entity in entities)


def fit_entities(entities: Sequence[Entity], limit: int) -> tuple[Entity, ...]:
    """Return the newest entities that fit the token limit, in order."""
    first = 0
    while first < len(entities) and count(render_entities(entities[first:])) > limit:
        first += 1
    return tuple(entities[first:])


def entities_as_json(entities: Iterable[Entity]) -> list[dict[str, Any]]:
    return [asdict(entity) for entity in entities]


def entities_from_json(stored: Iterable[Mapping[str, Any]]) -> tuple[Entity, ...]:
    return tuple(Entity(each["key"], each["value"], each["turn"]) for each in stored)


def _one_line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
