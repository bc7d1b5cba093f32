"""Memory in requests and responses, as pydantic models."""

from collections.abc import Sequence
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from saegim.api.timestamps import Moment
from saegim.memory.import_types import ImportState, MemoryImport
from saegim.memory.imports import MOST_RECORDS
from saegim.memory.recall.types import CandidateKind, Fate, RecallCandidate, Recollection
from saegim.memory.service import Correction, PortableRecord
from saegim.memory.types import (
    Action,
    Actor,
    AuditEvent,
    MemoryType,
    Origin,
    Record,
    Statement,
    Version,
)

Content = Annotated[str, Field(min_length=1, max_length=4_000)]
Topic = Annotated[str, Field(max_length=200)]
Tag = Annotated[str, Field(max_length=60)]
Label = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
Share = Annotated[float, Field(ge=0, le=1)]


class MemoryView(BaseModel):
    """One record."""

    memory_id: UUID
    type: MemoryType
    content: str
    importance: float
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

    @staticmethod
    def of(record: Record) -> "MemoryView":
        return MemoryView(
            memory_id=record.id,
            type=record.type,
            content=record.content,
            importance=round(record.importance, 3),
            said_at=record.said_at,
            valid_from=record.valid_from,
            valid_to=record.valid_to,
            topic=record.topic,
            tags=sorted(record.tags),
            quote=record.quote,
            sources=list(record.sources),
            version=record.version,
            origin=record.origin,
            pinned=record.pinned,
            retention=record.retention,
            superseded_by=record.superseded_by,
        )


class MemoryPage(BaseModel):
    """Some records; `next_before` is where the next page starts."""

    memories: list[MemoryView]
    next_before: UUID | None


class NewMemoryBody(BaseModel, extra="forbid"):
    """What a person writes down."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "땅콩 알레르기가 있다"}]})

    content: Content
    type: MemoryType = MemoryType.NOTE
    topic: Topic = ""
    retention: Label | None = None


class CorrectionBody(BaseModel, extra="forbid"):
    """What is wrong, as it should be; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "호두 알레르기가 있다"}]})

    content: Content | None = None
    type: MemoryType | None = None
    topic: Topic | None = None
    importance: Share | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    reason: Annotated[str, Field(max_length=500)] = ""

    def correction(self) -> Correction:
        return Correction(
            content=self.content,
            type=self.type,
            topic=self.topic,
            importance=self.importance,
            valid_from=self.valid_from,
            valid_to=self.valid_to,
        )


class PinBody(BaseModel, extra="forbid"):
    """Whether a record stands in every context."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pinned": True}]})

    pinned: bool


class RetentionBody(BaseModel, extra="forbid"):
    """The label that says how long a record is kept; null takes it away."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"label": "short"}]})

    label: Label | None


class ConsolidatedView(BaseModel):
    """How many digests were made of old records."""

    digests: int


class MemoryRollbackBody(BaseModel, extra="forbid"):
    """The version to go back to."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1}]})

    version: Annotated[int, Field(ge=1, le=1_000_000)]


class MonthView(BaseModel):
    """How many records were said in a month."""

    year: int
    month: int
    records: int


class MemoryVersionView(BaseModel):
    """A record as it stood from a time on."""

    version: int
    type: MemoryType
    content: str
    importance: float
    origin: Origin
    at: AwareDatetime

    @staticmethod
    def of(version: Version) -> "MemoryVersionView":
        return MemoryVersionView(
            version=version.number,
            type=version.statement.type,
            content=version.statement.content,
            importance=round(version.statement.importance, 3),
            origin=version.origin,
            at=version.at,
        )


class MemoryEventView(BaseModel):
    """Who did what, when and why."""

    action: Action
    actor: Actor
    at: AwareDatetime
    reason: str

    @staticmethod
    def of(event: AuditEvent) -> "MemoryEventView":
        return MemoryEventView(
            action=event.action, actor=event.actor, at=event.at, reason=event.reason
        )


class PortableRecordView(BaseModel, extra="forbid"):
    """A record that is taken along."""

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

    @staticmethod
    def of(record: Record) -> "PortableRecordView":
        return PortableRecordView(
            type=record.type,
            content=record.content,
            importance=round(min(max(record.importance, 0.0), 1.0), 6),
            said_at=record.said_at,
            valid_from=record.valid_from,
            valid_to=record.valid_to,
            topic=record.topic,
            tags=sorted(record.tags),
            quote=record.quote,
            sources=list(record.sources),
            pinned=record.pinned,
            retention=record.retention,
        )

    def carried(self) -> PortableRecord:
        statement = Statement(
            type=self.type,
            content=self.content,
            importance=self.importance,
            valid_from=self.valid_from,
            valid_to=self.valid_to,
            topic=self.topic,
            tags=frozenset(self.tags),
        )
        return PortableRecord(
            statement, self.said_at, tuple(self.sources), self.quote, self.pinned, self.retention
        )


class ExportView(BaseModel, extra="forbid"):
    """A memory as a file: what `export` gives, `import` takes."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "format": "saegim-memory/1",
                    "memories": [
                        {
                            "type": "fact",
                            "content": "서울에 산다",
                            "importance": 0.6,
                            "said_at": "2024-05-01T09:00:00Z",
                        }
                    ],
                }
            ]
        }
    )

    format: Literal["saegim-memory/1"] = "saegim-memory/1"
    memories: Annotated[list[PortableRecordView], Field(max_length=100_000)]

    @staticmethod
    def of(records: Sequence[Record]) -> "ExportView":
        return ExportView(memories=[PortableRecordView.of(record) for record in records])

    def carried(self) -> list[PortableRecord]:
        return [each.carried() for each in self.memories]


class ImportBody(ExportView):
    """What is imported at once; longer exports are sent in several requests."""

    memories: Annotated[list[PortableRecordView], Field(max_length=MOST_RECORDS)]


class ImportView(BaseModel):
    """How far an import is: `done` of `total` memories are remembered."""

    import_id: UUID
    state: ImportState
    total: int
    done: int

    @staticmethod
    def of(found: MemoryImport) -> "ImportView":
        return ImportView(import_id=found.id, state=found.state, total=found.total, done=found.done)


class RecallBody(BaseModel, extra="forbid"):
    """A question to memory."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": "내 고양이 이름이 뭐지?"}]}
    )

    message: Annotated[str, Field(min_length=1, max_length=10_000)]
    count: Annotated[int, Field(ge=1, le=50)] | None = None
    tokens: Annotated[int, Field(ge=1, le=8_000)] | None = None
    types: Annotated[list[MemoryType], Field(max_length=8)] = []
    chosen: Annotated[list[UUID], Field(max_length=50)] = []
    as_of: Moment | None = None


class CandidateView(BaseModel):
    """What recall considered, with its signals and why it was taken or dropped."""

    kind: CandidateKind
    id: UUID
    text: str
    said_at: AwareDatetime
    tokens: int
    fate: Fate
    sources: list[UUID]
    score: float
    lexical: float
    dense: float
    recency: float
    importance: float
    speaker: float
    time: float

    @staticmethod
    def of(candidate: RecallCandidate) -> "CandidateView":
        signals = candidate.signals
        return CandidateView(
            kind=candidate.kind,
            id=candidate.id,
            text=candidate.text,
            said_at=candidate.said_at,
            tokens=candidate.tokens,
            fate=candidate.fate,
            sources=list(candidate.sources),
            score=signals.score,
            lexical=signals.lexical,
            dense=signals.dense,
            recency=signals.recency,
            importance=signals.importance,
            speaker=signals.speaker,
            time=signals.time,
        )


class RecollectionView(BaseModel):
    """What memory has to a message, fitted to its budgets, and what it left behind."""

    pinned: list[CandidateView]
    records: list[CandidateView]
    episodes: list[CandidateView]
    dropped: list[CandidateView]

    @staticmethod
    def of(found: Recollection) -> "RecollectionView":
        return RecollectionView(
            pinned=[CandidateView.of(each) for each in found.pinned],
            records=[CandidateView.of(each) for each in found.records],
            episodes=[CandidateView.of(each) for each in found.episodes],
            dropped=[CandidateView.of(each) for each in found.dropped],
        )
