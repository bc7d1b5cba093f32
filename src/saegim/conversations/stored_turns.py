"""Turns and sessions as they are stored, leased and resumed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.conversations.types import Entity, SessionVersion, Turn, TurnState
from saegim.domain.scope import Caller, Locale, Role
from saegim.jobs.types import Job
from saegim.usage.trace import Interaction
from saegim.webhooks.events import WebhookEvent


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One past turn that the client brings itself (WM7)."""

    message: str
    summary: str
    refs: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Controls:
    """What the user put into the context, or left out of it, for one message (LM9, CH6).

    `chosen` are ids of memories that come before what is recalled. The caps are tokens that all
    recalled memories, each of them, and the pinned ones may take; None leaves the default."""

    chosen: tuple[str, ...] = ()
    memory: bool = True
    pinned: bool = True
    memory_tokens: int | None = None
    item_tokens: int | None = None
    pinned_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """What somebody else said around a message, in the same room."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnInputs:
    """What came with a message besides its text; stored with it, so that a worker can resume.

    `instead_of` is the number of a turn whose answer this one replaces: it is left out of sight.
    `instructions` are the client's own, for this turn; they follow the policy. `channel_messages`
    are stored only if the guild's settings say so; otherwise a resumed turn has none.
    """

    history: tuple[HistoryEntry, ...] | None = None
    selected_doc_ids: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    locale: Locale = "ko"
    time_zone: str = "Asia/Seoul"
    instead_of: int | None = None
    instructions: str = ""
    controls: Controls = Controls()
    channel_messages: tuple[ChannelMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a turn; a later attempt takes it away."""

    owner: UUID
    attempt: int


@dataclass(frozen=True, slots=True)
class LeaseTimes:
    """How long a lease lasts, how often it is renewed, and when a worker looks after it."""

    lasts_seconds: float = 8.0
    renew_seconds: float = 2.0
    watch_margin_seconds: float = 1.0

    @property
    def watch_seconds(self) -> float:
        """After how long an unrenewed lease has surely run out."""
        return self.lasts_seconds + self.watch_margin_seconds


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A stored turn with all it takes to answer it. `lease` is None where another holds it;
    `text_shown` says that readers saw text which no buffer keeps."""

    turn: Turn
    inputs: TurnInputs
    mark: SessionVersion
    lease: Lease | None
    text_shown: bool = False

    @property
    def caller(self) -> Caller:
        """Who asked, as far as reading goes: whoever resumes a turn may read no more than they."""
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
    """A session: whose assistant answers in it, and how far it is."""

    assistant: UUID
    mark: SessionVersion


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session as its owner finds it again: by what it began with."""

    id: UUID
    assistant: UUID
    title: str
    turns: int
    used_at: datetime
    temporary: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended."""

    state: TurnState
    reply: str | None = None
    error: str | None = None
    trace: Mapping[str, Any] = field(default_factory=dict[str, Any])
    doc_ids: tuple[str, ...] = ()
    interaction: Interaction | None = None


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A masked message that is about to be stored."""

    id: UUID
    message: str
    inputs: TurnInputs
    session: str | None
    idempotency_key: str | None
    lease: Lease
    times: LeaseTimes
    now: datetime
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class SummaryBacklog:
    """The turns of a session that no summary holds yet, counted."""

    turns: int
    tokens: int


@dataclass(frozen=True, slots=True)
class TurnEffects:
    """What is stored along with an outcome. `summary_if_due` decides in the transaction."""

    jobs: tuple[Job, ...]
    events: tuple[WebhookEvent, ...]
    summary_if_due: Callable[[SummaryBacklog], Job | None]
