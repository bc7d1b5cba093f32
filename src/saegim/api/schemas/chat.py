"""Requests and responses of the API, as pydantic models."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from saegim.chat.types import Evidence, Reply
from saegim.conversations.stored_turns import ChannelMessage, Controls, HistoryEntry
from saegim.conversations.types import Turn, TurnState, tidy_entity
from saegim.domain.errors import Invalid

Text = Annotated[str, Field(max_length=200_000)]
DocumentId = Annotated[str, Field(max_length=200)]
EntityText = Annotated[str, Field(max_length=200)]
Chosen = Annotated[
    list[UUID],
    Field(max_length=50, description="Memories that come before what is recalled."),
]
UseMemory = Annotated[bool, Field(description="Whether long-term memory is asked.")]
UsePinned = Annotated[bool, Field(description="Whether pinned memories are in the context.")]


class MemoryCaps(BaseModel, extra="forbid"):
    """Tokens that memory may take in one context; what is left out keeps its default."""

    memory_tokens: Annotated[int, Field(ge=0, le=4_000)] | None = None
    item_tokens: Annotated[int, Field(ge=10, le=1_000)] | None = None
    pinned_tokens: Annotated[int, Field(ge=0, le=2_000)] | None = None


class UserEntry(BaseModel, extra="forbid"):
    """What the user said in an earlier turn."""

    role: Literal["user"]
    content: Text


class EntityView(BaseModel, extra="forbid"):
    """A keyed value that must stay exact, and the turn it was last said in."""

    key: EntityText
    value: EntityText
    turn: int = 0


class AssistantEntry(BaseModel, extra="forbid"):
    """What the assistant answered, as `summary`, `refs` and `ref_doc_ids` came back from it."""

    role: Literal["assistant"]
    summary: Text
    refs: list[Text] = []
    doc_ids: list[DocumentId] = []
    entities: Annotated[
        dict[EntityText, EntityText] | list[EntityView],
        Field(max_length=50, description="By key, or as an array of key and value."),
    ] = []

    def keyed(self) -> list[tuple[str, str]]:
        if isinstance(self.entities, dict):
            return list(self.entities.items())
        return [(entity.key, entity.value) for entity in self.entities]


ClientEntry = Annotated[UserEntry | AssistantEntry, Field(discriminator="role")]


class ChannelMessageBody(BaseModel, extra="forbid"):
    """What somebody else said around the message."""

    name: Annotated[str, Field(max_length=200)]
    text: Annotated[str, Field(max_length=8_000)]


class ChannelContext(BaseModel, extra="forbid"):
    """Where a message was said: how to speak there, and what others said around it, oldest first.

    What others said is read for this answer and stored nowhere, unless it is to be kept."""

    instructions: Annotated[str, Field(max_length=8_000)] = ""
    messages: Annotated[list[ChannelMessageBody], Field(max_length=30)] = []
    store_messages: bool = False

    def channel_messages(self) -> tuple[ChannelMessage, ...]:
        return tuple(ChannelMessage(each.name, each.text) for each in self.messages)


class ChatBody(BaseModel, extra="forbid"):
    """One message. `chat_history` replaces the session's own recent turns for this one."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": "EC2 비용 줄이는 방법?"}]}
    )

    message: Text
    session_id: Annotated[
        str | None,
        Field(max_length=200, description="As the header Saegim-Session; both must agree."),
    ] = None
    chat_history: Annotated[list[ClientEntry], Field(max_length=200)] | None = None
    selected_doc_ids: Annotated[list[DocumentId], Field(max_length=20)] = []
    stream: bool = False
    temporary: Annotated[
        bool, Field(description="Leaves nothing of this conversation in long-term memory.")
    ] = False
    chosen_memory_ids: Chosen = []
    use_memory: UseMemory = True
    use_pinned: UsePinned = True
    memory_caps: MemoryCaps = MemoryCaps()
    channel_context: ChannelContext = ChannelContext()

    def session(self, header: str | None) -> str | None:
        """The session that body and header name. Raises Invalid where they contradict."""
        if header is not None and self.session_id not in (None, header):
            raise Invalid("session_id does not match the Saegim-Session header")
        return self.session_id or header

    def controls(self) -> Controls:
        return controls_of(self)

    def history(self) -> tuple[HistoryEntry, ...] | None:
        return None if self.chat_history is None else pair_up(self.chat_history)


class CitationView(BaseModel):
    """What a marker in the answer points at."""

    marker: str
    kind: Literal["passage", "memory", "turn", "tool"]
    id: str
    title: str
    document: str | None = None
    url: str | None = None
    turn: str | None = None
    """The turn that a memory of a conversation repeats."""


class ChatReply(BaseModel):
    """The answer, with what a client needs to bring its own history next time."""

    turn_id: UUID
    session_id: UUID
    state: TurnState
    answer: str
    summary: str
    refs: list[str]
    ref_doc_ids: list[str]
    related_doc_ids: list[str] = []
    degraded: list[str]
    error: str | None = None
    route: str = "general"
    outcome: str = "answered"
    citations: list[CitationView] = []
    entities: dict[str, str] = {}


class AgainBody(BaseModel, extra="forbid"):
    """Answers a turn's message anew, from these documents if any are named."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"selected_doc_ids": []}]})

    selected_doc_ids: Annotated[list[DocumentId], Field(max_length=20)] = []


class FeedbackBody(BaseModel, extra="forbid"):
    """What is said of an answer: a thumb, and what it should have been.

    With `for_evaluation` the person agrees that the turn, and what was said before it, becomes a
    masked case that the answers are evaluated with."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"thumb": "up"}]})

    thumb: Literal["up", "down"]
    correction: Annotated[str, Field(max_length=20_000)] | None = None
    for_evaluation: bool = False


class UnansweredView(BaseModel):
    """A question that had no answer, or one that was called bad."""

    turn_id: UUID
    at: datetime
    question: str
    outcome: str
    thumb: Literal["up", "down"] | None
    correction: str | None


class UnansweredPage(BaseModel):
    """Unanswered and badly rated questions of an assistant, newest first."""

    questions: list[UnansweredView]


class TurnView(BaseModel):
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


class TurnPage(BaseModel):
    """Turns of a session in order; `next_after` is where the next page starts."""

    turns: list[TurnView]
    next_after: int | None


class ListedSessionView(BaseModel):
    """A conversation, by what it began with, and the assistant it stays with."""

    session_id: UUID
    assistant_id: UUID
    title: str
    turns: int
    used_at: datetime
    temporary: bool


class SessionPage(BaseModel):
    """Conversations of the caller's, the last used first; `next_before` is where the next page
    starts."""

    sessions: list[ListedSessionView]
    next_before: UUID | None


class PreviewBody(BaseModel, extra="forbid"):
    """A message that is not sent yet, with what would go along."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": "EC2 비용 줄이는 방법?"}]}
    )

    message: Annotated[str, Field(max_length=20_000)] = ""
    session_id: UUID | None = None
    selected_doc_ids: Annotated[list[DocumentId], Field(max_length=20)] = []
    chosen_memory_ids: Chosen = []
    use_memory: UseMemory = True
    use_pinned: UsePinned = True
    memory_caps: MemoryCaps = MemoryCaps()


class TraceView(BaseModel):
    """Why a turn came out as it did."""

    turn_id: UUID
    trace: dict[str, Any]


def reply_view(reply: Reply) -> ChatReply:
    return ChatReply(
        turn_id=reply.turn,
        session_id=reply.session,
        state=reply.state,
        answer=reply.answer,
        summary=reply.summary,
        refs=list(reply.refs),
        ref_doc_ids=list(reply.ref_doc_ids),
        related_doc_ids=list(reply.related_doc_ids),
        degraded=list(reply.degraded),
        error=reply.error,
        route=reply.route,
        outcome=reply.outcome,
        citations=[CitationView.model_validate(citation) for citation in reply.citations],
        entities=dict(reply.entities),
    )


def citation_view(evidence: Evidence) -> CitationView:
    return CitationView(
        marker=evidence.marker,
        kind=evidence.kind.value,
        id=evidence.id,
        title=evidence.title,
        document=evidence.document,
        url=evidence.url,
        turn=evidence.turn,
    )


def controls_of(body: ChatBody | PreviewBody) -> Controls:
    return Controls(
        chosen=tuple(str(each) for each in body.chosen_memory_ids),
        memory=body.use_memory,
        pinned=body.use_pinned,
        **body.memory_caps.model_dump(),
    )


def turn_view(turn: Turn) -> TurnView:
    return TurnView(
        turn_id=turn.id,
        session_id=turn.session,
        number=turn.number,
        state=turn.state,
        message=turn.message,
        answer=turn.reply,
        error=turn.error,
        created_at=turn.created_at,
        settled_at=turn.settled_at,
    )


def pair_up(entries: list[UserEntry | AssistantEntry]) -> tuple[HistoryEntry, ...]:
    """Messages with the answers that followed them; an answer without a message stands alone."""
    turns: list[HistoryEntry] = []
    waiting: str | None = None
    for entry in entries:
        if isinstance(entry, UserEntry):
            if waiting is not None:
                turns.append(HistoryEntry(waiting, ""))
            waiting = entry.content
        else:
            refs, doc_ids = tuple(entry.refs), tuple(entry.doc_ids)
            found = (tidy_entity(key, value, len(turns) + 1) for key, value in entry.keyed())
            entities = tuple(entity for entity in found if entity is not None)
            turns.append(HistoryEntry(waiting or "", entry.summary, refs, doc_ids, entities))
            waiting = None
    if waiting is not None:
        turns.append(HistoryEntry(waiting, ""))
    return tuple(turns)
