"""Values of conversations: turns, their inputs and outcomes, working memory."""

import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from saegim.conversations.branches import BranchPoint
from saegim.db.cells import Connection
from saegim.domain.scope import Caller, Locale, Role, Scope
from saegim.jobs.types import Job
from saegim.llm.types import DEFAULT_SAMPLING, FunctionTool, Message, SamplingParameters
from saegim.text.tokens import count
from saegim.usage.trace import Interaction
from saegim.webhooks.outbox import WebhookEvent

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
        """Return the turn without redacted words; a continuation has none of the user's."""
        message = "" if self.continues else without(self.message, self.redactions.message)
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
    """Normalise the spelling of a key: Top_Service is top service."""
    folded = unicodedata.normalize("NFC", key).casefold().strip()
    return _SEPARATOR.sub(" ", folded).strip() or folded


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


MOST_KEPT = 20


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A past turn in the history that a client sends."""

    message: str
    summary: str
    refs: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Controls:
    """Memory options of one message.

    `chosen` are ids of memories that precede recalled ones. The limits are tokens for all recalled
    memories, for each, and for pinned ones; None is the default.
    """

    chosen: tuple[str, ...] = ()
    memory: bool = True
    pinned: bool = True
    memory_tokens: int | None = None
    item_tokens: int | None = None
    pinned_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """A message of another person in the same channel."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ClientTools:
    """The tools of a client: one has to be called if `required`, and only one at a time unless
    `parallel`. `rounds` are the calls for this message and their results, and `waiting` what the
    turn had done by itself before the client ran them."""

    offered: tuple[FunctionTool, ...] = ()
    required: bool = False
    parallel: bool = True
    rounds: tuple[Message, ...] = ()
    waiting: str = ""

    @property
    def results(self) -> tuple[Message, ...]:
        """What the client's tools returned."""
        return tuple(each for each in self.rounds if each.role == "tool")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A document that was attached to a message."""

    document_id: str
    title: str


@dataclass(frozen=True, slots=True)
class TurnInputs:
    """Parameters of a message, stored with it so that a worker can resume the turn.

    `instructions` are the client's for this turn and follow the policy. `channel_messages` are
    stored only if the guild's settings allow it. `client_tools` are run by the client.
    `kept_doc_ids` are documents attached to earlier turns of the branch, newest first. A `draft`
    turn is answered by the assistant's draft. `may_remember`: the credential may change memory.
    """

    history: tuple[HistoryEntry, ...] | None = None
    selected_doc_ids: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    locale: Locale = "ko"
    time_zone: str = "Asia/Seoul"
    instructions: str = ""
    controls: Controls = Controls()
    channel_messages: tuple[ChannelMessage, ...] = ()
    client_tools: ClientTools = field(default_factory=ClientTools)
    attachments: tuple[Attachment, ...] = ()
    kept_doc_ids: tuple[str, ...] = ()
    draft: bool = False
    sampling: SamplingParameters = DEFAULT_SAMPLING
    may_remember: bool = True

    @property
    def chosen_doc_ids(self) -> tuple[str, ...]:
        """The documents of this message: attached or selected."""
        attached = [attachment.document_id for attachment in self.attachments]
        return tuple(dict.fromkeys([*attached, *self.selected_doc_ids]))

    @property
    def attached_doc_ids(self) -> tuple[str, ...]:
        """The documents that stay selected for the turns after this one."""
        attached = [attachment.document_id for attachment in self.attachments]
        return tuple(dict.fromkeys([*attached, *self.kept_doc_ids]))[:MOST_KEPT]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to process a turn; a later attempt revokes it."""

    owner: UUID
    attempt: int


@dataclass(frozen=True, slots=True)
class LeaseTimes:
    """How long a lease lasts, how often it is renewed, and when the watchdog runs."""

    lasts_seconds: float = 8.0
    renew_seconds: float = 2.0
    watch_margin_seconds: float = 1.0

    @property
    def watch_seconds(self) -> float:
        return self.lasts_seconds + self.watch_margin_seconds


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A stored turn with everything needed to answer it.

    `lease` is None if another process holds it; `text_shown`: readers saw unbuffered text. `refs`
    are the numbers of memories ("m:<id>") and passages ("p:<id>") in the session.
    """

    turn: Turn
    inputs: TurnInputs
    mark: SessionVersion
    lease: Lease | None
    text_shown: bool = False
    refs: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def caller(self) -> Caller:
        """The caller with the read access of the original request, for a resumed turn."""
        turn, inputs = self.turn, self.inputs
        return Caller(
            scope=turn.scope,
            role=Role.MEMBER,
            assistant=turn.assistant,
            key=turn.id,
            groups=frozenset(inputs.groups),
            locale=inputs.locale,
            time_zone=inputs.time_zone,
        )


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session: its assistant and its version."""

    assistant: UUID
    mark: SessionVersion


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session in the list of its owner; `turns` counts its messages, with all variants. `share`
    is the id of its link. A `draft` session tests the draft of an assistant."""

    id: UUID
    assistant: UUID
    title: str
    turns: int
    used_at: datetime
    temporary: bool
    pinned: bool = False
    share: UUID | None = None
    shared_at: datetime | None = None
    draft: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended. `refs` are the references that it numbered, without those of the session.

    Neither `refs` nor `effects` contain words of the user: they are not encrypted.
    """

    state: TurnState
    reply: str | None = None
    error: str | None = None
    trace: Mapping[str, Any] = field(default_factory=dict[str, Any])
    doc_ids: tuple[str, ...] = ()
    by_rule: bool = False
    interaction: Interaction | None = None
    refs: Mapping[str, int] = field(default_factory=dict[str, int])
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A masked message that is about to be stored; it follows the branch in use without `point`."""

    id: UUID
    message: str
    inputs: TurnInputs
    session: str | None
    idempotency_key: str | None
    lease: Lease
    times: LeaseTimes
    now: datetime
    temporary: bool = False
    point: BranchPoint | None = None


@dataclass(frozen=True, slots=True)
class TurnEffects:
    """What is stored along with an outcome.

    `summary_if_due` is called in the transaction with the number and the tokens of the turns of
    the session that are not summarised. `apply` changes memory in the transaction; a failed turn
    or one whose lease was lost does not call it.
    """

    jobs: tuple[Job, ...]
    events: tuple[WebhookEvent, ...]
    summary_if_due: Callable[[int, int], Job | None]
    apply: Callable[[Connection], Awaitable[None]] | None = None
