"""Requests and responses about turns."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from saegim.api.schemas.library import LocatorView
from saegim.api.views import View, example
from saegim.chat.types import EffectKind, Evidence, Reply, excerpt
from saegim.conversations.history import TurnDetails
from saegim.conversations.types import (
    ChannelMessage,
    Controls,
    HistoryEntry,
    TurnState,
    tidy_entity,
)
from saegim.domain.errors import Invalid

Text = Annotated[str, Field(max_length=200_000)]
DocumentId = Annotated[str, Field(max_length=200)]
EntityText = Annotated[str, Field(max_length=200)]


class MemoryCaps(BaseModel, extra="forbid"):
    """Token budgets of memory in the context. Omitted fields have their defaults."""

    memory_tokens: Annotated[int, Field(ge=0, le=4_000)] | None = None
    item_tokens: Annotated[int, Field(ge=10, le=1_000)] | None = None
    pinned_tokens: Annotated[int, Field(ge=0, le=2_000)] | None = None


class MemoryOptions(BaseModel, extra="forbid"):
    """Documents and memories of the context of a message."""

    selected_doc_ids: Annotated[list[DocumentId], Field(max_length=20)] = []
    chosen_memory_ids: Annotated[
        list[UUID], Field(max_length=50, description="Memories to use before recalled ones.")
    ] = []
    use_memory: Annotated[bool, Field(description="Whether to search long-term memory.")] = True
    use_pinned: Annotated[bool, Field(description="Whether to include pinned memories.")] = True
    memory_caps: MemoryCaps = MemoryCaps()

    def controls(self) -> Controls:
        return Controls(
            chosen=tuple(str(memory) for memory in self.chosen_memory_ids),
            memory=self.use_memory,
            pinned=self.use_pinned,
            **self.memory_caps.model_dump(),
        )


class UserEntry(BaseModel, extra="forbid"):
    """A message of the user in an earlier turn."""

    role: Literal["user"]
    content: Text


class EntityView(BaseModel, extra="forbid"):
    """A value that is preserved exactly, with its key and the last turn that contains it."""

    key: EntityText
    value: EntityText
    turn: int = 0


class AssistantEntry(BaseModel, extra="forbid"):
    """An earlier answer, with `summary`, `refs` and `ref_doc_ids` of its response."""

    role: Literal["assistant"]
    summary: Text
    refs: list[Text] = []
    doc_ids: list[DocumentId] = []
    entities: Annotated[
        dict[EntityText, EntityText] | list[EntityView],
        Field(max_length=50, description="An object, or an array of keys and values."),
    ] = []

    def keyed(self) -> list[tuple[str, str]]:
        if isinstance(self.entities, dict):
            return list(self.entities.items())
        return [(entity.key, entity.value) for entity in self.entities]


ClientEntry = Annotated[UserEntry | AssistantEntry, Field(discriminator="role")]


class ChannelMessageBody(BaseModel, extra="forbid"):
    """A message of somebody else in the same channel."""

    name: Annotated[str, Field(max_length=200)]
    text: Annotated[str, Field(max_length=8_000)]


class ChannelContext(BaseModel, extra="forbid"):
    """The channel of a message: instructions, and messages of others around it, oldest first.

    Messages of others are used for this answer only, unless `store_messages` is true."""

    instructions: Annotated[str, Field(max_length=8_000)] = ""
    messages: Annotated[list[ChannelMessageBody], Field(max_length=30)] = []
    store_messages: bool = False

    def channel_messages(self) -> tuple[ChannelMessage, ...]:
        return tuple(ChannelMessage(each.name, each.text) for each in self.messages)


class ChatBody(MemoryOptions):
    """A message. `chat_history` replaces the recent turns of the session for this request."""

    model_config = example(message="EC2 비용 줄이는 방법?")

    message: Text
    session_id: Annotated[
        str | None,
        Field(max_length=200, description="Same as the Saegim-Session header."),
    ] = None
    attached_doc_ids: Annotated[
        list[DocumentId],
        Field(
            max_length=20,
            description="Documents to answer from, now and in the rest of the conversation.",
        ),
    ] = []
    chat_history: Annotated[list[ClientEntry], Field(max_length=200)] | None = None
    stream: bool = False
    temporary: Annotated[
        bool, Field(description="Keep this conversation out of long-term memory.")
    ] = False
    draft: Annotated[
        bool,
        Field(
            description="Answer with the assistant's draft, if there is one; implies `temporary`. "
            "Needs `assistants:draft`."
        ),
    ] = False
    channel_context: ChannelContext = ChannelContext()

    def session(self, header: str | None) -> str | None:
        """Returns the session of the body or the header. Raises Invalid if they differ."""
        if header is not None and self.session_id not in (None, header):
            raise Invalid("session_id does not match the Saegim-Session header")
        return self.session_id or header

    def history(self) -> tuple[HistoryEntry, ...] | None:
        return None if self.chat_history is None else pair_up(self.chat_history)


class OtherPlaceView(View):
    """Another document that has the cited text, by its `id`."""

    id: str
    title: str


class CitationView(View, BaseModel):
    """The source of a citation marker in the answer."""

    marker: str
    kind: Literal["passage", "memory", "turn", "tool"]
    id: str
    title: str
    section: Annotated[str | None, Field(description="Heading path of a passage.")] = None
    locator: Annotated[
        LocatorView | None, Field(description="Where a passage begins in its file.")
    ] = None
    text: Annotated[
        str | None,
        Field(
            description="The cited text, at most about 1,000 characters. Not set if the turn is "
            "read again later."
        ),
    ] = None
    document: str | None = None
    url: str | None = None
    turn: Annotated[str | None, Field(description="The turn that a memory comes from.")] = None
    also_in: Annotated[
        list[OtherPlaceView], Field(description="Other documents with the same text.")
    ] = []
    stale_since: Annotated[
        datetime | None, Field(description="When the document was last changed, if it is stale.")
    ] = None
    team: Annotated[bool, Field(description="Whether a memory is one that the team shares.")] = (
        False
    )


ProposalText = Annotated[
    Literal["forget", "leave_out"] | None,
    Field(
        description="The answer ends with a proposal to forget memories, or to leave a message out "
        "of memory. A yes as the next message of the session does it; anything else leaves it."
    ),
]


class EffectView(View):
    """A change of memory that a turn made: `remembered` and `forgotten` name a memory, `left_out`
    a turn, `undone` the turn whose changes were taken back. `text` is what was remembered or
    forgotten; of a stored turn only what is still remembered. `undone`: it was taken back since."""

    kind: EffectKind
    id: UUID
    ref: str | None = None
    text: str = ""
    undone: bool = False


class ChatReply(View, BaseModel):
    """The answer, with the fields that a client needs to send its own history."""

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
    grounded: bool | None = None
    """Whether a model's answer from documents cites a source and states no value without one; null
    if it is not from documents."""
    memory_off: Annotated[
        bool, Field(description="Whether long-term memory was off for this turn.")
    ] = False
    proposal: ProposalText = None
    effects: Annotated[
        list[EffectView], Field(description="What the turn did to memory; it can be undone.")
    ] = []


class AgainBody(BaseModel, extra="forbid"):
    """Documents to answer from; empty for a search."""

    model_config = example(selected_doc_ids=[])

    selected_doc_ids: Annotated[list[DocumentId], Field(max_length=20)] = []


class EditBody(AgainBody):
    """Another message instead of that of a turn."""

    model_config = example(message="S3 비용 줄이는 방법?")

    message: Text
    attached_doc_ids: Annotated[
        list[DocumentId] | None,
        Field(max_length=20, description="Those of the turn if omitted."),
    ] = None


class BranchBody(BaseModel, extra="forbid"):
    """A turn of the branch to put in use."""

    model_config = example(turn_id="0198c1f2-6a3e-7000-8000-000000000001")

    turn_id: UUID


class FeedbackBody(View, extra="forbid"):
    """Feedback on an answer, with an optional correction.

    With `for_evaluation`, the user agrees that editors and administrators read the question and
    the correction, and that the turn and the turns before it become a masked evaluation case."""

    model_config = example(thumb="up")

    thumb: Literal["up", "down"]
    correction: Annotated[str, Field(max_length=20_000)] | None = None
    for_evaluation: bool = False


class UnansweredView(View):
    """A question without an answer, or with negative feedback."""

    turn_id: UUID
    at: datetime
    question: str
    outcome: str
    thumb: Literal["up", "down"] | None
    correction: str | None


class QuestionClusterView(View):
    """Questions of at least three people, told by terms that at least three of them used."""

    terms: list[str]
    people: int
    questions: int
    last_at: datetime


class UnansweredPage(View):
    """Questions without an answer or with negative feedback, newest first: those that people
    shared, and clusters of the others. `total` counts all, as the usage by day does."""

    questions: list[UnansweredView]
    clusters: list[QuestionClusterView]
    total: int


class FaqBody(BaseModel, extra="forbid"):
    """A question with its answer, and the shared question or the cluster that it answers."""

    model_config = example(
        question="환불은 언제 되나요?",
        answer="7일 안에 됩니다.",
        collection_id="0195e3a0-0000-7000-8000-000000000000",
    )

    question: Annotated[str, Field(min_length=1, max_length=2_000)]
    answer: Annotated[str, Field(min_length=1, max_length=20_000)]
    collection_id: UUID
    turn_id: UUID | None = None
    terms: Annotated[list[str], Field(max_length=20, description="Of a cluster.")] = []


class AttachmentView(View):
    """A document that was attached to a message."""

    document_id: UUID
    title: str


class TurnView(View):
    """A stored turn. `by_rule`: no model wrote the answer. `degraded` are the components that were
    unavailable. The texts of the citations are not stored.

    A session is a tree of turns: `parent_id` is the turn before this one (not known for turns of
    older releases), `variants` are the turns at this point, oldest first, and `variant_of` is the
    first of them. `answers` are those with the same message, `edits` one for each message. A turn
    with `continues` continues the answer of that turn; its message is empty.
    """

    turn_id: UUID
    session_id: UUID
    number: int
    state: TurnState
    message: str
    answer: str | None
    error: str | None
    created_at: datetime
    settled_at: datetime | None
    by_rule: bool
    degraded: list[str]
    proposal: ProposalText
    effects: list[EffectView]
    citations: list[CitationView]
    feedback: FeedbackBody | None
    parent_id: UUID | None
    variant_of: UUID | None
    continues: UUID | None
    in_use: Annotated[bool, Field(description="Whether it is on the branch in use.")]
    variants: list[UUID]
    answers: list[UUID]
    edits: list[UUID]
    attachments: list[AttachmentView]


class TurnPage(BaseModel):
    """Turns of the branch in use, oldest first. Pass `next_after` as `after` for the next page, or
    `next_before` as `before` for the one before."""

    turns: list[TurnView]
    next_after: int | None
    next_before: int | None = None


class PreviewBody(MemoryOptions):
    """A draft message with the options of a chat request."""

    model_config = example(message="EC2 비용 줄이는 방법?")

    message: Annotated[str, Field(max_length=20_000)] = ""
    session_id: UUID | None = None


class TraceView(BaseModel):
    """The trace of a turn: its route, retrieval, model calls and timings."""

    turn_id: UUID
    trace: dict[str, Any]


def reply_view(reply: Reply) -> ChatReply:
    return ChatReply.of(reply)


def citation_view(evidence: Evidence) -> CitationView:
    return CitationView.of(evidence, kind=evidence.kind.value, text=excerpt(evidence.text))


def turn_view(details: TurnDetails) -> TurnView:
    turn, message = details.turn, "" if details.turn.continues else details.turn.message
    return TurnView.of(details, turn, answer=turn.reply, turn_id=turn.id, message=message)


def pair_up(entries: list[UserEntry | AssistantEntry]) -> tuple[HistoryEntry, ...]:
    """Pairs messages with the answers that followed; either may be missing."""
    turns: list[HistoryEntry] = []
    message: str | None = None
    for entry in entries:
        if isinstance(entry, UserEntry):
            if message is not None:
                turns.append(HistoryEntry(message, ""))
            message = entry.content
        else:
            refs, doc_ids = tuple(entry.refs), tuple(entry.doc_ids)
            tidied = (tidy_entity(key, value, len(turns) + 1) for key, value in entry.keyed())
            entities = tuple(entity for entity in tidied if entity is not None)
            turns.append(HistoryEntry(message or "", entry.summary, refs, doc_ids, entities))
            message = None
    if message is not None:
        turns.append(HistoryEntry(message, ""))
    return tuple(turns)
