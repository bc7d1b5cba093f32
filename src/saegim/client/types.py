"""What goes to the API and comes back from it. Fields that a newer server adds are ignored."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict

TurnState = Literal["received", "running", "done", "incomplete", "failed"]
PartState = Literal["ok", "degraded", "down"]


class Shape(BaseModel):
    """Read once, never changed."""

    model_config = ConfigDict(frozen=True)


class TaggedShape[Item](list[Item]):
    """A list with the ETag that its answer had, for `if_match` of a change."""

    def __init__(self, items: Iterable[Item], etag: str | None) -> None:
        super().__init__(items)
        self.etag = etag


class UserSaid(Shape):
    """What the user said in an earlier turn, where the client keeps the history itself."""

    role: Literal["user"] = "user"
    content: str


class Entity(Shape):
    """A keyed value that must stay exact, and the turn it was last said in."""

    key: str
    value: str
    turn: int = 0


class AssistantSaid(Shape):
    """What the assistant answered, as `summary`, `refs` and `ref_doc_ids` came back from it."""

    role: Literal["assistant"] = "assistant"
    summary: str
    refs: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()


class ChannelMessage(Shape):
    """What somebody else said around a message."""

    name: str
    text: str


class ChannelContext(Shape):
    """Where a message was said. `messages`, oldest first, is stored only with `store_messages`."""

    instructions: str = ""
    messages: tuple[ChannelMessage, ...] = ()
    store_messages: bool = False


class Citation(Shape):
    """What a marker in an answer points at: a passage, a memory, a turn, a fact of a tool."""

    marker: str
    kind: str
    id: str
    title: str
    document: str | None = None
    url: str | None = None
    turn: str | None = None


class ChatReply(Shape):
    """The answer to one message; `degraded` names the parts that it had to do without."""

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


class Turn(Shape):
    """A turn as stored."""

    turn_id: UUID
    session_id: UUID
    number: int
    state: TurnState
    message: str
    answer: str | None
    error: str | None
    created_at: datetime
    settled_at: datetime | None


Reading = Literal["waiting", "read", "left_out", "failed", "off"]


class RememberedMemory(Shape):
    """A record that a turn made, with the words of the turn that say it."""

    memory_id: UUID
    type: str
    content: str
    topic: str
    quote: str


class TurnRemembered(Shape):
    """How far a turn is on its way to memory, and what it was remembered by."""

    turn_id: UUID
    reading: Reading
    remembered: tuple[RememberedMemory, ...] = ()


class TurnPage(Shape):
    """Some turns of a session; `next_after` is where the next page starts."""

    turns: tuple[Turn, ...]
    next_after: int | None


class Session(Shape):
    """A conversation, by what it began with; a temporary one is not remembered."""

    session_id: UUID
    title: str
    turns: int
    used_at: datetime
    temporary: bool


class SessionPage(Shape):
    """Some conversations; `next_before` is where the next page starts."""

    sessions: list[Session]
    next_before: UUID | None = None


class Trace(Shape):
    """Why a turn came out as it did."""

    turn_id: UUID
    trace: dict[str, Any]


class Block(Shape):
    """One block of a context: what it takes, what it may take, and what it left out."""

    name: str
    tokens: int
    budget: int
    items: int
    dropped: int


class RecentTurn(Shape):
    """A recent turn as the model would see it."""

    number: int
    message: str
    answer: str


class CriterionScore(Shape):
    """One criterion of a judgement, 0 to 10; of noise less is better."""

    score: int
    reason: str


class Judgement(Shape):
    """Whether memory helps with a query; `overall_score` is 0 to 100."""

    overall_score: float
    scores: dict[str, CriterionScore]
    helpful_info: tuple[str, ...] = ()
    missing_info: tuple[str, ...] = ()
    summary: str = ""


class Evaluation(Shape):
    """A judgement, who made it, and how many tokens of memory it is about."""

    judgement: Judgement
    judged_by: str
    tokens: int


class SessionContext(Shape):
    """What the model would see of a session if a message came now."""

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
    """Whether the server can serve; what each of its parts says, to operators."""

    ready: bool
    warm: bool | None = None
    postgres: PartState | None = None
    redis: PartState | None = None
    workers: int | None = None
    jobs_waiting: int | None = None
    job_lag_seconds: float | None = None
    jobs_failed: int | None = None


class MintedCredential(Shape):
    """A new credential; `secret` is shown this once."""

    id: UUID
    secret: str
    expires_at: datetime | None


class Key(Shape):
    """A key by its prefix."""

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


class MemberPage(Shape):
    """Some members; `next_after` is where the next page starts."""

    members: tuple[Member, ...]
    next_after: UUID | None


class Identity(Shape):
    """A name that was linked to us."""

    identity_id: UUID
    channel: str
    name: str
    linked_at: datetime


class Profile(Shape):
    """One of our name spaces."""

    profile_id: UUID
    name: str
    created_at: datetime
    current: bool


class LinkCode(Shape):
    """A code to be said on the channel that is to be linked."""

    code: str
    expires_at: datetime


class Assistant(Shape):
    """An assistant as it answers now."""

    assistant_id: UUID
    name: str
    persona: str
    policy: str
    locale: str
    collections: tuple[UUID, ...]


class AssistantVersion(Shape):
    """One version of an assistant."""

    version: int
    state: Literal["draft", "published", "retired"]
    content: dict[str, Any]
    created_at: datetime
    published_at: datetime | None


class Erasure(Shape):
    """How far an erasure is; with its receipt and signature once it is done. A planned one begins
    at `runs_at`, and can be cancelled until then."""

    erasure_id: UUID
    member_id: UUID
    state: Literal["planned", "started", "key_destroyed", "done", "cancelled"]
    requested_at: datetime
    runs_at: datetime
    done_at: datetime | None
    receipt: dict[str, Any] | None
    signature: str | None
