"""Values of stored, leased and resumed turns."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.conversations.branches import BranchPoint
from saegim.conversations.types import Effect, Entity, SessionVersion, Turn, TurnState
from saegim.db.cells import Connection
from saegim.domain.scope import Caller, Locale, Role
from saegim.jobs.types import Job
from saegim.llm.types import DEFAULT_SAMPLING, FunctionTool, Message, SamplingParameters
from saegim.usage.trace import Interaction
from saegim.webhooks.events import WebhookEvent

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
