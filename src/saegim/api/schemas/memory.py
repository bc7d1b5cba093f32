"""Requests and responses about memory."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    Field,
    JsonValue,
    model_validator,
)

from saegim.api.views import Moment, View, example
from saegim.memory.imports import MOST_RECORDS
from saegim.memory.recall.types import CandidateKind, Fate, RecallCandidate, Recollection
from saegim.memory.service import Correction, PortableRecord
from saegim.memory.types import (
    Action,
    Actor,
    ImportState,
    MemoryType,
    Origin,
    Record,
    Statement,
)

Content = Annotated[str, Field(min_length=1, max_length=4_000)]
Topic = Annotated[str, Field(max_length=200)]
Tag = Annotated[str, Field(max_length=60)]
Label = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
Share = Annotated[float, Field(ge=0, le=1)]
Rounded = Annotated[float, AfterValidator(lambda value: round(value, 3))]
EXAMPLE: dict[str, JsonValue] = {
    "type": "fact",
    "content": "서울에 산다",
    "importance": 0.6,
    "said_at": "2024-05-01T09:00:00Z",
}


class MemoryView(View):
    """A memory. `rests_on` are the memories that it rests on; `unsure_since` is when one of them
    changed, until the user confirms it."""

    memory_id: UUID
    type: MemoryType
    content: str
    importance: Rounded
    said_at: AwareDatetime
    valid_from: AwareDatetime | None
    valid_to: AwareDatetime | None
    topic: str
    tags: list[str]
    quote: str
    sources: list[UUID]
    version: int
    origin: Origin
    pinned: bool
    retention: str | None = None
    superseded_by: UUID | None
    rests_on: list[UUID]
    unsure_since: AwareDatetime | None


class MemoryPage(BaseModel):
    """Memories, newest first. Pass `next_before` as `before` for the next page."""

    memories: list[MemoryView]
    next_before: UUID | None


class MemoryCountsView(View):
    """Numbers of memories; `types` counts the current ones of each type. `to_review` are those
    that rules saved up to 0.15.4."""

    total: int
    pinned: int
    to_review: int
    forgotten: int
    types: dict[MemoryType, int]


class MemoryIds(BaseModel, extra="forbid"):
    """Memories by their IDs."""

    model_config = example(memory_ids=["0195e3a0-0000-7000-8000-000000000000"])

    memory_ids: Annotated[list[UUID], Field(min_length=1, max_length=1_000)]


class ForgottenBatchView(View):
    """Number of deleted memories; `batch` names them for an undo."""

    forgotten: int
    batch: AwareDatetime


class UndoBody(BaseModel, extra="forbid"):
    """The `batch` of a deletion, or memories."""

    model_config = example(batch="2026-11-17T09:00:00.123456Z")

    batch: AwareDatetime | None = None
    memory_ids: Annotated[list[UUID], Field(min_length=1, max_length=1_000)] | None = None

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if (self.batch is None) == (self.memory_ids is None):
            raise ValueError("send batch or memory_ids")
        return self


class RestoredView(BaseModel):
    """Number of restored memories."""

    restored: int


class NewMemoryBody(BaseModel, extra="forbid"):
    """A memory to add."""

    model_config = example(content="땅콩 알레르기가 있다")

    content: Content
    type: MemoryType = MemoryType.NOTE
    topic: Topic = ""
    retention: Label | None = None


class CorrectionBody(BaseModel, extra="forbid"):
    """The corrected fields. Omitted fields stay as they are."""

    model_config = example(content="호두 알레르기가 있다")

    content: Content | None = None
    type: MemoryType | None = None
    topic: Topic | None = None
    importance: Share | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    reason: Annotated[str, Field(max_length=500)] = ""

    def correction(self) -> Correction:
        return Correction(**self.model_dump(exclude={"reason"}))


class PinBody(BaseModel, extra="forbid"):
    """Whether a memory is part of every context."""

    model_config = example(pinned=True)

    pinned: bool


class RetentionBody(BaseModel, extra="forbid"):
    """The retention label of a memory; null for none."""

    model_config = example(label="short")

    label: Label | None


class ConsolidatedView(BaseModel):
    """Number of new digests."""

    digests: int


class MemoryRollbackBody(BaseModel, extra="forbid"):
    """The version to restore."""

    model_config = example(version=1)

    version: Annotated[int, Field(ge=1, le=1_000_000)]


class MonthView(View):
    """Number of memories of a month."""

    year: int
    month: int
    records: int


class MemoryVersionView(View):
    """A version of a memory; `at` is when it was written."""

    version: int
    type: MemoryType
    content: str
    importance: Rounded
    origin: Origin
    at: AwareDatetime


class MemoryEventView(View):
    """A change to a memory."""

    action: Action
    actor: Actor
    at: AwareDatetime
    reason: str


class PortableRecordView(View, BaseModel, extra="forbid"):
    """A memory in an export file."""

    type: MemoryType
    content: Content
    importance: Share
    said_at: Moment
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    topic: Topic = ""
    tags: Annotated[list[Tag], Field(max_length=50)] = []
    quote: Annotated[str, Field(max_length=4_000)] = ""
    sources: Annotated[list[UUID], Field(max_length=200)] = []
    pinned: bool = False
    retention: Label | None = None

    def record(self) -> PortableRecord:
        names = {"type", "content", "importance", "valid_from", "valid_to", "topic"}
        statement = Statement(**self.model_dump(include=names), tags=frozenset(self.tags))
        return PortableRecord(
            statement, self.said_at, tuple(self.sources), self.quote, self.pinned, self.retention
        )


class ExportView(BaseModel, extra="forbid"):
    """The file format of exports and imports."""

    model_config = example(format="saegim-memory/1", memories=[EXAMPLE])

    format: Literal["saegim-memory/1"] = "saegim-memory/1"
    memories: Annotated[list[PortableRecordView], Field(max_length=100_000)]

    @staticmethod
    def of(records: Sequence[Record]) -> "ExportView":
        def portable(record: Record) -> PortableRecordView:
            importance = round(min(max(record.importance, 0.0), 1.0), 6)
            return PortableRecordView.of(record, importance=importance)

        return ExportView(memories=[portable(record) for record in records])

    def records(self) -> list[PortableRecord]:
        return [memory.record() for memory in self.memories]


class ImportBody(ExportView):
    """An import. Send larger exports in several requests."""

    memories: Annotated[list[PortableRecordView], Field(max_length=MOST_RECORDS)]


class ImportView(View):
    """Progress of an import: `done` of `total` memories are stored."""

    import_id: UUID
    state: ImportState
    total: int
    done: int


class RecallBody(BaseModel, extra="forbid"):
    """A query to memory."""

    model_config = example(message="내 고양이 이름이 뭐지?")

    message: Annotated[str, Field(min_length=1, max_length=10_000)]
    count: Annotated[int, Field(ge=1, le=50)] | None = None
    tokens: Annotated[int, Field(ge=1, le=8_000)] | None = None
    types: Annotated[list[MemoryType], Field(max_length=8)] = []
    chosen: Annotated[list[UUID], Field(max_length=50)] = []
    as_of: Moment | None = None


class CandidateView(View):
    """A memory that recall considered, with its scores. `fate` says why it was used or dropped."""

    kind: CandidateKind
    id: UUID
    text: str
    said_at: AwareDatetime
    tokens: int
    fate: Fate
    sources: list[UUID]
    unsure_since: AwareDatetime | None
    score: float
    lexical: float
    dense: float
    recency: float
    importance: float
    speaker: float
    time: float


class RecollectionView(BaseModel):
    """Memories relevant to a message within the token budgets, and those that were dropped."""

    pinned: list[CandidateView]
    records: list[CandidateView]
    episodes: list[CandidateView]
    dropped: list[CandidateView]

    @staticmethod
    def of(recollection: Recollection) -> "RecollectionView":
        def views(candidates: Sequence[RecallCandidate]) -> list[CandidateView]:
            return [CandidateView.of(each, each.signals) for each in candidates]

        return RecollectionView(
            pinned=views(recollection.pinned),
            records=views(recollection.records),
            episodes=views(recollection.episodes),
            dropped=views(recollection.dropped),
        )
