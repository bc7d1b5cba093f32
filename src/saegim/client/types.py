"""Types of requests and responses. Unknown fields are ignored."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict

TurnState = Literal["received", "running", "done", "incomplete", "failed"]
PartState = Literal["ok", "degraded", "down"]


class Shape(BaseModel):
    """Base of the types; immutable."""

    model_config = ConfigDict(frozen=True)


class TaggedShape[Item](list[Item]):
    """A list with its ETag, for `if_match`."""

    def __init__(self, items: Iterable[Item], etag: str | None) -> None:
        super().__init__(items)
        self.etag = etag


class UserSaid(Shape):
    """A message of the user, for clients that store the history themselves."""

    role: Literal["user"] = "user"
    content: str


class Entity(Shape):
    """A value that must stay exact, and the turn that last mentioned it."""

    key: str
    value: str
    turn: int = 0


class AssistantSaid(Shape):
    """An answer of the assistant, with `summary`, `refs` and `ref_doc_ids` of its reply."""

    role: Literal["assistant"] = "assistant"
    summary: str
    refs: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()


class ChannelMessage(Shape):
    """A message of another user in the channel."""

    name: str
    text: str


class ChannelContext(Shape):
    """The channel of a message. `messages`, oldest first, is stored only with `store_messages`."""

    instructions: str = ""
    messages: tuple[ChannelMessage, ...] = ()
    store_messages: bool = False


class Locator(Shape):
    """Where a passage begins in its file, counted from 1: a page, a slide, or a row of a sheet.
    `last` is the last page or slide of a passage over several."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    row: int | None = None
    last: int | None = None


class OtherPlace(Shape):
    """Another document that has the cited text."""

    id: str
    title: str


class Citation(Shape):
    """The source behind a marker: a passage, a memory, a turn or a result of a tool."""

    marker: str
    kind: str
    id: str
    title: str
    section: str | None = None
    locator: Locator | None = None
    text: str | None = None
    document: str | None = None
    url: str | None = None
    turn: str | None = None
    also_in: tuple[OtherPlace, ...] = ()
    stale_since: datetime | None = None
    team: bool = False


class Effect(Shape):
    """A change of memory that a turn made: `remembered` and `forgotten` name a memory, `left_out`
    a turn, `undone` the turn whose changes were taken back. `undone`: it was taken back since."""

    kind: str
    id: UUID
    ref: str | None = None
    text: str = ""
    undone: bool = False


class ChatReply(Shape):
    """The answer to a message; `degraded` names unavailable components."""

    turn_id: UUID
    session_id: UUID
    state: TurnState
    answer: str
    summary: str
    refs: tuple[str, ...] = ()
    ref_doc_ids: tuple[str, ...] = ()
    related_doc_ids: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    error: str | None = None
    route: str = "general"
    outcome: str = "answered"
    citations: tuple[Citation, ...] = ()
    entities: dict[str, str] = {}
    grounded: bool | None = None
    effects: tuple[Effect, ...] = ()


class Turn(Shape):
    turn_id: UUID
    session_id: UUID
    number: int
    state: TurnState
    message: str
    answer: str | None
    error: str | None
    created_at: datetime
    settled_at: datetime | None
    by_rule: bool = False
    degraded: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    effects: tuple[Effect, ...] = ()


Reading = Literal["waiting", "read", "left_out", "failed", "off"]


class RememberedMemory(Shape):
    """A record extracted from a turn, with the quote it comes from."""

    memory_id: UUID
    type: str
    content: str
    topic: str
    quote: str


class TurnRemembered(Shape):
    """The memories extracted from a turn, and the state of extraction."""

    turn_id: UUID
    reading: Reading
    remembered: tuple[RememberedMemory, ...] = ()


class Session(Shape):
    """A conversation. A temporary one is not remembered."""

    session_id: UUID
    title: str
    turns: int
    used_at: datetime
    temporary: bool
    pinned: bool = False


class Trace(Shape):
    """The trace of a turn."""

    turn_id: UUID
    trace: dict[str, Any]


class Block(Shape):
    """A block of a context: its tokens, its budget and the items that were dropped."""

    name: str
    tokens: int
    budget: int
    items: int
    dropped: int


class RecentTurn(Shape):
    """A recent turn in the context."""

    number: int
    message: str
    answer: str


class CriterionScore(Shape):
    """A criterion of a judgement, 0 to 10; for noise, lower is better."""

    score: int
    reason: str


class Judgement(Shape):
    """How well memory helps with a query; `overall_score` is 0 to 100."""

    overall_score: float
    scores: dict[str, CriterionScore]
    helpful_info: tuple[str, ...] = ()
    missing_info: tuple[str, ...] = ()
    summary: str = ""


class Evaluation(Shape):
    """A judgement, the judge, and the tokens of memory that were judged."""

    judgement: Judgement
    judged_by: str
    tokens: int


class SessionContext(Shape):
    """The context the model would get for the next message of a session."""

    session_id: UUID
    completed_turns: int
    summary_version: int
    summarised_through: int
    summary: str
    entities: tuple[Entity, ...]
    recent: tuple[RecentTurn, ...]
    blocks: tuple[Block, ...]
    tokens: int
    budget: int
    degraded: tuple[str, ...] = ()


class Ready(Shape):
    """Whether the server is ready; operators also get the state of its components."""

    ready: bool
    warm: bool | None = None
    postgres: PartState | None = None
    redis: PartState | None = None
    workers: int | None = None
    jobs_waiting: int | None = None
    job_lag_seconds: float | None = None
    jobs_failed: int | None = None


class MintedCredential(Shape):
    """A new credential; `secret` is shown only once."""

    id: UUID
    secret: str
    expires_at: datetime | None


class Key(Shape):
    """An API key."""

    key_id: UUID
    prefix: str
    name: str
    role: str
    scopes: tuple[str, ...] | None
    groups: tuple[str, ...]
    acts_for_others: bool
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    used_at: datetime | None


class Member(Shape):
    """A member of the tenant."""

    member_id: UUID
    name: str
    role: str
    groups: tuple[str, ...]
    disabled: bool


class LimitRule(Shape):
    """At most `most` of a resource in any `window_seconds`, for each key, user or the tenant."""

    subject: str
    resource: str
    window_seconds: int
    most: int


class UsageDay(Shape):
    """Turns, tokens and cost of one day."""

    day: date
    turns: int
    escalated: int
    unanswered: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    p50_ms: float
    p95_ms: float


class Identity(Shape):
    """A linked identity of the user."""

    identity_id: UUID
    channel: str
    name: str
    linked_at: datetime


class Profile(Shape):
    """A profile of the user."""

    profile_id: UUID
    name: str
    created_at: datetime
    current: bool


class LinkCode(Shape):
    """A code to enter in the channel to link."""

    code: str
    expires_at: datetime


class Assistant(Shape):
    """The published version of an assistant."""

    assistant_id: UUID
    name: str
    persona: str
    policy: str
    locale: str
    collections: tuple[UUID, ...]


class AssistantVersion(Shape):
    version: int
    state: Literal["draft", "published", "retired"]
    content: dict[str, Any]
    created_at: datetime
    published_at: datetime | None


class Erasure(Shape):
    """An erasure; with receipt and signature once it is done. A planned one begins at `runs_at` and
    can be cancelled until then."""

    erasure_id: UUID
    member_id: UUID
    state: Literal["planned", "started", "key_destroyed", "done", "cancelled"]
    requested_at: datetime
    runs_at: datetime
    done_at: datetime | None
    receipt: dict[str, Any] | None
    signature: str | None


class ModelConnection(Shape):
    """A model provider that the tenant connected. `key_hint` is the end of its key."""

    connection_id: UUID
    name: str
    provider: str
    base_url: str
    key_hint: str | None
    step_seconds: float
    first_token_seconds: float
    turn_seconds: float
    background_seconds: float
    created_at: datetime
    withheld_types: list[str] = []
    withholds_pinned: bool = False
    uses_pseudonyms: bool = False
    without_tools: list[str] = []


class ModelRole(Shape):
    """The model of a role; `source` is `connection`, `environment` or `none`."""

    role: str
    source: str
    model: str | None
    connection_id: UUID | None
    connection: str | None
    takes_tools: bool | None = None
    usd_per_1000_turns: Decimal | None = None


class ModelCheck(Shape):
    """The result of a test call, with the provider's status and message if it failed."""

    role: str
    model: str
    ok: bool
    seconds: float
    fault: str | None
    status: int | None
    message: str | None
    input_price: Decimal | None
    output_price: Decimal | None
    takes_tools: bool | None = None
    usd_per_1000_turns: Decimal | None = None
